// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SearchText
internal import VaultFormat

/// What the tables say of an ordinary note, said of a private one's content in memory.
extension UnlockedNote {
    /// Whether it has a tag, or one below it.
    func isTagged(_ key: [UInt8]) -> Bool { record.tags.contains { Self.isAtOrBelow(TagKey.bytes($0), key) } }

    /// Whether it lies in a notebook, or one below it.
    func isIn(notebook path: String) -> Bool { Self.isAtOrBelow(Array(record.notebook.utf8), Array(path.utf8)) && !record.notebook.isEmpty }

    /// The alternatives of a query that may fit as far as fields can tell, one bit each; words are looked for afterwards.
    func fits(_ query: NoteQuery, places: [NotePlace], hasDraft: Bool, isForked: Bool) -> Int64 {
        var bits: Int64 = 0
        for (number, terms) in query.alternatives.enumerated() {
            let namesPlace = terms.contains { !$0.isNegated && $0.conditions.contains(where: QuerySQL.isPlace) }
            guard namesPlace || places.contains(place) else { continue }
            let fits = terms.allSatisfy { term in
                let known = term.conditions.map { holds($0, hasDraft: hasDraft, isForked: isForked) }
                // Words, or a field beside words: open until the text is looked at.
                guard !known.contains(nil) else { return true }
                return known.contains(true) != term.isNegated
            }
            if fits { bits |= Int64(1) << Int64(number) }
        }
        return bits
    }

    /// Nil when only the text can tell.
    private func holds(_ condition: NoteQuery.Condition, hasDraft: Bool, isForked: Bool) -> Bool? {
        switch condition {
        case .text, .title: nil
        case .tag(let tag): isTagged(tag)
        case .notebook(let path): !record.notebook.isEmpty && Self.isAtOrBelow(TextFold.fold(record.notebook), path)
        case .created(let range): range.contains(record.created)
        case .modified(let range): range.contains(record.modified)
        case .has(let feature): has(feature, hasDraft: hasDraft, isForked: isForked)
        case .state(let state): isIn(state, hasDraft: hasDraft, isForked: isForked)
        }
    }

    private func has(_ feature: NoteQuery.Feature, hasDraft: Bool, isForked: Bool) -> Bool {
        switch feature {
        case .link: NoteLinks(record).features.contains(.link)
        case .title: record.title != nil
        case .tag: !record.tags.isEmpty
        case .notebook: !record.notebook.isEmpty
        case .attachment: !record.attachments.isEmpty
        case .draft: hasDraft
        case .conflict: isForked
        }
    }

    private func isIn(_ state: NoteQuery.State, hasDraft: Bool, isForked: Bool) -> Bool {
        switch state {
        case .live: place == .live
        case .trashed: place == .trash
        case .archived: place == .archive
        case .template: place == .template
        case .pinned: record.flags.contains(.pinned)
        case .draft: hasDraft
        case .conflict: isForked
        case .persisted, .isPrivate: true
        }
    }

    private static func isAtOrBelow(_ path: [UInt8], _ above: [UInt8]) -> Bool {
        path == above || (path.starts(with: above) && path.count > above.count && path[above.count] == 0x2F)
    }
}
