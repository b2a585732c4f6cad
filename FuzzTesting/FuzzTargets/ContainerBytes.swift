// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignFormats

/// A folder in one array of bytes: for each file its path, a line feed, its content; files are parted by the byte 0x1E.
final class ContainerBytes: EntrySource {
    private let files: [(path: [UInt8], content: [UInt8])]
    private var index = -1
    private var at = 0
    let isCutShort = false

    init(files: [(path: [UInt8], content: [UInt8])]) { self.files = files }

    convenience init(_ bytes: [UInt8]) {
        self.init(
            files: bytes.split(separator: 0x1E, maxSplits: 63).map { part in
                let path = part.prefix { $0 != 0x0A }
                return (path: Array(path), content: Array(part.dropFirst(path.count + 1)))
            })
    }

    func nextEntry() throws(ImportFailure) -> SourceEntry? {
        index += 1
        at = 0
        guard index < files.count else { return nil }
        switch EntryPath.check(files[index].path) {
        case .success(let clean): return SourceEntry(path: clean, modified: 1_700_000_000_000)
        case .failure(let refusal): return SourceEntry(path: files[index].path, modified: nil, refusal: refusal.reason)
        }
    }

    func readPiece() throws(ImportFailure) -> [UInt8] {
        guard files.indices.contains(index) else { return [] }
        // Small pieces, so that what is parted between two of them is met.
        let piece = Array(files[index].content[at...].prefix(100))
        at += piece.count
        return piece
    }

    func rewind() throws(ImportFailure) { index = -1 }
}
