// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading
internal import VaultFormat

extension NoteRecord {
    /// Takes over the tags that stand in the text, beside those that were set. One that has gone from the text goes
    /// from the note; what else was set stays.
    ///
    /// - Parameter before: the text that this one takes the place of.
    mutating func readTags(before: String = "") {
        guard body != before else { return }
        let (old, new) = (InlineTags.of(before), InlineTags.of(body))
        guard !old.isEmpty || !new.isEmpty else { return }
        let kept = Set(new.map { TagKey.bytes($0) })
        let gone = Set(old.map { TagKey.bytes($0) }).subtracting(kept)
        let set = tags.filter { !gone.contains(TagKey.bytes($0)) }
        // What would be too many is a text that names many, and no reason not to save it.
        tags = Array(NoteNames.tags(set + new).prefix(max(Self.tagCountMax, set.count)))
    }
}
