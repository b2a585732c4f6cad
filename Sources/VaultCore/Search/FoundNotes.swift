// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `FoundNotes` holds the notes that a scan found, in the order of its list. However many there are, no more are kept
/// than the page takes.
struct FoundNotes {
    struct Found {
        let row: Int64
        let isPinned: Bool
        let number: Int64
        let title: [UInt8]
        var score: Int
    }

    private(set) var notes: [Found] = []
    /// All that were found, kept or not.
    private(set) var count = 0
    private let order: NoteOrder
    private let reverse: Bool
    /// Whether they come in the order of the list; else all must be seen.
    private let areInOrder: Bool
    private let keptCount: Int
    /// Whether some are better than others.
    private let ranks: Bool
    /// Matches are ranked in windows of this size, so that a page never depends on how many there are in all.
    private static let windowCount = 200
    private static let partCount = 200
    private var takenCount = 0
    /// What comes behind it is on no page that was asked for.
    private var last: Found?

    init(_ search: FilteredSearch, ranks: Bool, areInOrder: Bool) {
        order = search.order
        reverse = search.reverse
        self.areInOrder = areInOrder
        let end = search.isWhole ? Int.max / 4 : search.page * search.limit
        self.ranks = ranks && search.order == .rank
        keptCount = 1 + (self.ranks ? (end + Self.windowCount - 1) / Self.windowCount * Self.windowCount : end)
    }

    /// Whether there is one more than the page shows.
    var isFull: Bool { areInOrder && notes.count >= keptCount }

    mutating func add(_ note: NoteFields, score: Int) {
        count += 1
        if isFull { return }
        let found = Found(
            row: note.row, isPinned: note.isPinned, number: number(note), title: title(note), score: score)
        if let last, precedes(last, found) { return }
        notes.append(found)
        // Sorting twice as many each time costs less than a place for each one.
        if !areInOrder, notes.count >= 2 * keptCount + 1000 { cut() }
    }

    /// Whether there is a whole part to be taken out.
    var hasPart: Bool { notes.count - takenCount >= Self.partCount }
    var isTaken: Bool { takenCount == notes.count }

    /// Takes the next of a list without pages, in order, when there is nothing to find any more or all come in order.
    mutating func takePart() -> [Int64] {
        if !areInOrder, takenCount == 0 { cut() }
        let part = notes[takenCount...].prefix(Self.partCount).map(\.row)
        // Those in order are found a few at a time; all others lie here until the last is taken.
        if areInOrder { notes.removeFirst(part.count) } else { takenCount += part.count }
        return part
    }

    /// Returns one page, best first.
    mutating func page(_ search: FilteredSearch) -> (rows: [Int64], hasMore: Bool) {
        if !areInOrder { cut() }
        if ranks { rank() }
        let begin = min((search.page - 1) * search.limit, notes.count)
        let end = min(begin + search.limit, notes.count)
        return (notes[begin..<end].map(\.row), count > end)
    }

    private mutating func cut() {
        notes.sort(by: precedes)
        guard notes.count >= keptCount else { return }
        notes.removeLast(notes.count - keptCount)
        last = notes.last
    }

    private mutating func rank() {
        for begin in stride(from: 0, to: notes.count, by: Self.windowCount) {
            let end = min(begin + Self.windowCount, notes.count)
            notes[begin..<end].sort { ($0.score, $0.row) > ($1.score, $1.row) }
        }
    }

    private func number(_ note: NoteFields) -> Int64 {
        switch order {
        case .modified: note.modified
        case .created: note.created
        case .size: note.byteCount
        case .title, .rank: 0
        }
    }

    private func title(_ note: NoteFields) -> [UInt8] {
        // Of a private note no word stays here: it may be locked before the list is shown.
        order == .title && !note.features.contains(.isPrivate)
            ? note.title.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } : []
    }

    private func precedes(_ first: Found, _ second: Found) -> Bool {
        if order == .modified, first.isPinned != second.isPinned { return first.isPinned }
        let (one, two) = reverse ? (second, first) : (first, second)
        if order == .title, one.title != two.title { return one.title.lexicographicallyPrecedes(two.title) }
        return (one.number, one.row) > (two.number, two.row)
    }
}
