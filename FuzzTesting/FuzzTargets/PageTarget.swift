// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Synchronization

/// The index's files, and what SQLite makes of pages that are authentic and wrong.
extension FuzzTarget {
    /// The first byte: 0 pages changed under the key, 1 bytes of the sealed database, 2 bytes of its log. Then edits:
    /// place (3 bytes), size, bytes.
    static let page = FuzzTarget("page") { bytes in
        guard let first = bytes.first else { return true }
        let edits = IndexEdit.list(bytes.dropFirst())
        return index.withLock { known in
            guard let index = try? known ?? SealedIndex() else { return false }
            known = index
            guard (try? index.put(edits, part: SealedIndex.Part(rawValue: first % 3) ?? .pages)) != nil else {
                return false
            }
            return index.readsOrRefuses()
        }
    }

    private static let index = Mutex<SealedIndex?>(nil)
}

/// Bytes that are put in the place of others.
struct IndexEdit {
    let place: Int
    let bytes: ArraySlice<UInt8>

    static func list(_ bytes: ArraySlice<UInt8>) -> [IndexEdit] {
        var edits: [IndexEdit] = []
        var rest = bytes
        while rest.count > 4, edits.count < 64 {
            let place = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            let count = min(Int(rest[rest.startIndex + 3]), rest.count - 4)
            edits.append(IndexEdit(place: place, bytes: rest.dropFirst(4).prefix(count)))
            rest = rest.dropFirst(4 + count)
        }
        return edits
    }

    func apply(to target: inout [UInt8]) {
        guard !target.isEmpty else { return }
        for (offset, byte) in bytes.enumerated() { target[(place + offset) % target.count] = byte }
    }
}
