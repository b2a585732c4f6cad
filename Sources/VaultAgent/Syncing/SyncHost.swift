// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

internal import struct SyncEngine.Entry

/// `SyncHost` syncs an open vault over one remote: tells the engine what happens, and does what it asks for, in its
/// order.
///
/// What is written down is written before what follows from it is asked for, so a crash repeats work and skips none
/// (docs/decisions/0045-sync-engine.md). It works in steps, within the agent's loop.
final class SyncHost {
    let store: OpenVault
    let name: String
    let settings: RemoteSettings
    let surroundings: SyncSurroundings
    let link: any StoreLink
    let sealers: RemoteSealers
    /// What is kept of the epoch before, while devices come over from it.
    let former: FormerEpoch?
    var cards: CardReader
    let joining: Joining
    let objects: ObjectCarrying
    let sealing: AttachmentSealing
    let pairing: PairingWatch
    /// What devices say over other remotes of this one.
    let claims = Claims()
    /// The hosts of the vault's other remotes; the agent sets it.
    var siblings: () -> [SyncHost] = { [] }
    /// The last segment in this session that had entries and that the store has acknowledged.
    var lastWithEntries: UInt64 = 0
    /// Up to which segments of other remotes this device has said here that they are stored, and when by the boot's
    /// clock.
    var said: (numbers: [Identifier: UInt64], at: Double) = ([:], 0)
    /// Entries that were here at some time, by the boot's clock: what of others nobody has said here since is told.
    var othersKnown: (entries: [VaultFormat.DeviceID: UInt64], since: Double)?
    var engine: SyncEngine
    var hasBegun = false
    var isRestored: Bool
    /// This device was made in this session, and has said nothing.
    private var isNewborn: Bool
    var effects: ArraySlice<Effect> = []
    /// The last position that the engine was told of.
    var told: UInt64 = 0
    var transactionsSeen: UInt64?
    var keyslotsSeen: UInt64?
    /// Passwords or keys that another device has changed count here too since the session began.
    var hasTakenKeys = false
    /// The password of before opens the vault here, since the one that counts needs more memory than there is.
    var keepsUnfitKeys = false
    /// A round is under way: until nothing is left to be read or sent.
    var isRunning = false
    var wantsAnother = false
    /// This round reads what is new.
    private(set) var isLooking = true
    /// When devices were looked for, by the boot's clock.
    private var listed = 0.0
    /// They were, in this round.
    private var hasListed = false
    /// How many rounds that read were begun.
    private(set) var lookNumber = 0
    func mustList() { listed = 0 }
    var answersAtFlush = -1
    let header = HeaderSending()
    /// Whether somebody changes passwords or keys at this moment.
    var areKeysBusy: () -> Bool = { false }
    let sweep: HeaderSweep
    let removal: ObjectRemoval
    var alarms: [Alarm] = []
    var problems: Set<SyncProblem> = []
    /// Why this vault could not be written; ends the round.
    var failure: VaultError?
    /// Entries since the session began.
    var sentCount = 0
    var receivedCount = 0
    /// Entries in segments that were sealed and that no store has acknowledged.
    var sealedCounts: [Place: Int] = [:]
    /// When segments were sealed that were opened and not taken over yet, by their writers' clocks.
    var heard: [Place: Int64] = [:]
    /// Segments that were asked for and have not come.
    var coming: Set<Place> = []
    /// Whether segments that are here wait for one of these, and since when.
    private(set) var isAwaiting = false
    var heldSince: Double?
    /// The name in the remote under which this device has said who it is.
    var introduced: Identifier?
    var log: RoundLog
    /// How far this device has said that it has read; nil until that is asked.
    var lastWords: LastWords?
    /// Something is to be said that is no entry.
    var mustSpeak = false
    /// The owner wants this device to say what was true when the epoch began.
    var wantsToSpeakFirst = false
    private var countsAtRound = (sent: 0, received: 0)
    private(set) var synced: Int64
    private var syncedOnDisk: Int64
    /// The vault holds nothing: what its other devices have removed cannot be removed here.
    private(set) var wasEmpty: Bool
    private static let stepSeconds = 0.02

    /// Makes the host of a stored remote; nil for a remote of another vault, as a copy has them of the vault that it is
    /// a copy of.
    ///
    /// - Throws: `VaultError.integrity` for a row that no program writes, `.newerFormat`, `.libraryFailed`.
    init?(
        _ store: OpenVault, _ row: StoredRemote, _ surroundings: SyncSurroundings = .processes, isNewborn: Bool = false
    ) throws(VaultError) {
        guard let settings = try? RemoteSettings(parsing: row.settings) else { throw VaultError(.newerFormat) }
        guard settings.vault == store.header.identity.name else { return nil }
        let state: SyncState
        do throws(StateError) { state = try SyncState(parsing: row.state) } catch {
            throw VaultError(error == .unknownVersion ? .newerFormat : .integrity)
        }
        (self.store, name, self.settings, self.surroundings) = (store, row.name, settings, surroundings)
        pairing = PairingWatch(settings.point)
        log = RoundLog(row.name)
        engine = SyncEngine(state: state)
        sealers = try RemoteSealers(store)
        former = try store.rotation.formerEpoch()
        cards = CardReader(sealers)
        joining = Joining(store, surroundings.comparison)
        (isRestored, self.isNewborn) = (row.isRestored, isNewborn)
        (synced, syncedOnDisk) = (row.synced, row.synced)
        // What was here when the session began has had its time before.
        if try store.remotes.areSeveral() { othersKnown = (try store.remotes.known(), -.infinity) }
        wasEmpty = try store.history.entryCount() > 0 ? false : Self.isEmpty(store)
        let name = row.name
        link = surroundings.link(settings, false) { try? store.remotes.credential(of: name) }
        if let link = link as? RemoteLink {
            link.whenCredential = { secret in
                let bytes = unsafe secret.withUnsafeBytes { raw in unsafe Array(raw) }
                try? store.remotes.change(name, credentials: bytes)
            }
        }
        sweep = HeaderSweep(link)
        removal = ObjectRemoval(store, link, sealers)
        objects = ObjectCarrying(store, link, sealers.current.names)
        sealing = AttachmentSealing(store)
        // Nothing was kept of that epoch: it cannot be ended.
        if sealers[state.epoch] == nil { problems.insert(.rotated) }
    }

    /// The epoch of which this host has the keys. After a rotation there is another host.
    var epoch: UInt32 { sealers.current.names.epoch }

    /// What stands in the way of a round, whatever the remote does. A rotation ends here before it ends there.
    var isBlocked: Bool { problems.contains(.rotated) || store.isReadOnly || store.isRotating || isPaused }

    /// Whether this vault has the next epoch's key, and the remote is still in the one before.
    var isBehind: Bool { engine.state.epoch < epoch }

    // MARK: Rounds

    /// Begins to read what is new and to send what there is, unless that is under way.
    func begin(_ kind: SyncRound = .all) {
        guard !isBlocked else { return }
        // What is under way may have asked already for what is new only now.
        guard !isRunning else { return wantsAnother = true }
        isRunning = true
        isLooking = kind != .send || !hasBegun
        if isLooking { lookNumber += 1 }
        failure = nil
        answersAtFlush = -1
        hasListed = false
        countsAtRound = (sentCount, receivedCount)
        log.begin(forked: try? store.syncLog.forkedCount(), joined: joining.joinedCount, sent: sentCount)
        link.forgetFailure()
        objects.beginRound()
        sealing.beginRound()
        sweep.beginRound()
        removal.beginRound()
        let isFirst = !hasBegun
        if isFirst {
            hasBegun = true
            handle(isRestored ? .restored : isNewborn ? .born : .started)
            (isRestored, isNewborn) = (false, false)
            if let next = nextHeader { handle(.rotate(next)) }
        }
        guard isLooking else { return }
        guard isFirst || kind == .all || BootClock.seconds - listed > 300 else { return look() }
        listCards { [unowned self] in
            hasListed = link.failure == nil
            guard link.failure?.code != .timedOut else { return }
            if hasListed { listed = BootClock.seconds }
            for epoch in [engine.state.epoch, engine.state.epoch - 1] where sealers[epoch] != nil {
                handle(.listed(epoch, cards.devices(of: epoch).map { Identifier(bytes: $0) }))
            }
            look()
        }
    }

    private func look() { handle(.poll(live: (try? store.notes.counts().notes[.live]) ?? 0)) }

    /// Does a little: at most about 20 ms, or one transaction.
    ///
    /// - Returns: whether something was perhaps written.
    func step() -> Bool {
        link.step()
        let end = BootClock.seconds + Self.stepSeconds
        var hasWritten = false
        do throws(VaultError) {
            isAwaiting = false
            while BootClock.seconds < end, !isAwaiting {
                isAwaiting = awaitsMore()
                guard !isAwaiting, let effect = effects.popFirst() else { break }
                if try perform(effect) { hasWritten = true }
            }
            if effects.isEmpty { if try joining.step() { hasWritten = true } }
            if isRunning, isQuiet { try goOn() }
        } catch { fail(error) }
        return hasWritten
    }

    var isQuiet: Bool { effects.isEmpty && link.isIdle && joining.isIdle }

    /// Sends more when nothing is under way, as long as anything comes of it.
    private func goOn() throws(VaultError) {
        // A store that hangs would take as long for each thing that is asked of it: the next round tries again.
        if link.failure?.code == .timedOut { return try endRound() }
        try settlePairing()
        let isMet = pairing.isMet(engine.state)
        // Before that, nothing but a card is said.
        if isMet {
            try introduce()
            try settleKeyslots()
            // What others have said here is not said again: it is read before anything is told.
            if synced > 0 || isLooking && link.failure == nil { try tellNew() }
            guard isQuiet, !speaksFirst() else { return }
            speakAfterSilence()
        }
        if isMet, !engine.isIdle || mustSpeak, link.answeredCount != answersAtFlush {
            answersAtFlush = link.answeredCount
            handle(.flush(heartbeat: mustSpeak))
            if effects.contains(where: { if case .seal = $0 { true } else { false } }) { mustSpeak = false }
            guard isQuiet else { return }
        }
        // Texts first.
        if link.failure == nil, try objects.bring() || objects.putAgain() { return }
        if try sealing.step() { return }
        if isLooking, link.failure == nil, isWhole, try tellOthers() {
            // What has positions now is sealed and sent in this round.
            answersAtFlush = -1
            return
        }
        // The only device, whose header was never changed, has none there of before.
        let isFirstOfAll = store.header.counter == 1 && engine.state.chains.isEmpty
        if link.failure == nil, isSynced, !isFirstOfAll, header.hasSent(store.header.counter) {
            let haveAllCome = awaited.isEmpty && !isBehind
            sweep.begin(try HeaderSending.Object(store.header), haveAllCome: haveAllCome) { [store] bytes, name in
                store.superseded(bytes, named: name, haveAllCome: haveAllCome)
            }
            guard isQuiet else { return }
            if try raiseCounter() { return }
        }
        if link.failure == nil, isSynced {
            try noteWhatAllHaveRead()
            // Whoever speaks for the first time is waited for too.
            let haveAllCome = awaited.isEmpty && !isBehind && !problems.contains(.endedTwice)
            if hasListed, try removal.step(over: name, haveAllCome: haveAllCome) { return }
        }
        try endRound()
    }

    private func endRound() throws(VaultError) {
        isRunning = false
        if isLooking, link.failure == nil, isWhole { settleClaims() }
        try store.syncLog.add(
            log.end(
                forked: try? store.syncLog.forkedCount(), joined: joining.joinedCount, sent: sentCount, link.failure))
        guard link.failure == nil else { return wantsAnother = false }
        if wantsAnother {
            wantsAnother = false
            return begin()
        }
        guard isLooking else { return }
        wasEmpty = false
        guard isSynced else { return }
        synced = Machine.now
        let isNews = countsAtRound != (sentCount, receivedCount)
        guard isNews || synced - syncedOnDisk > 3_600_000 else { return }
        try store.remotes.noteSynced(name)
        syncedOnDisk = synced
    }
}
