// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let remotes: [any Handled.Type] = [
        AddRemote.self, ListRemotes.self, TestRemote.self, RemoveRemote.self, SyncNow.self, SyncStatus.self,
    ]
}

extension AddRemote: Handled {
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        guard !work.store.isReadOnly else { throw VaultError(.readOnly, systemError: work.store.refusal) }
        let known = try work.store.remotes.stored()
        guard !known.contains(where: { $0.name == name }) else { return Self.isTaken(name) }
        guard known.count < Self.countMax else {
            return Outcome(
                .conflict, "this vault has \(known.count) remotes, and cannot have more", hint: "vault remote rm NAME"
            )
        }
        let settings: RemoteSettings
        switch settingsOrRefusal(of: work.store.header.identity) {
        case .success(let made): settings = made
        case .failure(let refusal): return refusal.outcome
        }
        guard let credential = work.connection.credential(secret, for: settings.place, signsIn: signsIn) else {
            return .noSignIn
        }
        // Two names for one place would be two devices there.
        let isThere = known.contains { row in
            guard let other = try? RemoteSettings(parsing: row.settings) else { return false }
            return other.words == settings.words
        }
        guard !isThere else {
            return Outcome(.conflict, "this vault has that place as a remote already", hint: "vault remote ls")
        }
        return work.start(ProbeJob(adding: self, settings, credential, work))
    }

    /// Each is a process while it is synced.
    private static let countMax = 8

    static func isTaken(_ name: String) -> Outcome {
        Outcome(.conflict, "there is already a remote '\(name)'", hint: "vault remote ls; --name gives another name")
    }

    /// Returns whether a remote can be called so.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                    || "-_.".utf8.contains(byte)
            }
    }

    static func isNoName(hint: String) -> Outcome {
        Outcome(.usage, "a remote's name has letters, digits, '-', '_' and '.'", hint: hint)
    }

    private struct Refusal: Error { let outcome: Outcome }

    private func settingsOrRefusal(of identity: VaultIdentity) -> Result<RemoteSettings, Refusal> {
        guard Self.isName(name) else {
            return .failure(Refusal(outcome: Self.isNoName(hint: "vault remote add --name home …")))
        }
        guard let made = RemoteSettings.Place(self) else {
            switch kind {
            case .folder:
                return refused("a remote's folder is named by its full path", hint: "vault remote add folder DIR")
            case .webDAV: return refused("this is not the address of a remote", hint: Self.addressHint)
            case .s3: return refused("this is not the address, region or bucket of a remote", hint: Self.addressHint)
            case .dropbox:
                return refused(
                    "not a Dropbox app key, or not a folder there",
                    hint:
                        "letters and digits, as the app's page shows it; the folder has letters, digits, '-', '.', '_'")
            case .rclone:
                return refused("not an rclone remote", hint: "vault remote add rclone NAME:PATH")
            }
        }
        var settings = RemoteSettings(made, of: identity)
        settings.isAppendOnly = isAppendOnly
        if kind == .rclone { settings.signedIn = Machine.now }
        if !code.isEmpty {
            guard let code = try? PairingCode(parsing: code), code.vault == identity.name else {
                return .failure(Refusal(outcome: .noPairingCode))
            }
            settings.point = code.point
        }
        return .success(settings)
    }

    private static let addressHint =
        "https://HOST/PATH without a user; http:// only to this machine"

    private func refused(_ message: String, hint: String) -> Result<RemoteSettings, Refusal> {
        .failure(Refusal(outcome: Outcome(.usage, message, hint: hint)))
    }
}

extension RemoteSettings.Place {
    /// Reads the place of a remote that is to be added; nil for what is not one.
    init?(_ adding: AddRemote) {
        let (place, region, bucket, prefix) = (adding.place, adding.region, adding.bucket, adding.prefix)
        switch adding.kind {
        case .folder:
            guard place.first == 0x2F, !place.contains(0) else { return nil }
            self = .folder(place)
        case .webDAV:
            guard let address = RemoteAddress(String(decoding: place, as: UTF8.self)) else { return nil }
            self = .webDAV(address)
        case .s3:
            guard let endpoint = RemoteAddress(String(decoding: place, as: UTF8.self)),
                let made = S3Bucket(endpoint: endpoint, region: region, bucket: bucket, prefix: prefix)
            else { return nil }
            self = .s3(made)
        case .dropbox:
            let parts = String(decoding: place, as: UTF8.self).split(
                separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let server = adding.server.isEmpty ? nil : RemoteAddress(adding.server)
            guard adding.server.isEmpty || server != nil, let key = parts.first,
                let hosts = server.map({ DropboxFolder.Hosts(api: $0, content: $0, notify: $0) }) ?? .dropbox,
                let made = DropboxFolder(
                    hosts: hosts, appKey: String(key), prefix: parts.count > 1 ? String(parts[1]) : "")
            else { return nil }
            self = .dropbox(made)
        case .rclone:
            let text = String(decoding: place, as: UTF8.self)
            guard let colon = text.firstIndex(of: ":"),
                let made = RcloneFolder(
                    program: adding.program, backend: String(text[..<colon]),
                    path: String(text[text.index(after: colon)...]))
            else { return nil }
            self = .rclone(made)
        }
    }
}

extension ListRemotes: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        var list = RemoteList()
        list.remotes = try work.store.remotes.stored().map(RemoteRow.init)
        work.reply(list)
        return Outcome(.ok)
    }
}

extension TestRemote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        switch try work.remote(named: name) {
        case .failure(let refusal): return refusal.outcome
        case .success(let row):
            guard let settings = try? RemoteSettings(parsing: row.settings) else { throw VaultError(.newerFormat) }
            return work.start(ProbeJob(testing: row, settings, work))
        }
    }
}

extension RemoveRemote: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        switch try work.remote(named: name) {
        case .failure(let refusal): return refusal.outcome
        case .success(let row):
            try work.store.remotes.forget(row.name)
            work.session.syncing.load()
            var reply = TriedRemote()
            reply.remote = RemoteRow(row)
            work.reply(reply)
            return Outcome(.ok)
        }
    }
}

extension SyncNow: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard try !work.store.remotes.stored().isEmpty else { return RequestContext.noRemote }
        work.session.syncing.load()
        if let refusal = work.syncRefusal(named: name) { return refusal }
        var hosts = work.session.syncing.hosts
        if !name.isEmpty {
            hosts.removeAll { $0.name != name }
            guard !hosts.isEmpty else { return RequestContext.noRemote(named: name) }
        }
        // Of several the others are synced; a paused one alone is no sync.
        let paused = hosts.filter(\.isPaused)
        if let first = paused.first, paused.count == hosts.count { return first.pausedOutcome }
        hosts.removeAll(where: \.isPaused)
        return work.start(
            SyncJob(work.store, hosts, acceptsRemovals: acceptsRemovals, speaksFirst: speaksFirst))
    }
}

extension SyncStatus: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard try !work.store.remotes.stored().isEmpty else { return RequestContext.noRemote }
        work.session.syncing.load()
        if let refusal = work.syncRefusal(named: "") { return refusal }
        work.reply(try SyncReport(work.session.syncing.hosts, work.store))
        return Outcome(.ok)
    }
}

/// `NoRemote` says why there is no such remote.
struct NoRemote: Error { let outcome: Outcome }

extension RequestContext {
    static let noRemote = Outcome(
        .notFound, "this vault has no remote", hint: "vault remote add folder DIR, a folder that other devices reach")

    /// Returns why nothing is synced over a remote; without a name over any of them.
    func syncRefusal(named name: String) -> Outcome? {
        let refusals = session.syncing.refusals
        return name.isEmpty ? refusals.min { $0.key < $1.key }?.value : refusals[name]
    }

    static func noRemote(named name: String) -> Outcome {
        Outcome(.notFound, "there is no remote '\(name)'", hint: "vault remote ls")
    }

    /// Returns what syncs over the remote of a name, which is not paused; without a name over the only one that there
    /// is.
    func host(named name: String) throws(VaultError) -> Result<(row: StoredRemote, host: SyncHost), NoRemote> {
        let row: StoredRemote
        switch try remote(named: name) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let found): row = found
        }
        session.syncing.load()
        if let refusal = syncRefusal(named: row.name) { return .failure(NoRemote(outcome: refusal)) }
        guard let host = session.syncing.hosts.first(where: { $0.name == row.name }) else {
            return .failure(NoRemote(outcome: Self.noRemote(named: row.name)))
        }
        guard !host.isPaused else { return .failure(NoRemote(outcome: host.pausedOutcome)) }
        return .success((row, host))
    }

    /// Returns the remote of a name; without one the only one that there is.
    func remote(named name: String) throws(VaultError) -> Result<StoredRemote, NoRemote> {
        let all = try store.remotes.stored()
        guard !all.isEmpty else { return .failure(NoRemote(outcome: Self.noRemote)) }
        guard !name.isEmpty else {
            if all.count == 1 { return .success(all[0]) }
            return .failure(
                NoRemote(
                    outcome: Outcome(
                        .ambiguous, "which remote? \(all.map(\.name).joined(separator: ", "))", hint: "vault remote ls")
                ))
        }
        guard let row = all.first(where: { $0.name == name }) else {
            return .failure(NoRemote(outcome: Self.noRemote(named: name)))
        }
        return .success(row)
    }
}
