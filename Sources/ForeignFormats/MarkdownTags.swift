// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// The tags of one note: the first spelling of each counts, whatever its case.
struct MarkdownTags {
    private(set) var list: [String] = []
    private var known: Set<String> = []
    /// Whether a tag found no room; then there is no use in looking for more.
    private(set) var isFull = false

    /// Adds a tag without its "#".
    ///
    /// - Returns: whether the note has the tag now.
    mutating func add(_ tag: String, _ losses: inout MarkdownLosses) -> Bool {
        guard !tag.isEmpty else { return true }
        // A scalar is at least one byte, so most tags need no count.
        let limit = ParsedNote.tagScalarCountMax
        guard tag.utf8.count <= limit || tag.unicodeScalars.count <= limit else {
            losses.add(.tagTooLong)
            return false
        }
        let folded = tag.lowercased()
        if known.contains(folded) { return true }
        guard list.count < ParsedNote.tagCountMax else {
            losses.add(.tooManyTags)
            isFull = true
            return false
        }
        known.insert(folded)
        list.append(tag)
        return true
    }
}
