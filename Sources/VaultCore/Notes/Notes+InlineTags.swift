// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading
internal import VaultFormat

extension NoteRecord {
    /// Adds the tags that have come into the text, to those that were set. None is taken away: nothing says whether
    /// somebody has set it besides, and one that was taken off by hand stays off.
    ///
    /// - Parameter before: the text that this one takes the place of.
    mutating func readTags(before: String = "") {
        guard body != before else { return }
        let new = InlineTags.of(body)
        guard !new.isEmpty else { return }
        let known = Set(InlineTags.of(before).map { TagKey.bytes($0) })
        let come = new.filter { !known.contains(TagKey.bytes($0)) }
        // What would be too many is a text that names many, and no reason not to save it.
        tags = Array(NoteNames.tags(tags + come).prefix(max(Self.tagCountMax, tags.count)))
    }
}
