// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `ObsidianIndex` tells which files a folder of notes has, and what its links mean: a path, the name of a file
/// anywhere, a title, another name of a note.
///
/// Paths lie in one array and are found by their hashes, so that a folder of a million notes fits into the parser's
/// memory. A file is called by its place: the number of files that were added before it.
struct ObsidianIndex {
    struct Found {
        let place: Int
        let isUnique: Bool
    }

    /// `Reach` says how far a link may look for its goal.
    enum Reach {
        /// From the note's folder, as the web and most programs read a path.
        case relativePath
        /// The same, and a file of that name anywhere, as Obsidian does.
        case relativeOrAnywhere
        /// "[[Name]]": from the top, from the note's folder, anywhere, by title, by another name, by its heading.
        case name
    }

    /// Most files of the same name that are compared.
    private static let namesakeCountMax = 64
    private static let noteEndings = [".md", ".markdown", ".txt"]

    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var areNotes: [Bool] = []
    /// Whether a file lies beside its note as that note's own.
    private var areOwned: [Bool] = []
    /// Titles that are not the file's name.
    private var ownTitles: [Int: String] = [:]
    private var files: [Int: [Int]] = [:]
    private var paths = NameTable()
    private var names = NameTable()
    private var titles = NameTable()
    private var aliases = NameTable()
    private var headings = NameTable()

    var count: Int { ends.count }

    /// Adds a file with its names.
    ///
    /// - Parameters:
    ///   - note: nil for a file that is no note.
    ///   - owner: the note that the file lies beside as its own.
    mutating func add(_ path: String, note: MarkdownNames?, owner: Int? = nil) {
        let place = count
        bytes += path.utf8
        ends.append(bytes.count)
        areNotes.append(note != nil)
        areOwned.append(owner != nil)
        paths.add(path, place)
        names.add(Self.name(path), place)
        if let owner { files[owner, default: []].append(place) }
        guard let note else { return }
        titles.add(note.title, place)
        if note.title != Self.stem(path) { ownTitles[place] = note.title }
        for alias in note.aliases { aliases.add(alias, place) }
        if let id = note.ownID { aliases.add(id, place) }
        if let heading = note.heading, heading != note.title { headings.add(heading, place) }
    }

    /// Sorts what was added; it must be called before anything is looked for.
    mutating func sort() {
        paths.sort()
        names.sort()
        titles.sort()
        aliases.sort()
        headings.sort()
    }

    func path(_ place: Int) -> String {
        String(decoding: bytes[(place == 0 ? 0 : ends[place - 1])..<ends[place]], as: UTF8.self)
    }
    func isNote(_ place: Int) -> Bool { areNotes[place] }
    func title(_ place: Int) -> String { ownTitles[place] ?? Self.stem(path(place)) }
    /// Returns files that lie in a folder of their own beside the note.
    func files(of note: Int) -> [Int] { files[note] ?? [] }

    /// Returns the file with this very path.
    func place(of path: String) -> Int? {
        paths.places(path, max: Self.namesakeCountMax).first { self.path($0).utf8.elementsEqual(path.utf8) }
    }

    /// Returns what stands in "[[…]]" for a note: its title if no other note has it, else its path.
    func target(_ place: Int) -> String {
        let title = title(place)
        return NoteReference.isTarget(title) && titles.places(title, max: 2).count == 1 ? title : path(place)
    }

    /// Finds the file that a link of a note means.
    ///
    /// - Parameters:
    ///   - target: what a link says, without "#…" and "|…".
    ///   - folder: where the note with the link lies.
    func find(_ target: String, from folder: String, _ reach: Reach) -> Found? {
        guard !target.isEmpty, target.utf8.count <= ForeignFile.pathByteCountMax else { return nil }
        let isRooted = target.hasPrefix("/")
        let plain = isRooted ? String(target.dropFirst()) : target
        var owned: Found?
        for ending in [""] + Self.noteEndings {
            let wanted = plain + ending
            let joined = isRooted ? nil : Self.joined(folder, wanted)
            for candidate in reach == .name ? [wanted, joined] : [joined, wanted] {
                if let candidate, let place = at(candidate), ending.isEmpty || areNotes[place] {
                    return Found(place: place, isUnique: true)
                }
            }
            guard reach != .relativePath, let found = anywhere(wanted, onlyNotes: !ending.isEmpty) else { continue }
            // "Board.canvas" is the note Board.canvas.md before it is the file Board.canvas.files/Board.canvas.
            guard areOwned[found.place] else { return found }
            owned = owned ?? found
        }
        if let owned { return owned }
        guard reach == .name else { return nil }
        for table in [titles, aliases, headings] {
            let places = table.places(target, max: 2)
            if let first = places.first { return Found(place: first, isUnique: places.count == 1) }
        }
        return nil
    }

    /// Finds a path. Of two that differ only in case, the one that is written so counts.
    private func at(_ path: String) -> Int? { place(of: path) ?? paths.places(path, max: 1).first }

    /// Returns the file of this name with the shortest path. Of a path in a link, the end has to be the file's.
    private func anywhere(_ wanted: String, onlyNotes: Bool) -> Found? {
        let end = "/" + wanted.lowercased()
        let fitting = names.places(Self.name(wanted), max: Self.namesakeCountMax).filter { place in
            (!onlyNotes || areNotes[place]) && (!wanted.contains("/") || path(place).lowercased().hasSuffix(end))
        }
        func rank(_ place: Int) -> (Int, Int, String) { (areOwned[place] ? 1 : 0, path(place).utf8.count, path(place)) }
        guard let best = fitting.min(by: { rank($0) < rank($1) }) else { return nil }
        return Found(place: best, isUnique: fitting.count { areOwned[$0] == areOwned[best] } == 1)
    }

    static func name(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    }
    static func folder(_ path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }
    static func stem(_ path: String) -> String { MarkdownPath.stem(of: Array(path.utf8)) }

    /// Joins a folder and a target: "a/b" and "../c" are "a/c"; nil if that leaves the vault.
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

/// `NameTable` finds numbers by names, whatever the names' case and however their letters are composed, in 16 bytes for
/// each.
///
/// Only hashes are kept. Their seed is this process's own, so nobody can choose two names that meet; should two meet
/// anyway, a name has a number that is not its own.
private struct NameTable {
    private struct Entry {
        let hash: Int
        let place: Int32
    }

    private var entries: [Entry] = []

    mutating func add(_ name: String, _ place: Int) {
        entries.append(Entry(hash: Self.hash(name), place: Int32(clamping: place)))
    }

    /// Sorts the numbers by name; it must be called before the first look-up and after the last name.
    mutating func sort() { entries.sort { ($0.hash, $0.place) < ($1.hash, $1.place) } }

    /// Returns numbers of a name.
    ///
    /// - Returns: at most `max` of the name's numbers, the lowest first.
    func places(_ name: String, max: Int) -> [Int] {
        let wanted = Self.hash(name)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].hash < wanted { low = middle + 1 } else { high = middle }
        }
        var places: [Int] = []
        while low < entries.count, entries[low].hash == wanted, places.count < max {
            // A note may have a name twice.
            if places.last != Int(entries[low].place) { places.append(Int(entries[low].place)) }
            low += 1
        }
        return places
    }

    /// Returns the hash of a name in lower case; a string's hash is that of its normal form.
    private static func hash(_ name: String) -> Int {
        var hasher = Hasher()
        hasher.combine(name.lowercased())
        return hasher.finalize()
    }
}
