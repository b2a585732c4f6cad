// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import TextMerge
internal import VaultCore
internal import VaultFormat
internal import VaultCrypto

/// `Session` is what the agent holds: nothing, a vault that was looked at, one that is being made, or one that is open.
///
/// ```
/// empty ──probe──▶ probed ──unlock──▶ open ──lock, timeout, signal──▶ empty (the process ends)
///   └───create──▶ prepared ──commit──▶ made ──unlock──▶ open
/// ```
final class Session {
    enum State {
        case empty
        case probed(VaultProbe)
        case prepared(VaultCreation)
        case made(MadeVault)
        case open(OpenVault)
        /// It is being repaired by a job, which gives it back.
        case lent
    }

    /// A password's size in bytes (docs/format.md §6).
    static let passwordByteCounts = 1...4096
    private(set) var state = State.empty
    private(set) var timer: LockTimer?
    /// Whether a vault was opened here.
    private var hasBegun = false
    private var newKeysSince = 0.0
    /// Set when an unlock asked the agent to stay and listen.
    private(set) var vaultIDToServe: [UInt8]?
    /// What to compare with another device, when this account has not seen the vault before (ThreatModel A07).
    private(set) var firstSight: String?

    /// Other clients than one; the server sets it.
    var others: (Connection) -> [Connection] = { _ in [] }
    let edits = EditRegistry()
    let handles = NoteHandles()
    let noteAttempts = NoteAttempts()
    var relocks = NoteRelocks()
    /// What goes over remotes.
    let syncing = Syncing()
    private var noteTimers = NoteTimers()

    var isEmpty: Bool {
        if case .empty = state { true } else { false }
    }

    var store: OpenVault? {
        guard case .open(let store) = state else { return nil }
        return store
    }

    var isRepairing: Bool {
        if case .lent = state { true } else { false }
    }

    private func beginSyncing(_ store: OpenVault, isAutomatic: Bool) {
        syncing.areKeysBusy = { [unowned self] in keyJobRuns }
        // Another device may have given a note a password.
        syncing.roundEnded = { [unowned self] in
            guard let store = self.store, !store.isReadOnly else { return }
            for _ in 0..<10 where (try? store.attachments.removePending()) != true { break }
            if !hasWordsToRemove { lookForWords() }
        }
        syncing.begin(store, isAutomatic: isAutomatic)
    }

    /// Lends the vault to a repair, and ends what else works in it.
    func lend() {
        state = .lent
        syncing.end()
        wordRemoval = nil
        rotation = nil
        chainReading.end()
    }

    /// Takes the vault back from a repair that has ended; without a vault there is nothing more to serve.
    func takeBack(_ store: OpenVault?) {
        guard let store else {
            (state, timer, vaultIDToServe) = (.empty, nil, nil)
            return
        }
        state = .open(store)
        chainReading.begin(store)
        beginSyncing(store, isAutomatic: vaultIDToServe != nil)
        guard !store.isReadOnly else { return }
        lookForWords()
        resumeRotation()
    }

    func probe(_ wanted: ProbeVault) throws(VaultError) -> VaultProbe {
        try requireUnused()
        let probe = try VaultProbe(
            path: wanted.directory, acceptRollback: wanted.acceptRollback, acceptLoss: wanted.acceptLoss)
        state = .probed(probe)
        return probe
    }

    /// An agent opens one vault in its life: another one would get the timers, the socket and the clients of the first.
    private func requireUnused() throws(VaultError) {
        guard !hasBegun, store == nil, !isRepairing else { throw VaultError(.busy) }
    }

    /// Tries a credential on the probed vault. A wrong one is answered later each time.
    func unlock(_ options: UnlockVault, secret: consuming SecretBytes) throws(VaultError) {
        guard case .probed(let probe) = state else { throw VaultError(.noVault) }
        probe.takesOver = options.takesOver
        let attempts = AttemptLog(vaultID: probe.identity.name)
        // Before the key is derived: who hangs up after a failure waits as long as who does not.
        pause(attempts.secondsToWait())
        do throws(VaultError) {
            let isFirst = !probe.isKnownHere
            probe.triesDearKeyslots = options.triesDearKeys
            let store = try OpenVault(probe, CredentialBox.parse(options.credential, secret).credential)
            if isFirst {
                let copy = store.header.copyID.map { ", copy \($0.hex)" } ?? ""
                firstSight =
                    "first seen here: vault \(store.header.vaultID.hex)\(copy), generation \(try store.notes.counts().generation), fingerprint \(try store.fingerprint())"
            }
            attempts.succeeded()
            state = .open(store)
        } catch {
            if error.code == .wrongPassword { attempts.failed() }
            throw error
        }
        begin(options)
    }

    /// Opens the vault that was made just now; no credential is needed once more.
    func openMade(_ options: UnlockVault) throws(VaultError) {
        guard case .made(let made) = state else { throw VaultError(.newKeysForgotten) }
        do throws(VaultError) { state = .open(try made.open()) } catch {
            // Its keys are of no use any more, but while a command has it open for a moment.
            if error.code != .busy { state = .empty }
            throw error
        }
        begin(options)
    }

    private func begin(_ options: UnlockVault) {
        hasBegun = true
        timer = LockTimer(
            idleSeconds: Double(options.idleSeconds), maxSeconds: Double(options.maxSeconds), now: BootClock.seconds,
            slept: BootClock.sleptSeconds)
        noteTimers.idleSeconds = Double(options.noteIdleSeconds)
        if options.stays { vaultIDToServe = store?.header.identity.name }
        if let store, options.stays { chainReading.begin(store) }
        if let store { beginSyncing(store, isAutomatic: options.stays) }
        // Last, and never a reason to keep anybody from the notes.
        if let store, !store.isReadOnly {
            try? store.drafts.sweep()
            for _ in 0..<50 where (try? store.attachments.removePending()) != true { break }
            lookForWords()
            resumeRotation()
            edits.lookAtAll(store)
        }
    }

    /// Prepares a vault; returns the recovery key's text to show once.
    func create(_ options: CreateVault, password: consuming SecretBytes) throws(VaultError) -> SecretBytes? {
        try requireUnused()
        guard Self.passwordByteCounts.contains(password.byteCount) else { throw VaultError(.empty) }
        let cost = try KeyWork.cost(options.kdfTargetMilliseconds)
        let creation = try VaultCreation(
            path: options.directory, password: password, cost: cost, withRecoveryKey: options.withRecoveryKey,
            targetMilliseconds: options.kdfTargetMilliseconds)
        state = .prepared(creation)
        newKeysSince = BootClock.seconds
        return creation.recoveryText()
    }

    func commitCreation(typed: consuming SecretBytes, pins: PinStore = PinStore()) throws(VaultError) {
        guard case .prepared(let creation) = state else { throw VaultError(.newKeysForgotten) }
        guard creation.isConfirmed(by: typed) else { throw VaultError(.recoveryMismatch) }
        state = .made(try creation.commit(pins: pins))
        newKeysSince = BootClock.seconds
    }

    /// Returns the seconds until the keys of a vault that is being made are forgotten; nil when there are none.
    func newKeysSecondsLeft(now: Double) -> Double? {
        switch state {
        case .prepared, .made: max(0, newKeysSince + PendingKeys.secondsMax - now)
        case .empty, .probed, .open, .lent: nil
        }
    }

    /// Whether the open vault's time is over. Somebody who writes is there, but only as long as the longest time
    /// allows.
    var isOver: Bool {
        if edits.holdsOpen(now: BootClock.seconds) { requestServed() }
        return timer?.isOver(now: BootClock.seconds, slept: BootClock.sleptSeconds) ?? false
    }

    /// Forgets a new vault's keys when their time is over: somebody may have gone away before the recovery key was
    /// typed back. Locks the private notes that nobody has used for long enough; somebody who writes in one uses it.
    func forgetUnused(now: Double) {
        if newKeysSecondsLeft(now: now) == 0 { state = .empty }
        guard let store else { return }
        let used = store.privateNotes.takeUsed().union(edits.notesInUse(now: now))
        for note in noteTimers.over(unlocked: store.privateNotes.unlocked, used: used, now: now) {
            store.privateNotes.relock(note)
        }
    }

    /// Words of notes that became private, when the one who asked for that did not wait for their end; also after a
    /// crash.
    private var wordRemoval: WordRemoval?
    var hasWordsToRemove: Bool { wordRemoval != nil }

    func lookForWords() {
        guard let store, !store.isReadOnly, (try? store.privateNotes.hasWordsLeft()) == true else { return }
        wordRemoval = WordRemoval(store)
    }

    /// Does a little of that, while nobody else waits.
    func removeWords(whileIdle isIdle: Bool) {
        guard isIdle, let removal = wordRemoval else { return }
        if (try? removal.step()) != true { wordRemoval = nil }
    }

    /// Whether words were put off because many notes came at once. An agent for one command leaves them to the next
    /// unlock.
    var hasWordsToIndex: Bool { vaultIDToServe != nil && store.map { $0.mayHaveUnindexed && !$0.isReadOnly } == true }

    /// Brings some of them into the search table.
    func indexWords() {
        guard let store else { return }
        if (try? store.search.indexWords()) == nil { store.giveUpIndexing() }
    }

    /// The vault's chain, read once after each unlock.
    var chainReading = ChainReading()

    /// Whether a credential is being tried. One is at a time: many connections must not be a way around the waiting.
    var keyJobRuns = false

    /// A rotation after its commit; nil when none is under way.
    private(set) var rotation: RotationDriver?
    /// Clients that wait for its end.
    var rotationWatchers = 0

    /// Goes on with a rotation that is under way, also with one that stood still.
    func resumeRotation() {
        guard let store, store.isRotating, !store.isReadOnly, rotation == nil || rotation?.failure != nil else {
            return
        }
        rotation = RotationDriver(store)
    }

    /// Drives a rotation that has just been committed.
    func beginRotation() {
        guard let store else { return }
        rotation = RotationDriver(store)
    }

    /// Whether a rotation has work that somebody waits for: an agent for one command does not work on anything else.
    var rotationHasWork: Bool { (vaultIDToServe != nil || rotationWatchers > 0) && rotation?.hasWork == true }

    /// Does a little of it; at its end nobody knows of it any more but who waits.
    ///
    /// - Returns: whether something was perhaps written.
    func continueRotation() -> Bool {
        guard vaultIDToServe != nil || rotationWatchers > 0, let driver = rotation else { return false }
        let hasWritten = driver.step()
        if driver.isDone && rotationWatchers == 0 { rotation = nil }
        return hasWritten
    }

    /// Returns the seconds until `forgetUnused` may have something to do; nil when nothing is kept for a time.
    func secondsToForget(now: Double) -> Double? { newKeysSecondsLeft(now: now) ?? noteTimers.remaining(now: now) }

    func requestServed() { timer?.requestServed(now: BootClock.seconds) }

    /// Closes the vault; its keys are wiped with it.
    func close() throws(VaultError) {
        guard let store else { return }
        state = .empty
        syncing.end()
        wordRemoval = nil
        rotation = nil
        chainReading.end()
        timer = nil
        vaultIDToServe = nil
        try store.close()
    }
}
