// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import SearchText
internal import VaultCrypto
internal import VaultFormat

/// Reads everything back and compares: pages, chain, revisions, lists, words, counters. In steps of a few milliseconds,
/// so that other requests are served between them; what is compared is of one moment, whatever they write.
public final class VaultCheck {
    public private(set) var report = CheckReport()
    private let vault: OpenVault
    private var phase = Phase.headers
    private var moment: CheckMoment?
    private var ledger = RevisionLedger()
    private var counts = NoteCounts()
    private var (tags, links, otherHeads, texts) = (0, 0, 0, 0)
    /// A step ends at the first row behind this, so that long notes take no longer than short ones.
    private static let stepDuration = Duration.milliseconds(8)
    /// A log that is emptied before pages are read, in bytes: a longer one keeps others waiting.
    private static let emptiedLogByteCountMax: UInt64 = 4 << 20

    private enum Phase {
        case headers, structure, files, done
        case pages(next: UInt32)
        case chain(after: Int64, previous: [UInt8])
        case revisions(after: Int64)
        case notes(after: Int64)
        case attachments(after: Int64)
        case content(AttachmentCheck, after: Int64)
    }

    public init(_ vault: OpenVault) { self.vault = vault }

    /// Entries and notes are counted on the way; this is how many steps of the whole are behind us, in promille.
    public var progress: (done: UInt64, total: UInt64) {
        (UInt64(report.pages + report.entries + report.revisions + report.notes), 0)
    }

    /// Does a little more; false when all is done.
    ///
    /// - Throws: `VaultError` when reading itself fails; what is only wrong goes into the report.
    public func step() throws(VaultError) -> Bool {
        if let moment, !moment.isOfTheKeys(of: vault) { startAgain() }
        return try advance()
    }

    /// A rotation has changed the keys, or dropped the old one: rows of before open no more.
    private func startAgain() {
        moment = nil
        ledger = RevisionLedger()
        counts = NoteCounts()
        (tags, links, otherHeads, texts) = (0, 0, 0, 0)
        (report.entries, report.revisions, report.notes) = (0, 0, 0)
        report.problems.removeAll { [.headerCopy, .page].contains($0.kind) == false }
        phase = .structure
    }

    private func read<Value>(_ body: (ReadAccess) throws -> Value) throws(VaultError) -> Value {
        guard let moment else { return try vault.read(body) }
        return try moment.read { try body(self.vault.access($0)) }
    }

    private func advance() throws(VaultError) -> Bool {
        switch phase {
        case .headers: try checkFiles()
        case .pages(let next): try checkPages(from: next)
        case .structure: try checkStructure()
        case .chain(let after, let previous): try checkChain(after: after, previous: previous)
        case .revisions(let after): try checkRevisions(after: after)
        case .notes(let after): try checkNotes(after: after)
        case .attachments(let after): try checkAttachment(after: after)
        case .content(let content, let after):
            if !content.step(vault, into: &report) { phase = .attachments(after: after) }
        case .files:
            try AttachmentCheck.checkFiles(vault, into: &report)
            report.foreign = try vault.checks.foreignNames()
            phase = .done
        case .done: return false
        }
        return true
    }

    private func checkAttachment(after row: Int64) throws(VaultError) {
        let next = try AttachmentCheck.next(vault, after: row, into: &report)
        guard let (content, last) = next else {
            phase = .files
            return
        }
        phase = content.map { .content($0, after: last) } ?? .attachments(after: last)
    }

    private func found(_ kind: CheckProblem.Kind, _ note: NoteID? = nil) { report.add(kind, note) }

    private func checkFiles() throws(VaultError) {
        let bytes = vault.header.encoded
        for name in HeaderFile.names {
            let copy = try? vault.directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax)
            if copy != bytes { found(.headerCopy) }
        }
        if !ManifestFile(vault.directory, keys: vault.keys, header: vault.header).isWholeTwice { found(.spare) }
        if !vault.isReadOnly, !vault.isFrozen, vault.logByteCount < Self.emptiedLogByteCountMax {
            try vault.startNewLog(isOpen: true)
        }
        phase = .pages(next: 1)
    }

    /// Every page in the file, free ones too: a foreign or altered page shows even where no table uses it.
    private func checkPages(from first: UInt32) throws(VaultError) {
        let storage = vault.database.storage
        // With a log of before that cannot be emptied, pages that it replaces may be torn and are not read from the
        // file anyway.
        let total = vault.isReadOnly && storage.logByteCount > 0 ? 0 : storage.pageCount
        var number = first
        while number <= total, number < first + 500 {
            if !storage.pageIsAuthentic(number) { found(.page) }
            report.pages += 1
            number += 1
        }
        phase = number > total ? .structure : .pages(next: number)
    }

    private func checkStructure() throws(VaultError) {
        guard let moment else {
            moment = try CheckMoment(vault)
            return
        }
        guard let verdict = moment.structure.verdict(within: Self.stepDuration) else { return }
        // What could not be read then was not damaged.
        try moment.requireWhole()
        if let failure = verdict.failure { throw failure }
        if !verdict.isSound { found(.structure) }
        if !verdict.sparesFit { found(.spare) }
        phase = .chain(after: 0, previous: Entry.firstPrevious)
    }

    private func checkChain(after sequence: Int64, previous: [UInt8]) throws(VaultError) {
        var link = previous
        var last = sequence
        let rows = try read { index in
            try Row.fetchAll(
                index.database,
                sql: "SELECT sequence, bytes FROM entry WHERE device = ? AND sequence > ? ORDER BY sequence LIMIT 1000",
                arguments: [index.device.blob, sequence])
        }
        for row in rows {
            guard let bytes = try? row.bytes("bytes"), let number = try? row.integer("sequence"),
                let entry = try? Entry(parsing: bytes),
                entry.previous == link, entry.sequence == UInt64(clamping: last + 1),
                number == last + 1, entry.device == vault.device
            else {
                found(.chain)
                phase = .revisions(after: 0)
                return
            }
            ledger.add(entry)
            report.entries += 1
            last = number
            link = try VaultError.translating { try Digest.sha256(bytes) }
        }
        if rows.isEmpty {
            let state = try read { try IndexState.fetch($0.database) }
            if state.chain != link || state.sequence != UInt64(clamping: last) { found(.chain) }
            phase = .revisions(after: 0)
        } else {
            phase = .chain(after: last, previous: link)
        }
    }

    private func checkRevisions(after row: Int64) throws(VaultError) {
        let clock = ContinuousClock()
        let end = clock.now + Self.stepDuration
        let last = try read { index in
            // One after the other: a hundred of them may be a gigabyte.
            let rows = try Row.fetchCursor(
                index.database,
                sql: "SELECT rowid, id, note, sealed FROM revision WHERE rowid > ? ORDER BY rowid LIMIT 100",
                arguments: [row])
            var last: Int64?
            while last == nil || clock.now < end, let row = try rows.next() {
                try self.checkRevision(row, index)
                last = row["rowid"]
            }
            return last
        }
        guard let last else {
            for note in ledger.missing() { found(.revisionMissing, note) }
            phase = .notes(after: 0)
            return
        }
        phase = .revisions(after: last)
    }

    private func checkRevision(_ row: Row, _ index: ReadAccess) throws {
        report.revisions += 1
        guard let revision = try? RevisionID(try row.bytes("id")), let note = try? NoteID(try row.bytes("note")) else {
            return found(.revisionUnreadable)
        }
        if !ledger.takeSeen(revision, of: note) { found(.revisionUnknown, note) }
        if !revisionIsSound(row, note, revision, index) { found(.revisionUnreadable, note) }
    }

    /// Whether it opens as far as there are keys, and is sealed the way its note is.
    private func revisionIsSound(_ row: Row, _ note: NoteID, _ revision: RevisionID, _ index: ReadAccess) -> Bool {
        guard let opened = try? index.records.openOuter(try row.bytes("sealed"), note: note, revision: revision),
            (try? index.isPrivate(note)) == opened.isPrivate
        else { return false }
        guard case .sealedInside(let outer) = opened, let keys = index.records.keyring[note]?.keys else { return true }
        // Its password may have been changed since that moment: then these keys are of another inner layer.
        guard (try? index.sealedKeyslot(of: note)) == (try? vault.read { try $0.sealedKeyslot(of: note) }) else {
            return true
        }
        return (try? index.records.open(outer, keys)) != nil
    }

    private func checkNotes(after row: Int64) throws(VaultError) {
        let clock = ContinuousClock()
        let end = clock.now + Self.stepDuration
        let next: Int64? = try read { index in
            let rows = try Row.fetchAll(
                index.database, sql: "SELECT * FROM note WHERE row > ? ORDER BY row LIMIT 100", arguments: [row])
            guard !rows.isEmpty else { return nil }
            var words = WordCheck(after: row)
            var last = row
            for row in rows {
                // Of a sound table they rise; where an old page leads back the check would never end.
                guard try row.integer("row") > last else { throw VaultError(.integrity) }
                last = try row.integer("row")
                try self.check(index, row, &words)
                if words.isFull { try self.report(words.wrongRows(index.database), rows) }
                if clock.now >= end { break }
            }
            try self.report(words.wrongRows(index.database), rows)
            return last
        }
        guard let next else { return try finish() }
        phase = .notes(after: next)
    }

    private func report(_ wrong: [Int64], _ rows: [Row]) {
        for number in wrong {
            found(.words, try? rows.first { try $0.integer("row") == number }.map { try NoteID(try $0.bytes("id")) })
        }
    }

    private func check(_ index: ReadAccess, _ row: Row, _ words: inout WordCheck) throws {
        report.notes += 1
        let id = try NoteID(try row.bytes("id"))
        let number = try row.integer("row")
        guard let place = NotePlace(rawValue: try row.integer("place")) else {
            words.pass(number)
            return found(.projection, id)
        }
        counts[place] += 1
        guard let head = try? index.headID(of: id), let shown = try? index.projected(id, head),
            let others = try? index.otherHeadIDs(of: id)
        else {
            // A private note has none, whether it can be read or not.
            if (try? index.isPrivate(id)) == true { words.add(number, nil) } else { words.pass(number) }
            return found(.projection, id)
        }
        let record = shown.record
        tags += Set(record.tags.map { TagKey.bytes($0) }).count
        links += NoteLinks(record).targets.count
        otherHeads += others.count
        let text = NoteText(record)
        // Always asked, since it notes that this note has a row.
        let areHeads = ledger.areHeads(shown: head, others: others, of: id)
        if (try? Projection.fits(index.database, row, shown, text)) != true || !areHeads { found(.projection, id) }
        // What a note names must be there; of a locked one nobody knows.
        let full = shown.isPrivate ? (try? index.head(of: id))?.record : record
        let statement = try index.database.cachedStatement("SELECT 1 FROM attachment WHERE id = ? AND note = ?")
        for attachment in full?.attachments ?? []
        where try statement.row([attachment.bytes.blob, id.bytes.blob]) == nil {
            found(.attachmentMissing, id)
        }
        words.add(number, place.isSearched && !shown.isPrivate ? text.indexed : nil)
        if !shown.isPrivate { texts += 1 }
    }

    private func finish() throws(VaultError) {
        let state = try read { try IndexState.fetch($0.database) }
        if state.counts != counts { found(.counters) }
        if ledger.namesARevisionTwice { found(.chain) }
        let draftCount = try vault.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM draft") ?? 0 }
        let drafts = try vault.drafts.all()
        if drafts.count != draftCount { found(.draft) }
        for draft in drafts where try vault.drafts.withText(draft).isDamaged { found(.draft, draft.start.note) }
        // Each note's own are there; a row more is nobody's. What could not be counted was found with the tables.
        try moment?.requireWhole()
        let stored = moment?.structure.verdict(within: .zero)?.rowCounts
        if let stored, stored != [tags, links, otherHeads, texts] { found(.projection) }
        for note in ledger.notesWithoutRow { found(.projection, note) }
        moment = nil
        phase = .attachments(after: 0)
    }
}
