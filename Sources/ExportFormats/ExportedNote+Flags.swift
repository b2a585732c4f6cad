// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ExportedNote {
    /// What it is besides a note, in words.
    var flagWords: [String] {
        [("pinned", isPinned), ("archived", isArchived), ("in the trash", isTrashed), ("template", isTemplate)].filter(
            \.1
        ).map(\.0)
    }

    /// Whether "[[" is in the text.
    var mayLinkToNotes: Bool {
        var last: UInt8 = 0
        for byte in body.utf8 {
            if byte == UInt8(ascii: "["), last == byte { return true }
            last = byte
        }
        return false
    }
}
