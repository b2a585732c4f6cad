// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol

/// `FrameSource` reads the files that the client sends, frame after frame.
final class FrameSource: EntrySource {
    private var pipe = Pipe()
    private var isInFile = false
    private var isAtEnd = false
    private(set) var isCutShort = false
    /// Called once for each frame: the process may then go on for longer.
    private let onFrame: () -> Void

    init(onFrame: @escaping () -> Void) { self.onFrame = onFrame }

    func nextEntry() throws(ImportFailure) -> SourceEntry? {
        while isInFile, try !readPiece().isEmpty {}
        guard !isAtEnd else { return nil }
        switch frame() {
        case .fileStart(let path, let modified):
            isInFile = true
            isCutShort = false
            switch EntryPath.check(path, isLocal: true) {
            case .success(let clean): return SourceEntry(path: clean, modified: modified)
            case .failure(let refusal): return SourceEntry(path: path, modified: nil, refusal: refusal.reason)
            }
        case .end:
            isAtEnd = true
            return nil
        case .fileBytes, .fileEnd: Pipe.fail("a frame is out of order")
        }
    }

    func readPiece() throws(ImportFailure) -> [UInt8] {
        guard isInFile else { return [] }
        switch frame() {
        case .fileBytes(let bytes): return bytes
        case .fileEnd(let isWhole):
            isInFile = false
            isCutShort = !isWhole
            return []
        case .fileStart, .end: Pipe.fail("a frame is out of order")
        }
    }

    /// Reads to the end, after which the client sends all of it again, as it has been asked to.
    func rewind() throws(ImportFailure) {
        while try nextEntry() != nil {}
        isAtEnd = false
    }

    /// Reads a frame. Frames are the client's own, not the container's: a wrong one is a broken program, not a bad
    /// file.
    private func frame() -> ContainerFrame {
        onFrame()
        do throws(RecordError) {
            guard let bytes = try pipe.nextFrame(max: ContainerFrame.byteCountMax) else {
                Pipe.fail("the container is not sent to its end")
            }
            return try ContainerFrame(parsing: bytes)
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }
}
