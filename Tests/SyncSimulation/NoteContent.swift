// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine

/// What stands for a note: a text that can conflict, a field that cannot, a flag, and the numbers of all edits that it
/// holds, by which a lost edit is found.
struct NoteContent: Equatable {
    var text: UInt32
    var field: UInt32
    var isTrashed: Bool
    var edits: [UInt32]

    init(text: UInt32, field: UInt32, isTrashed: Bool = false, edits: [UInt32]) {
        (self.text, self.field, self.isTrashed, self.edits) = (text, field, isTrashed, edits)
    }

    init(_ body: [UInt8]) {
        let words = stride(from: 1, to: body.count, by: 4).map { start in
            body[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        self.init(text: words[0], field: words[1], isTrashed: body[0] == 1, edits: Array(words.dropFirst(2)))
    }

    var body: [UInt8] {
        var bytes: [UInt8] = [isTrashed ? 1 : 0]
        bytes.reserveCapacity(9 + 4 * edits.count)
        for word in [text, field] + edits {
            for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return bytes
    }

    /// Three-way; nil for a conflict of texts.
    static func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
        let (base, ours, theirs) = (NoteContent(base), NoteContent(ours), NoteContent(theirs))
        guard ours.text == base.text || theirs.text == base.text || ours.text == theirs.text else { return nil }
        var merged = ours
        merged.text = ours.text == base.text ? theirs.text : ours.text
        merged.field =
            ours.field == base.field
            ? theirs.field : theirs.field == base.field ? ours.field : max(ours.field, theirs.field)
        merged.edits = Set(ours.edits).union(theirs.edits).sorted()
        merged.isTrashed = ours.isTrashed && theirs.isTrashed
        if ours.isTrashed != theirs.isTrashed {
            let other = ours.isTrashed ? theirs : ours
            merged.isTrashed = !base.isTrashed && other.edits == base.edits
        }
        return merged.body
    }
}

/// Stands for SHA-256: the same bytes give the same digest.
func simulatedHash(_ bytes: [UInt8]) -> Digest {
    var first: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let mixes = (1...4).map { mixed(first &+ UInt64($0)) }
    return Digest(mixes[0], mixes[1], mixes[2], mixes[3])
}
