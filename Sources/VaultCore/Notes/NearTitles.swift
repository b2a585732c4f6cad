// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SearchText

extension IndexAccess {
    /// Finds the notes whose titles are nearest to a word that fits none: those that share most of its trigrams.
    ///
    /// - Returns: at most three, the nearest first; none for what is like no title.
    func nearest(to reference: String) throws -> [NoteSummary] {
        let wanted = Self.trigrams(of: TextFold.fold(reference))
        guard (2...64).contains(wanted.count) else { return [] }
        let statement = try database.cachedStatement(
            "SELECT row, titleKey FROM note WHERE place IN (0, 2) ORDER BY modified DESC LIMIT \(Self.titleCountMax)")
        var best: [(score: Int, row: Int64)] = []
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
            let title = try row.bytes("titleKey")
            guard title.count <= Self.titleByteCountMax else { continue }
            let common = Self.count(of: wanted, in: title)
            // Half of the word's, and of two alike the one with less besides.
            guard common * 2 >= wanted.count else { continue }
            best.append((common * 1000 - title.count, try row.integer("row")))
            if best.count > 64 { best = Array(best.sorted { $0.score > $1.score }.prefix(3)) }
        }
        let one = try database.cachedStatement("SELECT * FROM note WHERE row = ?")
        return try best.sorted { $0.score > $1.score }.prefix(3).compactMap { near in
            try one.row([near.row]).map { try summary($0) }
        }
    }

    /// Titles that are looked at: those that changed last.
    private static var titleCountMax: Int { 20_000 }

    /// A longer title is like no word.
    private static var titleByteCountMax: Int { 200 }

    /// Returns how many of the trigrams stand in a title, each counted once.
    private static func count(of wanted: Set<UInt32>, in title: [UInt8]) -> Int {
        guard title.count >= 3 else { return 0 }
        var found: Set<UInt32> = []
        for at in 0..<title.count - 2 {
            let one = UInt32(title[at]) << 16 | UInt32(title[at + 1]) << 8 | UInt32(title[at + 2])
            if wanted.contains(one) { found.insert(one) }
        }
        return found.count
    }

    private static func trigrams(of folded: [UInt8]) -> Set<UInt32> {
        guard folded.count >= 3 else { return [] }
        return Set(
            (0..<folded.count - 2).map { at in
                UInt32(folded[at]) << 16 | UInt32(folded[at + 1]) << 8 | UInt32(folded[at + 2])
            })
    }
}
