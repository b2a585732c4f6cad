// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `ProbeJob` serves `vault remote add`, `test` and `set`: tries the remote, and keeps it, or what opens it now, when
/// it did what was asked.
final class ProbeJob: Job {
    private let store: OpenVault
    private let session: Session
    private let settings: RemoteSettings
    private let link: RemoteLink
    private let probe: RemoteProbe?
    private let secret: PasswordBox?
    private let adding: AddRemote?
    private let setting: SetRemote?
    private let stored: StoredRemote?
    private let name: String
    /// What opens the remote instead of what was given: told while it was tried.
    private var renewed: PasswordBox?

    init(adding: AddRemote, _ settings: RemoteSettings, _ secret: borrowing SecretBytes, _ work: RequestContext) {
        (store, session, self.settings) = (work.store, work.session, settings)
        (self.adding, setting, stored, name) = (adding, nil, nil, adding.name)
        let box = PasswordBox(secret.duplicate())
        self.secret = box
        link = RemoteLink(settings, creates: true) { box.secret.duplicate() }
        link.signsIn = adding.signsIn
        // In the first epoch all cards are of the one key that there is.
        let sealer = work.store.header.epoch > 1 ? try? work.store.segmentSealer() : nil
        probe = try? RemoteProbe(
            link,
            isPresent: sealer.map { sealer in
                { name, bytes in
                    guard let remote = RemoteName(listed: name.text, in: .cards) else { return false }
                    return ((try? sealer.openCard(bytes, named: remote)) ?? nil) != nil
                }
            })
        session.syncing.watch(link)
        listen()
    }

    init(testing row: StoredRemote, _ settings: RemoteSettings, _ work: RequestContext) {
        (store, session, self.settings) = (work.store, work.session, settings)
        (adding, setting, secret, stored, name) = (nil, nil, nil, row, row.name)
        let store = work.store
        link = RemoteLink(settings) { try? store.remotes.credential(of: row.name) }
        probe = try? RemoteProbe(link)
        session.syncing.watch(link)
        listen()
    }

    private func listen() {
        link.whenCredential = { [unowned self] secret in renewed = PasswordBox(secret) }
    }

    init(
        setting: SetRemote, _ row: StoredRemote, _ settings: RemoteSettings, _ secret: borrowing SecretBytes,
        _ work: RequestContext
    ) {
        (store, session, self.settings) = (work.store, work.session, settings)
        (adding, self.setting, stored, name) = (nil, setting, row, row.name)
        let box = PasswordBox(secret.duplicate())
        self.secret = box
        link = RemoteLink(settings) { box.secret.duplicate() }
        link.signsIn = setting.signsIn
        probe = try? RemoteProbe(link)
        session.syncing.watch(link)
        listen()
    }

    deinit {
        link.end()
        session.syncing.unwatch(link)
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let probe else { return VaultError(.libraryFailed).outcome }
        link.step()
        guard let result = probe.result else { return nil }
        switch result {
        case .failure(let reason):
            return Outcome(
                reason.code == .local ? .other : .network,
                "the remote cannot be used: \(reason.words)"
                    + (adding == nil && setting == nil ? "" : "; nothing was changed"),
                hint: hint(reason))
        case .success: break
        }
        // There may be cards of the key of before, and a vault that waits for their devices waits for ever.
        if stored == nil, store.header.epoch > 1, !probe.cardNames.isEmpty, !probe.hasPresentCard {
            return Outcome(
                .conflict, "the remote has only what was sent before the vault's key was changed",
                hint: "vault sync now on the device that changed it, or name an empty place")
        }
        do throws(VaultError) {
            var reply = TriedRemote()
            reply.remote = RemoteRow(try kept(probe))
            reply.deviceCount = probe.cardNames.count
            (reply.listsAtOnce, reply.milliseconds) = (probe.listsAtOnce, probe.milliseconds)
            reply.letsRemove = settings.isAppendOnly && probe.hasRemoved
            connection.reply(reply)
            return Outcome(.ok)
        } catch { return error.code == .exists ? AddRemote.isTaken(setting?.newName ?? name) : error.outcome }
    }

    private func hint(_ reason: StoreFailure) -> String {
        switch (reason.code, settings.place) {
        case (.missing, .folder): "make the folder first: mkdir DIR"
        case (.signedOut, _) where adding == nil && setting == nil: "vault remote login \(name)"
        case (.signedOut, .rclone): "rclone config reconnect NAME: signs in again; then this once more"
        case (.signedOut, _): "the code counts once, and for some minutes: begin again"
        case (.noProgram, _): "install rclone 1.75.1 or newer: https://rclone.org/install/"
        default: "vault remote test, or see vault help remote"
        }
    }

    private func kept(_ probe: RemoteProbe) throws(VaultError) -> StoredRemote {
        let box = renewed ?? secret
        let credential = box.map { box in unsafe box.secret.withUnsafeBytes { raw in unsafe Array(raw) } } ?? []
        if let stored {
            guard let setting else {
                if renewed != nil {
                    try store.remotes.change(stored.name, credentials: credential)
                    session.syncing.reload(stored.name)
                }
                return stored
            }
            let newName = setting.newName.isEmpty ? stored.name : setting.newName
            // Something else of it may have changed while it was tried.
            let row = try store.remotes.stored().first { $0.name == stored.name }
            var settings = (row.flatMap { try? RemoteSettings(parsing: $0.settings) }) ?? settings
            if case .rclone = settings.place { settings.signedIn = Machine.now }
            if setting.appendOnly != 0 { settings.isAppendOnly = setting.appendOnly == 2 }
            try store.remotes.change(
                stored.name, name: newName, settings: settings.encoded, credentials: credential)
            session.syncing.reload(stored.name)
            return try store.remotes.stored().first { $0.name == newName } ?? stored
        }
        guard let device = try? SecureRandom.bytes(16) else { throw VaultError(.libraryFailed) }
        let epoch = store.header.epoch
        var engine = SyncEngine(state: SyncState(new: device, epoch: epoch))
        // In a later epoch the device that comes first says all that is true in it; others wait for that.
        if epoch > 1, probe.cardNames.isEmpty, settings.point == nil {
            _ = engine.step(.speakFirst, now: Machine.now / 1000, fresh: Identifier(bytes: device))
        }
        let row = try store.remotes.add(
            RemoteEntry(name: name, settings: settings.encoded, credentials: credential, state: engine.state.encoded),
            readsFirst: !probe.cardNames.isEmpty)
        session.syncing.load(newborn: name)
        return row
    }
}
