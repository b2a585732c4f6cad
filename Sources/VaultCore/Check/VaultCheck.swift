// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import SearchText
internal import VaultCrypto
internal import VaultFormat

/// A `VaultCheck` reads everything back and compares: pages, chain, revisions, lists, words, counters. It works in
/// steps of a few milliseconds, so that other requests are served between them; what is compared is of one moment,
/// whatever they write.
public final class VaultCheck {
    public internal(set) var report = CheckReport()
    let vault: OpenVault
    var phase = Phase.headers
    private var moment: CheckMoment?
    /// Whether there is no moment to read: the tables are read as they are now.
    private var hasNoMoment = false
    var seen = Seen()
    /// How long a step takes: it ends at the first row after this, so that long notes take no longer than short ones.
    static let stepDuration = Duration.milliseconds(8)
    /// Largest log that is emptied before pages are read, in bytes: a longer one keeps others waiting.
    private static let emptiedLogByteCountMax: UInt64 = 4 << 20

    /// `Seen` is what was read so far, to be compared at the end.
    struct Seen {
        var ledger = RevisionLedger()
        var walk = EntryWalk()
        var chains = EntryChains()
        /// Whether the chain was read to its end; else it says nothing of what must be there.
        var ledgerIsWhole = true
        /// Revisions, or rows of the list, lie on pages that do not open.
        var (lostRevisions, lostNotes, lostAttachments) = (false, false, false)
        /// Notes with a revision that is missing or does not open.
        var damaged: Set<NoteID> = []
        var counts = NoteCounts()
        var (tags, links, otherHeads, texts, unindexed) = (0, 0, 0, 0, 0)
        var (books, bookNotes, bookDays, bookChapters) = (0, 0, 0, 0)
        /// Attachments that notes name, until they are seen.
        var attachments: [AttachmentID: NoteID] = [:]
    }

    enum Phase {
        case headers, structure, files, done
        case pages(next: UInt32)
        case entries
        case revisions(after: Int64)
        case notes(after: Int64)
        case attachments(after: Int64)
        case content(AttachmentCheck, after: Int64)
    }

    public init(_ vault: OpenVault) { self.vault = vault }

    /// Pages, entries, revisions and notes that were read so far; the total is 0, since it is not known.
    public var progress: (done: UInt64, total: UInt64) {
        (UInt64(report.pages + report.entries + report.revisions + report.notes), 0)
    }

    /// Does a little more; returns false when all is done.
    ///
    /// - Throws: `VaultError` when reading itself fails; what is only wrong goes into the report.
    public func step() throws(VaultError) -> Bool {
        if let moment, !moment.isOfTheKeys(of: vault) { startAgain() }
        return try advance()
    }

    /// Begins again: a rotation has changed the keys, or dropped the old one, and rows from before open no more.
    private func startAgain() {
        moment = nil
        seen = Seen()
        (report.entries, report.revisions, report.notes) = (0, 0, 0)
        report.lostTexts = [:]
        report.remove { ![.headerCopy, .page, .oldPage].contains($0.kind) }
        phase = .structure
    }

    func read<Value>(_ body: (ReadAccess) throws -> Value) throws(VaultError) -> Value {
        guard let moment, !hasNoMoment else { return try vault.read(body) }
        return try moment.read { try body(self.vault.access($0)) }
    }

    /// Reads what the vault holds now, from within a `read`.
    ///
    /// - Parameter index: what that `read` was lent. Without a moment it is the vault's own, which is not lent twice.
    func readNow<Value>(beside index: ReadAccess, _ body: (ReadAccess) throws -> Value) throws -> Value {
        guard moment == nil || hasNoMoment else { return try vault.read(body) }
        return try body(index)
    }

    private func advance() throws(VaultError) -> Bool {
        switch phase {
        case .headers: try checkFiles()
        case .pages(let next): try checkPages(from: next)
        case .structure: try checkStructure()
        case .entries: try checkEntries()
        case .revisions(let after): try checkRevisions(after: after)
        case .notes(let after): try checkNotes(after: after)
        case .attachments(let after): try checkAttachment(after: after)
        case .content(let content, let after):
            if !content.step(vault, into: &report) { phase = .attachments(after: after) }
        case .files:
            do throws(VaultError) { try AttachmentCheck.checkFiles(vault, into: &report) } catch {
                guard error.isDamageOfPages else { throw error }
                // Which files are whose is not known, so none is touched.
                if report.problems.isEmpty { found(.structure) }
            }
            report.foreign = try vault.checks.foreignNames()
            report.authentic = vault.checks.authentic(among: report.foreign)
            phase = .done
        case .done: return false
        }
        return true
    }

    private func checkAttachment(after row: Int64) throws(VaultError) {
        let next: (content: AttachmentCheck?, row: Int64)?
        do throws(VaultError) { next = try AttachmentCheck.next(vault, after: row, into: &report) } catch {
            guard error.isDamageOfPages else { throw error }
            return try skipAttachments(after: row)
        }
        guard let (content, last) = next else { return try endAttachments() }
        phase = content.map { .content($0, after: last) } ?? .attachments(after: last)
    }

    func found(_ kind: CheckProblem.Kind, _ note: NoteID? = nil, _ attachment: AttachmentID? = nil) {
        report.add(kind, note, attachment)
    }

    private func checkFiles() throws(VaultError) {
        let bytes = vault.header.encoded
        for name in HeaderFile.names {
            let copy = try? vault.directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax)
            if copy != bytes { found(.headerCopy) }
        }
        if let known = try? vault.read({ try KnownHeader.fetch($0.database) }), try !known.isReached(by: vault.header) {
            found(.headerCopy)
        }
        if !ManifestFile(vault.directory, keys: vault.keys, header: vault.header).isWholeTwice { found(.spare) }
        if !vault.isReadOnly, !vault.isFrozen, vault.logByteCount < Self.emptiedLogByteCountMax {
            do throws(VaultError) { try vault.startNewLog(isOpen: true) } catch {
                guard error.isDamageOfPages else { throw error }
                found(.structure)
            }
        }
        phase = .pages(next: 1)
    }

    /// Checks every page in the file, free ones too: a foreign or altered page shows even where no table uses it.
    private func checkPages(from first: UInt32) throws(VaultError) {
        let storage = vault.database.storage
        // With a log of before that cannot be emptied, pages that it replaces may be torn and are not read from the
        // file anyway.
        let total = vault.isReadOnly && storage.logByteCount > 0 ? 0 : storage.pageCount
        var number = first
        while number <= total, number < first + 500 {
            switch storage.state(ofPage: number) {
            case .whole: break
            case .old: report.add(.oldPage, page: number)
            case .damaged: found(.page)
            }
            report.pages += 1
            number += 1
        }
        phase = number > total ? .structure : .pages(next: number)
    }

    private func checkStructure() throws(VaultError) {
        guard let moment else {
            do throws(VaultError) { moment = try CheckMoment(vault) } catch {
                guard error.isDamageOfPages else { throw error }
                hasNoMoment = true
                found(.structure)
                phase = .entries
            }
            return
        }
        guard let verdict = moment.structure.verdict(within: Self.stepDuration) else { return }
        // What could not be read then was not damaged.
        try moment.requireWhole()
        if let failure = verdict.failure, [.system, .cancelled].contains(failure.code) { throw failure }
        if !verdict.isSound { found(.structure) }
        if !verdict.sparesFit { found(.spare) }
        if !verdict.listsAreReadable { found(.lists) }
        if !verdict.wordsAreReadable { found(.words) }
        phase = .entries
    }

    /// Returns how many rows an index may have at most, for a search behind pages that do not open.
    func rowsEnd() -> Int64 {
        let state = try? read { try IndexState.fetch($0.database) }
        let entryCount = max(state?.sequence ?? 1 << 20, UInt64(clamping: report.entries))
        return Int64(min(entryCount, 1 << 40)) * 16 + 4096
    }

    func finish() throws(VaultError) {
        let state = try? read { try IndexState.fetch($0.database) }
        if state.map({ $0.counts != seen.counts }) ?? true, !seen.lostNotes { found(.counters) }
        if seen.ledger.contradictsItself { found(.chain) }
        try checkDrafts()
        // Each note's own are there; a row more is nobody's. What could not be counted was found with the tables.
        try moment?.requireWhole()
        let stored = moment?.structure.verdict(within: .zero)?.rowCounts
        let expected = [
            seen.tags, seen.links, seen.otherHeads, seen.texts, seen.unindexed, seen.books, seen.bookNotes,
            seen.bookDays, seen.bookChapters,
        ]
        if let stored, stored != expected, !seen.lostNotes, seen.damaged.isEmpty { found(.projection) }
        if seen.ledgerIsWhole { for note in seen.ledger.notesWithoutRow { found(.projection, note) } }
        for note in seen.damaged {
            if let damage = try? vault.history.damage(of: note) { report.lostTexts[note] = .some(damage.newest) }
        }
        vault.damagedNotes = Set(report.lostTexts.keys)
        moment = nil
        phase = .attachments(after: 0)
    }
}
