// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import RegexText
internal import SearchText
internal import VaultFormat

extension FilteredScan {
    /// Nil when it does not fit.
    func score(_ note: NoteFields, _ unlocked: UnlockedNote?, _ plan: FilterPlan, _ texts: FoldedTexts, _ database: Database) throws -> Int? {
        let fields = unlocked.map { NoteFields($0) } ?? note
        let bits = plan.fits(fields)
        guard bits != 0, search.tag.map({ fields.hasTag($0) }) != false, search.notebook.map({ fields.notebook == NoteNames.notebook($0) }) != false
        else { return nil }
        guard plan.looksAtTexts || regex != nil else { return 0 }
        guard let score = try wordScore(note, unlocked, plan, bits, texts, database) else { return nil }
        guard let regex else { return score }
        guard let (title, record) = try unlocked.map({ ($0.title, $0.record) }) ?? store.candidate(database, note.row) else { return nil }
        lookedBytes += record.body.utf8.count
        return try matches(regex, title, record.body) ? score : nil
    }

    private func wordScore(
        _ note: NoteFields, _ unlocked: UnlockedNote?, _ plan: FilterPlan, _ bits: Int64, _ texts: FoldedTexts, _ database: Database
    ) throws -> Int? {
        guard plan.looksAtTexts else { return 0 }
        return try store.withFolded(note, unlocked, texts, database) { title, body in
            self.lookedBytes += body.count
            return plan.score(title, body, bits)
        } ?? nil
    }

    private func matches(_ regex: RegexPattern, _ title: String, _ body: String) throws -> Bool {
        do throws(RegexPatternError) {
            if try regex.firstMatch(in: Array(title.utf8)) != nil { return true }
            return try regex.firstMatch(in: Array(body.utf8)) != nil
        } catch { throw VaultError(.tooCostly) }
    }

    func summaries(_ rows: [Int64]) throws(VaultError) -> [NoteSummary] {
        try store.read { database in
            try rows.compactMap { row in
                try database.cachedStatement("SELECT * FROM note WHERE row = ?").row([row]).map { try self.store.summary(database, $0) }
            }
        }
    }
}
