// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ObjectCopier` opens pieces of an object and writes what of them is wanted. One for each thread.
final class ObjectCopier: BatchWorker {
    /// `Target` tells where the content goes.
    enum Target {
        /// Each piece at its own place, from 0 on.
        case file(Int32)
        /// One piece after another: one thread only.
        case pipe(PipeBytes)
        /// It is only checked.
        case nowhere
    }

    private let layer: LayerReader
    private let plan: CopyPlan
    private let target: Target
    private let buffer = WorkBuffer(BatchRun.byteCount)

    init(_ layer: LayerReader, _ plan: CopyPlan, to target: Target) {
        self.layer = layer
        self.plan = plan
        self.target = target
    }

    func perform(_ batch: Int) throws(ObjectError) -> Int {
        switch plan.piece(batch) {
        case .content(let piece):
            try open(piece, of: layer)
            let wanted = piece.clamped(to: plan.range)
            if !wanted.isEmpty {
                let bytes = unsafe buffer.reading(
                    wanted.lowerBound - piece.lowerBound..<wanted.upperBound - piece.lowerBound)
                try unsafe write(bytes, at: wanted.lowerBound - plan.range.lowerBound)
            }
            return wanted.count
        case .outerPadding(let piece):
            if let outer = layer.outer { try open(piece, of: outer) }
            return 0
        }
    }

    /// Opens a piece into the buffer and checks what of it is padding.
    private func open(_ piece: Range<Int>, of layer: LayerReader) throws(ObjectError) {
        try unsafe layer.read(piece, into: buffer[0..<piece.count])
        let isPadded = unsafe layer.size.isPadded(buffer.reading(0..<piece.count), at: piece.lowerBound)
        guard isPadded else { throw ObjectError(.notAuthentic) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ObjectError) {
        switch target {
        case .file(let descriptor): try unsafe FileBytes.write(descriptor, bytes, at: offset)
        case .pipe(let pipe): try unsafe pipe.write(bytes)
        case .nowhere: break
        }
    }
}

/// `CopyPlan` says which pieces of an object a copy has to open.
struct CopyPlan {
    enum Piece: Equatable {
        /// Of the innermost layer's padded content.
        case content(Range<Int>)
        /// Of the padding of the layer around it; checked, and written nowhere.
        case outerPadding(Range<Int>)
    }

    /// What is written, in bytes of the content.
    let range: Range<Int>
    /// Whether it is all of it; then the padding of each layer is checked as well.
    let isWhole: Bool
    private let contentPieces: Range<Int>
    private let outerPadding: Range<Int>

    init(_ range: Range<Int>, innermost: LayerSize, outer: LayerSize?) {
        self.range = range
        isWhole = range == 0..<innermost.content
        // Pieces begin where chunks do: no chunk is opened for two of them.
        let begin = range.lowerBound / BatchRun.byteCount * BatchRun.byteCount
        contentPieces = isWhole ? 0..<innermost.padded : range.isEmpty ? 0..<0 : begin..<range.upperBound
        outerPadding = isWhole ? outer.map { $0.content..<$0.padded } ?? 0..<0 : 0..<0
    }

    var pieceCount: Int { Self.count(contentPieces) + Self.count(outerPadding) }

    func piece(_ number: Int) -> Piece {
        let contentCount = Self.count(contentPieces)
        guard number >= contentCount else {
            let piece = Self.piece(number, of: contentPieces)
            return .content(isWhole ? piece : piece.clamped(to: range))
        }
        return .outerPadding(Self.piece(number - contentCount, of: outerPadding))
    }

    private static func count(_ range: Range<Int>) -> Int {
        (range.count + BatchRun.byteCount - 1) / BatchRun.byteCount
    }

    private static func piece(_ number: Int, of range: Range<Int>) -> Range<Int> {
        let begin = range.lowerBound + number * BatchRun.byteCount
        return begin..<min(begin + BatchRun.byteCount, range.upperBound)
    }
}
