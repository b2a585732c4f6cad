// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import GRDB
internal import SealedSQLite
internal import VaultFormat

/// These functions look after the vault's files while it is open: sync programs, a restore by hand and other machines
/// move, replace and remove them. Spec: docs/format.md §14.
extension OpenVault {
    /// Refuses to go on when index or log are no longer the files under their names, or another machine has taken the
    /// vault over. It costs four looks at names.
    ///
    /// - Throws: `VaultError.filesExchanged`, `.filesGone`, `.filesLost`, `.takenOver`, and from then on at each call.
    /// - Parameter readsBack: the look is the last one before something is acknowledged, or the vault closed: where
    ///   other machines reach the files, what was written is read under their names.
    func requireOurIndex(readsBack: Bool = false) throws(VaultError) {
        if let loss = watch.loss { throw rescuedAgain(loss) }
        let isElsewhere = watch.tellsPlace && !database.storage.isInPlace
        if let lease = watch.lease, let holder = lease.successor() {
            // All that was acknowledged is in the files that the other machine has opened, unless it has files of its
            // own: then a program that carries them is about to put them in the place of these.
            guard isElsewhere || SyncedFolder.program(of: directory) != nil else {
                throw lose(VaultError(.takenOver, host: holder))
            }
            throw lose(rescue())
        }
        guard isElsewhere || (readsBack && watch.lease != nil && !database.storage.isReadInPlace) else { return }
        throw lose(rescue())
    }

    /// Writes anew what was rescued and is gone. What was rescued may be removed as the index was, or had no room:
    /// while the files are open it is written anew.
    @discardableResult
    func rescuedAgain(_ loss: VaultError) -> VaultError {
        let isGone =
            switch loss.code {
            case .filesExchanged: !isRescued(Int(loss.expected ?? 1))
            case .filesLost: true
            default: false
            }
        guard isGone else { return loss }
        let again = rescue()
        watch.loss = again
        return again
    }

    private func lose(_ error: VaultError) -> VaultError {
        watch.loss = error
        database.storage.leaveAlone()
        return error
    }

    /// Looks after all files of the vault: at each request, and every half minute without one.
    ///
    /// - Throws: what `requireOurHeader` throws; `VaultError.fileMended` once when a file was written anew, and nothing
    ///   else was done then.
    public func lookAfterFiles() throws(VaultError) {
        try requireOurHeader()
        guard !isReadOnly else { return }
        var isMended = watch.isMended
        watch.isMended = false
        if watch.tellsPlace {
            do throws(VaultError) { if try directory.mendLock() { isMended = true } } catch {
                // Somebody who does not know the folder's lock has it open now, and writes.
                throw lose(rescue())
            }
        }
        if try mendManifest() { isMended = true }
        if directory.identity(HeaderFile.names[0]) == nil {
            try current.mendCopies(keys)
            isMended = true
        }
        if isMended { throw VaultError(.fileMended) }
    }

    /// Writes both copies of the manifest anew when one was removed, or exchanged for an older one.
    private func mendManifest() throws(VaultError) -> Bool {
        let seen = ManifestFile.names.map { directory.identity($0) }
        guard let known = watch.manifests, seen != known else { return false }
        let found = ManifestFile.names.map { name in
            (try? directory.read(name, byteCountMax: ManifestFile.byteCountMax)).flatMap { $0 }.flatMap(
                manifestFile.opened)
        }
        // Newer than what is here: somebody else writes this vault.
        if found.contains(where: { ($0?.generation ?? 0) > recordedGeneration }) { throw lose(rescue()) }
        if found.allSatisfy({ $0 == manifest }) {
            watch.manifests = seen
            return false
        }
        try vouch(progressed)
        return true
    }

    /// Seconds between two looks without a request: a lease is renewed with each, and others wait for no more than
    /// that.
    public var secondsBetweenLooks: Double { watch.lease == nil ? 60 : Lease.secondsBetweenBeats }

    /// Tells other machines that the vault is still open here, and looks after its files. Findings are reported at the
    /// next request.
    public func keepPlace() {
        watch.lease?.beat()
        do throws(VaultError) { try lookAfterFiles() } catch {
            if error.code == .fileMended { watch.isMended = true }
        }
    }

    /// Gives the vault back; only when SQLite has let go of the files may another agent take them.
    func giveBack() {
        watch.lease?.release()
        directory.unlock()
    }
}
