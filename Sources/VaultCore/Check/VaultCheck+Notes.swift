// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import VaultFormat

/// This extension checks the lists: each note's row, tags, links and words are those of its revision.
extension VaultCheck {
    func checkNotes(after row: Int64) throws(VaultError) {
        var last: Int64? = row
        do throws(VaultError) {
            let rows = try read { index in
                try Row.fetchAll(
                    index.database, sql: "SELECT * FROM note WHERE row > ? ORDER BY row LIMIT 100", arguments: [row])
            }
            var reached = row
            defer { last = rows.isEmpty ? nil : reached }
            if !rows.isEmpty { try check(rows, after: &reached) }
        } catch {
            guard error.isDamageOfPages else { throw error }
            last = try checkNoteBehindDamage(after: last ?? row)
        }
        if let last { phase = .notes(after: last) } else { try finish() }
    }

    /// Checks one note's row at or behind a page that does not open.
    private func checkNoteBehindDamage(after last: Int64) throws(VaultError) -> Int64? {
        let (found, hasLost) = try next("note", "row", after: last)
        if hasLost { seen.lostNotes = true }
        guard let found else { return nil }
        let whole = try? read { index in
            try Row.fetchOne(index.database, sql: "SELECT * FROM note WHERE row = ?", arguments: [found])
        }
        guard let whole else {
            seen.lostNotes = true
            return found
        }
        var reached = found - 1
        try? check([whole], after: &reached)
        return found
    }

    /// Checks some rows of the list, until the step has taken its time.
    ///
    /// - Parameter last: the row before them; then the last that was looked at.
    private func check(_ rows: [Row], after last: inout Int64) throws(VaultError) {
        let clock = ContinuousClock()
        let end = clock.now + Self.stepDuration
        var reached = last
        defer { last = reached }
        try read { index in
            var words = WordCheck(after: reached)
            for row in rows {
                // Of a sound table they rise; where an old page leads back the check would never end.
                guard try row.integer("row") > reached else { throw VaultError(.integrity) }
                self.check(index, row, &words)
                reached = try row.integer("row")
                if words.isFull { self.report(&words, rows, index) }
                if clock.now >= end { break }
            }
            self.report(&words, rows, index)
        }
    }

    private func report(_ words: inout WordCheck, _ rows: [Row], _ index: ReadAccess) {
        guard let wrong = try? words.wrongRows(index.database) else { return found(.words) }
        for number in wrong {
            let note = rows.first { (try? $0.integer("row")) == number }.flatMap { try? NoteID(try $0.bytes("id")) }
            found(.words, note)
        }
    }

    private func check(_ index: ReadAccess, _ row: Row, _ words: inout WordCheck) {
        report.notes += 1
        guard let id = try? NoteID(try row.bytes("id")), let number = try? row.integer("row") else {
            seen.lostNotes = true
            return found(.lists)
        }
        guard let place = (try? row.integer("place")).flatMap({ NotePlace(rawValue: $0) }) else {
            words.pass(number)
            return found(.projection, id)
        }
        seen.counts[place] += 1
        guard let shown = shown(index, id) else {
            // A private note has none, whether it can be read or not.
            if (try? index.isPrivate(id)) == true { words.add(number, nil) } else { words.pass(number) }
            return
        }
        let record = shown.note.record
        seen.tags += Set(record.tags.map { TagKey.bytes($0) }).count
        seen.links += NoteLinks(record).targets.count
        seen.otherHeads += shown.others.count
        let text = NoteText(record)
        // Always asked, since it notes that this note has a row.
        let areHeads = seen.ledger.areHeads(shown: shown.head, others: shown.others, of: id) || !seen.ledgerIsWhole
        if (try? Projection.fits(index.database, row, shown.note, text)) != true || !areHeads {
            found(.projection, id)
        }
        checkAttachments(index, id, shown.note)
        let isIndexed = place.isSearched && !shown.note.isPrivate
        let isPutOff = isIndexed && (try? index.isUnindexed(number)) == true
        if isPutOff { seen.unindexed += 1 }
        if place == .book, let book = record.book {
            seen.books += 1
            seen.bookDays += ReadingDays(book).days.count
            seen.bookChapters += book.chapters.count
        }
        if place.isSearched, record.bookPlace != nil { seen.bookNotes += 1 }
        words.add(number, isIndexed && !isPutOff ? text.indexed : nil)
        if !shown.note.isPrivate { seen.texts += 1 }
    }

    /// Returns what the lists should have of a note; nil where that cannot be said, which is a problem then.
    private func shown(
        _ index: ReadAccess, _ id: NoteID
    ) -> (note: ProjectedNote, head: RevisionID, others: [RevisionID])? {
        guard let head = try? index.headID(of: id) else {
            found(.projection, id)
            return nil
        }
        let others = try? index.otherHeadIDs(of: id)
        guard let note = try? index.projected(id, head) else {
            let areHeads = seen.ledger.areHeads(shown: head, others: others ?? [], of: id) || !seen.ledgerIsWhole
            // Of a note that is known to be damaged nothing else is known to be wrong. Of another one the revision was
            // there, unless some were not reached: then what leads to it is damaged.
            if !areHeads {
                found(.projection, id)
            } else if !seen.damaged.contains(id), seen.ledgerIsWhole || !seen.lostRevisions {
                found(.lists, id)
            } else if !seen.damaged.contains(id) {
                foundDamage(.revisionUnreadable, id)
            }
            return nil
        }
        if others == nil { found(.projection, id) }
        return (note, head, others ?? [])
    }

    /// Checks that the attachments which a note names are there; of a locked note nobody knows which they are.
    private func checkAttachments(_ index: ReadAccess, _ id: NoteID, _ shown: ProjectedNote) {
        let full = shown.isPrivate ? (try? index.head(of: id))?.record : shown.record
        for attachment in full?.attachments ?? [] {
            do {
                let row = try index.database.cachedStatement("SELECT 1 FROM attachment WHERE id = ? AND note = ?")
                    .row([attachment.bytes.blob, id.bytes.blob])
                if row == nil { found(.attachmentMissing, id) } else { seen.attachments[attachment] = id }
            } catch { found(.attachmentUnreadable, id, attachment) }
        }
    }

    /// Goes on behind a page of the attachments' table that does not open.
    func skipAttachments(after last: Int64) throws(VaultError) {
        let (next, hasLost) = try next("attachment", "rowid", after: last)
        seen.lostAttachments = true
        guard let next else { return try endAttachments() }
        // It is looked at itself then, unless it has been: it is there, and what it holds is not.
        phase = .attachments(after: hasLost ? next - 1 : next)
    }

    /// Names the attachments whose rows do not open: the notes know which there are.
    func endAttachments() throws(VaultError) {
        phase = .files
        guard seen.lostAttachments else { return }
        var isNamed = false
        for (attachment, note) in seen.attachments {
            let row = try? vault.read { index in
                try Row.fetchOne(
                    index.database, sql: "SELECT object, sealed FROM attachment WHERE id = ?",
                    arguments: [attachment.bytes.blob])
            }
            guard row == nil else { continue }
            isNamed = true
            found(.attachmentUnreadable, note, attachment)
        }
        // Of an older revision, or of a note that is locked.
        if !isNamed { found(.attachmentUnreadable) }
    }

    /// Reads all drafts and their texts. Where their rows cannot be read, that is a problem of the drafts.
    func checkDrafts() throws(VaultError) {
        do throws(VaultError) {
            let count = try vault.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM draft") ?? 0 }
            let drafts = try vault.drafts.all()
            if drafts.count != count { found(.draft) }
            for draft in drafts where try vault.drafts.withText(draft).isDamaged { found(.draft, draft.start.note) }
        } catch {
            guard error.isDamageOfPages else { throw error }
            found(.draft)
        }
    }
}
