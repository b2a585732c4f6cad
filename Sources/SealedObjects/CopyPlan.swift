// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Which pieces of an object a copy has to open.
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
