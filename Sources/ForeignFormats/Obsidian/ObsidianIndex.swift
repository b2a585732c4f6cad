// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

/// Which files a vault of Obsidian has, and what its links mean: a path, or the name of a file anywhere.
struct ObsidianIndex {
    struct Found {
        let path: String
        let isUnique: Bool
    }

    private(set) var titles = NoteTitles()
    private var paths: [String: String] = [:]
    private var names: [String: [String]] = [:]

    /// - Parameter title: of a note; nil for another file.
    mutating func add(_ path: String, title: String?) {
        guard paths.updateValue(path, forKey: path.lowercased()) == nil else { return }
        names[Self.name(path).lowercased(), default: []].append(path)
        if let title { _ = titles.add(key: path, title: title) }
    }

    /// - Parameters:
    ///   - target: what a link says, without "#…" and "|…".
    ///   - folder: where the note with the link lies.
    func find(_ target: String, from folder: String) -> Found? {
        guard !target.isEmpty, target.utf8.count <= ForeignFile.pathByteCountMax else { return nil }
        for ending in ["", ".md"] {
            let wanted = (target.hasPrefix("/") ? String(target.dropFirst()) : target).lowercased() + ending
            for candidate in [wanted, Self.joined(folder.lowercased(), wanted)].compactMap({ $0 }) {
                if let path = paths[candidate] { return Found(path: path, isUnique: true) }
            }
            let named = names[Self.name(wanted), default: []]
            // Of a path in a link, the end has to be the file's.
            let fitting = wanted.contains("/") ? named.filter { $0.lowercased().hasSuffix("/" + wanted) } : named.prefix(2).map { $0 }
            if let first = fitting.min(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }) {
                return Found(path: first, isUnique: fitting.count == 1)
            }
        }
        return nil
    }

    static func name(_ path: String) -> String { String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]) }
    static func folder(_ path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

    /// "a/b" and "../c" are "a/c"; nil if that leaves the vault.
    private static func joined(_ folder: String, _ target: String) -> String? {
        var parts = folder.split(separator: "/")
        for part in target.split(separator: "/") {
            switch part {
            case ".": break
            case "..":
                guard parts.popLast() != nil else { return nil }
            default: parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
