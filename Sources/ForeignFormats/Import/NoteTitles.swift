// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `NoteTitles` tells what links between the notes of a source may say: the title where it means one note, the note's
/// key where it does not.
struct NoteTitles {
    private var titles: [String: String] = [:]
    private var keys: [String: [String]] = [:]
    private static let keyCountMax = 2

    var count: Int { titles.count }

    /// Adds a note with its key and title.
    ///
    /// - Returns: false if the key is known already.
    mutating func add(key: String, title: String) -> Bool {
        guard titles[key] == nil else { return false }
        titles[key] = title
        let folded = title.lowercased()
        // Two are enough to know that a title is not one note's.
        if keys[folded, default: []].count < Self.keyCountMax { keys[folded, default: []].append(key) }
        return true
    }

    func title(of key: String) -> String? { titles[key] }

    /// Returns the one note with this title; the first of several.
    func key(titled title: String) -> (key: String, isUnique: Bool)? {
        guard let list = keys[title.lowercased()], let first = list.first else { return nil }
        return (first, list.count == 1)
    }

    /// Returns what stands in "[[…]]" for a note.
    func target(of key: String) -> String? {
        guard let title = titles[key] else { return nil }
        return NoteReference.isTarget(title) && keys[title.lowercased()]?.count == 1 ? title : key
    }
}
