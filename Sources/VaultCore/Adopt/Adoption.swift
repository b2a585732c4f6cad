// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultFormat

/// `Adoption` does the work of `vault adopt`: it takes over what another copy of the vault has and this one lacks, some
/// notes at a time. Each step is durable; `undo` takes all of it back together. What is here already is not written
/// again, so it can be started again after a crash, and changes nothing the second time.
///
/// ```swift
/// let adoption = Adoption(vault, other, dryRun: false)
/// while !adoption.isDone { if case .copying(let files) = try adoption.step() { files.run { _ in true } } }
/// ```
public final class Adoption {
    public enum Step {
        case more
        /// Files are to be copied, on another thread if the caller has one; then it goes on.
        case copying(AdoptedFiles)
    }

    private enum Phase {
        case own, watched, notes, done
        case choosing(next: Int)
        case telling([NoteID], next: Int)
    }

    public private(set) var report = AdoptionReport()
    let vault: OpenVault
    let other: OtherCopy
    let isTrial: Bool
    private let group = ChangeGroup(.adopt)
    var own: OwnHistory
    private var phase = Phase.own
    /// Notes of the other copy that are still to be taken over.
    private var left: [NoteID] = []
    /// What they are called here.
    private var watched: Set<NoteID> = []
    private var next = 0
    private var waiting: AdoptedFiles?
    private static let stepNotes = 50
    /// Notes that nothing is written of, in one step.
    private static let lookCount = 1000
    private static let stepByteCount = 8 << 20

    /// Prepares the work; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - other: whose index was read.
    ///   - dryRun: only says what would be taken over, and what the other copy lacks.
    public init(_ vault: OpenVault, _ other: OtherCopy, dryRun: Bool) {
        self.vault = vault
        self.other = other
        isTrial = dryRun
        own = OwnHistory { other.names($0) }
    }

    public var isDone: Bool {
        if case .done = phase { return true }
        return false
    }

    /// How many notes are done, and how many there are.
    public var progress: (done: UInt64, total: UInt64) { (UInt64(next), UInt64(left.count)) }

    /// Does a little more.
    ///
    /// - Throws: `VaultError.readOnly`, `.saveFailed`, `.integrity`, `.attachmentsChanged`; what was saved before
    ///   stays.
    public func step() throws(VaultError) -> Step {
        switch phase {
        case .own:
            if try !readOwn() { phase = .choosing(next: 0) }
        case .choosing(let next): try choose(from: next)
        case .watched:
            if try !readOwn() { phase = .notes }
        case .notes:
            if let step = try takeNotes() { return step }
            try finish()
            phase = .telling(own.changedHere.sorted { $0.text < $1.text }, next: 0)
        case .telling(let notes, let next): try tell(notes, from: next)
        case .done: break
        }
        return .more
    }

    private func readOwn() throws(VaultError) -> Bool { try vault.read { try own.read($0) } }

    /// Chooses the notes that have revisions which are not here.
    private func choose(from first: Int) throws(VaultError) {
        let end = min(first + Self.lookCount, other.notes.count)
        try VaultError.translating {
            for note in other.notes[first..<end] {
                let entries = other.revisions[note] ?? []
                guard try entries.contains(where: { try !own.target(of: $0.revisionID, note).isKnown }) else {
                    if own.purges[note] != nil { report.purgedHereCount += 1 } else { report.unchangedCount += 1 }
                    continue
                }
                left.append(note)
                watched.insert(try own.target(of: note))
            }
        }
        phase = end < other.notes.count ? .choosing(next: end) : .watched
        if end == other.notes.count { own.watch(watched) }
    }

    /// Takes over the next notes, or returns files that are to be copied first.
    ///
    /// - Returns: nil when all notes are done.
    private func takeNotes() throws(VaultError) -> Step? {
        if let files = waiting {
            if let failure = files.failure { throw failure }
            waiting = nil
            try take([left[next]], files)
            return .more
        }
        guard next < left.count else { return nil }
        var batch: [NoteID] = []
        while batch.count < Self.stepNotes, next + batch.count < left.count {
            let note = left[next + batch.count]
            if let files = try missingFiles(of: note) {
                // It comes alone, when its files are there.
                guard batch.isEmpty else { break }
                waiting = files
                return .copying(files)
            }
            batch.append(note)
        }
        try take(batch, nil)
        return .more
    }

    /// Takes over as many notes as one transaction may have; a note that cannot be taken over is reported and stops no
    /// other.
    private func take(_ batch: [NoteID], _ files: AdoptedFiles?) throws(VaultError) {
        do throws(VaultError) {
            var taken: [Taken] = []
            if isTrial {
                taken = try vault.read { index in
                    try batch.map { try self.decide($0, files, index).taken }
                }
            } else {
                taken = try vault.change(group) { transaction in try self.write(batch, files, transaction) }
                if let files, taken.first?.kind != nil {
                    for file in files.files where file.sealed != nil { file.object.keep() }
                }
            }
            for one in taken { note(one) }
            next += taken.count
        } catch {
            let isOfNote = error.isDamageOfPages || error.code == .tooLarge || error.code == .noRevision
            guard isOfNote else { throw error }
            guard batch.count == 1, let note = batch.first else {
                for note in batch { try take([note], nil) }
                return
            }
            let reason = error.code == .noRevision ? AdoptionReport.Reason.damagedThere : .damagedHere
            refuse(note, error.code == .tooLarge ? .tooManyVersions : reason)
            next += 1
        }
    }

    private func write(_ batch: [NoteID], _ files: AdoptedFiles?, _ transaction: Transaction) throws -> [Taken] {
        // In the transaction: what is decided is of this moment.
        try own.catchUp(transaction)
        var (taken, byteCount): ([Taken], Int) = ([], 0)
        for note in batch where byteCount < Self.stepByteCount {
            let decision = try decide(note, files, transaction)
            if let plan = decision.plan { byteCount += try transaction.adopt(plan, decision, files, self) }
            taken.append(decision.taken)
        }
        return taken
    }

    private func note(_ taken: Taken) {
        let source = taken.note
        if let reason = taken.refusal { return refuse(source, reason) }
        report.revisionCount += taken.revisionCount
        report.attachmentCount += taken.attachmentCount
        // Also of a note from which nothing came: its damaged text may be what is missing here.
        defer {
            if taken.hasLostFiles { refuse(source, .attachmentLost) }
            if other.lost[source]?.contains(where: { !own.made.contains($0) }) == true {
                refuse(source, .damagedThere)
            }
        }
        guard let kind = taken.kind else { return report.unchangedCount += 1 }
        var entry = AdoptionReport.Note(id: source, kind: kind, title: other.title(of: source))
        if kind == .comesBack { entry.newID = taken.target }
        report.notes.append(entry)
    }

    private func refuse(_ note: NoteID, _ reason: AdoptionReport.Reason) {
        report.notes.append(
            AdoptionReport.Note(id: note, kind: .refused, reason: reason, title: other.title(of: note)))
    }

    /// Adds to the report what is known only at the end.
    private func finish() throws(VaultError) {
        let seen = Set(left)
        for note in other.lost.keys.sorted(by: { $0.text < $1.text }) where !seen.contains(note) {
            if other.lost[note]?.contains(where: { !own.made.contains($0) }) == true { refuse(note, .damagedThere) }
        }
        report.missingEntryCount = other.missingEntryCount
        report.knowsEnd = other.damaged.knowsEnd
        report.damagedPageCount = other.index.pages.lostPageCount
        report.isOfOlderKey = other.isOfOlderKey
        try vault.read { index in
            report.draftCount = try other.openDrafts.count { draft in
                try index.database.cachedStatement("SELECT 1 FROM draft WHERE id = ?").row([draft.bytes.blob]) == nil
            }
            report.purgedThereCount = try other.purged.count { try index.isPresent($0) }
        }
    }

    /// Adds to the report the notes that have revisions which the other copy lacks.
    private func tell(_ notes: [NoteID], from first: Int) throws(VaultError) {
        let end = min(first + Self.lookCount / 10, notes.count)
        try vault.read { index in
            for note in notes[first..<end] where try index.isPresent(note) {
                let summary = try? index.summary(of: note)
                report.onlyHere.append(
                    AdoptionReport.Note(
                        id: note, kind: other.revisions[note] == nil ? .added : .updated, title: summary?.title))
            }
        }
        phase = end < notes.count ? .telling(notes, next: end) : .done
    }
}
