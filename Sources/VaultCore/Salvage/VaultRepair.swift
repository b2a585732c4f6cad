// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// Repairs a vault from what is left of it: small files from their copies, the index from its own pages.
///
/// The vault is checked first, and nothing is changed where nothing is wrong. The index is never mended in place: a new
/// one is written beside it, synced, and put in its place, and the damaged one is kept under another name
/// (`IndexSwitch`). Its owner may use it on another thread, but on one at a time, and nobody else may use the vault
/// meanwhile.
///
/// ```swift
/// let repair = try VaultRepair(probe, credential)  // or of an open vault
/// let report = try repair.run { stage, done, total in true }
/// let vault = try repair.open()
/// ```
public final class VaultRepair: @unchecked Sendable {
    /// A `Stage` says what a repair is doing.
    public enum Stage: String, Sendable {
        case checking, reading, writing
    }

    /// A `GoesOn` is asked now and then whether to go on.
    public typealias GoesOn = (_ stage: Stage, _ done: UInt64, _ total: UInt64) -> Bool

    private var vault: OpenVault?
    private let directory: VaultDirectory
    private var header: Header
    private let keys: VaultKeys
    private let opened: OpenedKeyslot
    private let pins: PinStore
    private let acceptsRollback: Bool
    private var report = RepairReport()
    private var isClosed = false
    private var unlockedCount = 0
    /// What tells other machines that the vault is in use here, from the first look to the last.
    private let lease: Lease?
    private var lastBeat = ContinuousClock.now

    /// Takes a vault that is open; it may no longer be used by anybody else.
    public init(_ vault: OpenVault) {
        self.vault = vault
        (directory, header, keys) = (vault.directory, vault.header, vault.keys)
        (opened, pins, acceptsRollback) = (vault.openedKeyslot, vault.pins, false)
        unlockedCount = vault.privateNotes.unlocked.count
        lease = vault.watch.lease
    }

    /// Unlocks a vault that may be impossible to open.
    ///
    /// - Throws: `VaultError.wrongPassword` while no slot has opened, `.integrity` when the header is damaged, `.busy`,
    ///   `.heldElsewhere`, `.rollback`, and any other reason except damage that keeps it from being opened.
    public init(_ probe: VaultProbe, _ credential: borrowing Credential) throws(VaultError) {
        try probe.directory.lock()
        do throws(VaultError) {
            try probe.takeLease()
            try probe.look()
            (header, keys, opened) = try probe.unlock(credential)
            lease = probe.lease
            (directory, pins, acceptsRollback) = (probe.directory, probe.pins, probe.acceptsRollback)
            // What opening mends is looked at before.
            report.mended = Self.damagedCopies(in: directory, header)
            do throws(VaultError) {
                vault = try OpenVault(probe: probe, header: header, keys: keys, opened: opened)
            } catch {
                guard error.code == .integrity else { throw error }
            }
        } catch {
            probe.giveBack()
            throw error
        }
    }

    deinit {
        guard !isClosed else { return }
        if let vault { try? vault.close() } else { lease?.release() }
        directory.unlock()
    }

    /// Repairs what is damaged.
    ///
    /// - Throws: `VaultError.noRoom` and `.nothingLeft` before anything is changed, `.cancelled`, `.readOnly`,
    ///   `.saveFailed`; then the vault is as it was, or repaired already. `.takenOver` when another machine has taken
    ///   the vault meanwhile.
    public func run(_ asked: @escaping GoesOn) throws(VaultError) -> RepairReport {
        let goesOn: GoesOn = { [self] stage, done, total in
            beat()
            return asked(stage, done, total)
        }
        if let vault {
            if report.mended.isEmpty { report.mended = Self.damagedCopies(in: directory, header) }
            if !report.mended.isEmpty { try vault.current.mendCopies(vault.keys) }
            let problems = try Self.problems(of: vault, goesOn)
            // Another index would not bring back what lies in other files.
            guard problems == nil || problems?.contains(where: { Self.isOfIndex($0.kind) }) == true else {
                report.remaining = problems ?? []
                return report
            }
            guard !vault.isReadOnly else { throw VaultError(.readOnly, systemError: vault.refusal) }
            guard !vault.isFrozen else { throw VaultError(.exportRuns) }
            self.vault = nil
            header = vault.header
            try vault.letGo()
        }
        try VaultError.translating { try makeAnew(goesOn) }
        let again = try reopened()
        vault = again
        report.remaining = try Self.problems(of: again, goesOn) ?? [CheckProblem(kind: .structure, noteID: nil)]
        return report
    }

    /// Opens the vault again.
    ///
    /// - Throws: what keeps it from being opened.
    public func open() throws(VaultError) -> OpenVault {
        let open: OpenVault
        if let vault { open = vault } else { open = try reopened() }
        (vault, isClosed) = (nil, true)
        for note in open.privateNotes.unlocked where report.isRebuilt { open.privateNotes.relock(note) }
        return open
    }

    private func reopened() throws(VaultError) -> OpenVault {
        let probe = try VaultProbe(directory: directory, pins: pins, acceptRollback: acceptsRollback)
        probe.lease = lease
        return try OpenVault(probe: probe, header: header, keys: keys, opened: opened)
    }

    private func beat() {
        guard let lease, lastBeat.duration(to: .now) >= .seconds(Lease.secondsBetweenBeats) else { return }
        lastBeat = .now
        lease.beat()
    }

    // MARK: What is wrong

    private static func damagedCopies(in directory: VaultDirectory, _ header: Header) -> [String] {
        HeaderFile.names.filter { name in
            (try? directory.read(name, byteCountMax: UnverifiedHeader.byteCountMax)) != header.encoded
        }
    }

    /// Checks the vault.
    ///
    /// - Returns: nil when the check itself ends at what it cannot read.
    private static func problems(of vault: OpenVault, _ goesOn: GoesOn) throws(VaultError) -> [CheckProblem]? {
        let check = VaultCheck(vault)
        do throws(VaultError) {
            while try check.step() {
                let (done, total) = check.progress
                guard goesOn(.checking, done, total) else { throw VaultError(.cancelled) }
            }
        } catch {
            guard error.code == .integrity else { throw error }
            return nil
        }
        return check.report.problems
    }

    private static func isOfIndex(_ kind: CheckProblem.Kind) -> Bool {
        switch kind {
        case .page, .oldPage, .structure, .chain, .revisionMissing, .revisionUnknown, .revisionUnreadable,
            .projection, .words, .counters, .spare, .lists:
            true
        case .headerCopy, .draft, .attachmentUnreadable, .attachmentMissing, .strangeFile: false
        }
    }

    // MARK: The index

    private func makeAnew(_ goesOn: @escaping GoesOn) throws {
        let change = IndexSwitch(directory: directory, epoch: header.epoch, lease: lease)
        // A missing file would be read as an empty one. It may only be somewhere else: a salvage leaves its place free.
        let name = IndexFile.name(epoch: header.epoch)
        let log = directory.byteCount(name + "-wal")
        guard directory.identity(name) != nil else { throw VaultError(.nothingLeft, found: log > 0 ? log : nil) }
        try requireRoom()
        let index = try read(goesOn)
        let manifests = SalvagedIndex.manifests(in: directory, header, keys)
        let last = manifests.max { $0.generation < $1.generation }
        let pin = pins.pin(of: header.identity).flatMap { $0.epoch == header.epoch ? $0.generation : nil }
        let seen = max(last?.generation ?? 0, pin ?? 0)
        tell(index, last == nil && pin == nil ? nil : seen)
        let generation = max(seen, index.state?.generation ?? 0)
        guard generation < UInt64(Int64.max) else { throw VaultError(.integrity) }
        let pageCount: UInt32
        do {
            let writer = try SalvagedIndexWriter(index, in: directory, name: change.newName) {
                goesOn(.writing, $0, $1)
            }
            pageCount = try writer.run(generation: generation + 1)
            (report.notes, report.revisions) = (writer.noteCount, index.revisions.found.count)
        } catch {
            directory.remove(change.newName)
            directory.remove(change.newName + "-wal")
            throw error
        }
        let file = ManifestFile(directory, keys: keys, header: header)
        let fitting = try announcing(generation, pageCount, over: last)
        if manifests.isEmpty { report.mended += ManifestFile.names }
        try change.requireOurs()
        // A repair may lose entries: what the pin knows of the chain is not to keep its owner out.
        pins.forgetChain(of: header.identity)
        try file.write(fitting.naming(header))
        try change.commit()
        report.kept = try change.finish()
        try change.requireOurs()
        try file.write(
            Manifest(
                generation: generation + 1, pageCount: pageCount,
                logSalt: SecureRandom.bytes(Manifest.logSaltByteCount), syncedByteCount: 0, isOpen: false
            ).naming(header))
        (report.isRebuilt, report.relocked) = (true, unlockedCount)
    }

    /// Reads all that is left of the index.
    private func read(_ goesOn: GoesOn) throws -> SalvagedIndex {
        let index = try SalvagedIndex(in: directory, header, keys)
        while index.step() {
            guard goesOn(.reading, index.progress.done, index.progress.total) else { throw VaultError(.cancelled) }
        }
        guard index.state != nil || index.entries.count > 0 || !index.revisions.found.isEmpty else {
            throw VaultError(.nothingLeft)
        }
        return index
    }

    /// Makes a manifest that fits the old index and the new one, and announces the latter (`IndexSwitch`): the old log
    /// stays what it is.
    private func announcing(_ generation: UInt64, _ pageCount: UInt32, over last: Manifest?) throws -> Manifest {
        var fitting =
            try last
            ?? Manifest(
                generation: generation, pageCount: pageCount,
                logSalt: SecureRandom.bytes(Manifest.logSaltByteCount), syncedByteCount: 0, isOpen: true)
        fitting.generation = generation
        fitting.pageCount = min(fitting.pageCount, pageCount)
        (fitting.isOpen, fitting.syncedByteCount) = (true, 0)
        // The map is of the old one's pages; the next opening makes that of the new one's.
        fitting.map = nil
        return fitting
    }

    /// Puts into the report what of the index is lost.
    ///
    /// - Parameter seen: what manifests and the pin vouch for; nil when there is neither.
    private func tell(_ index: SalvagedIndex, _ seen: UInt64?) {
        report.loss = index.loss
        report.lostPages = index.pages.lostPageCount + index.pages.lostFrames + index.cutPageCount
        report.oldPages = index.pages.oldPageCount
        report.logIsLost = index.pages.logIsLost || index.pages.endIsLost
        report.endIsUnknown = !index.knowsEnd(seen: seen)
        // What is vouched for is newer than all that is there: it was put back, or its end is lost. Counters of an
        // older page do not say how much.
        guard let seen, let state = index.state, state.generation < seen,
            !state.isOlder || state.sequence >= UInt64(index.history?.kept.count ?? 0)
        else { return }
        report.lostChanges = seen - state.generation
    }

    /// Refuses to go on without room for the new index, which is not larger than the old one by more than a little.
    private func requireRoom() throws(VaultError) {
        let name = IndexFile.name(epoch: header.epoch)
        let needed = Self.roomNeeded(directory.byteCount(name), log: directory.byteCount(name + "-wal"))
        let free = directory.freeByteCount
        guard free >= needed else { throw VaultError(.noRoom, found: free, expected: needed) }
    }

    /// Returns how many bytes a new index may need. Anybody who can write in the folder may make a file whose size is a
    /// lie.
    static func roomNeeded(_ index: UInt64, log: UInt64) -> UInt64 {
        let byteCount = min(index, byteCountMax) + min(log, byteCountMax)
        return byteCount + byteCount / 8 + spareByteCount
    }

    private static let byteCountMax: UInt64 = 1 << 60
    private static let spareByteCount: UInt64 = 1 << 20
}

extension OpenVault {
    /// Closes the index and leaves the files as they are, under the lock that it has: another one is to take its place.
    func letGo() throws(VaultError) {
        try? recordProgress()
        try VaultError.translating { try database.close() }
    }
}
