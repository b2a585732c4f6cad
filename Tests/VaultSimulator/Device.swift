// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GitComparison
import SyncEngine
import SyncProtocol
import VaultFormat

@testable import VaultAgent
@testable import VaultCore

/// `Device` is a machine with a vault on its disk: the folder, the account's pins, and while it is unlocked the open
/// vault with the agent's hosts, which sync it.
final class Device {
    let index: Int
    let world: World
    let folder: URL
    let pins: PinStore
    private(set) var store: OpenVault
    let syncing: Syncing
    /// Its owner has lost it.
    var isGone = false
    /// Copies of the folder that were made while the vault was open.
    var backup: URL?
    /// What was checked of it last.
    var seen = Seen()

    /// Opens the vault that lies in the device's folder.
    init(_ index: Int, _ world: World, pins: PinStore) throws {
        (self.index, self.world, self.pins) = (index, world, pins)
        folder = world.folder(of: index)
        store = try Self.open(folder, pins, world, acceptRollback: false)
        syncing = Syncing(
            SyncSurroundings(
                link: { _, _, _ in SimulatedLink(world, device: index) }, comparison: GitComparison()))
        begin()
    }

    private static func open(
        _ folder: URL, _ pins: PinStore, _ world: World, acceptRollback: Bool
    ) throws -> OpenVault {
        var failure = VaultError(.wrongPassword)
        for key in world.keys.reversed() {
            do throws(VaultError) {
                let probe = try VaultProbe(path: Array(folder.path.utf8), pins: pins, acceptRollback: acceptRollback)
                return try OpenVault(probe, .recoveryKey(secret(key)))
            } catch {
                guard error.code == .wrongPassword else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private func begin() {
        // What was read and not written down is read again.
        seen = Seen()
        store.comparison = GitComparison()
        syncing.begin(store, isAutomatic: false)
        syncing.load()
    }

    /// The host of the one remote; nil where it was refused.
    var host: SyncHost? { syncing.hosts.first }

    /// Adds the remote, as `vault remote add` does when it was tried.
    func addRemote() throws {
        let settings = RemoteSettings(.folder(Array("/remote".utf8)), of: store.header.identity)
        let name = (0..<16).map { _ in UInt8(truncatingIfNeeded: world.chance.next()) }
        let engine = SyncEngine(state: SyncState(new: name, epoch: store.header.epoch))
        _ = try store.remotes.add(
            RemoteEntry(name: "home", settings: settings.encoded, credentials: [], state: engine.state.encoded))
        syncing.load()
    }

    /// Whether the remote has something of the vault's present key, as `vault remote add` looks for it.
    func canBeAdded() throws -> Bool {
        guard store.header.epoch > 1 else { return true }
        let sealer = try store.segmentSealer()
        return world.store.names(of: .card).contains { name in
            guard let card = RemoteName(listed: name.text, in: .cards), let bytes = world.store.files[name] else {
                return false
            }
            return ((try? sealer.openCard(bytes, named: card)) ?? nil) != nil
        }
    }

    // MARK: Ends

    /// It is locked, and unlocked again.
    func reopen() throws {
        syncing.end()
        try store.close()
        store.directory.unlock()
        store = try Self.open(folder, pins, world, acceptRollback: false)
        begin()
    }

    /// The agent is killed: what it was about to do is not done, and nothing is closed. The next one finds the files
    /// as they are now.
    func kill() throws { try go(on: nil) }

    /// The folder is set back to a copy of before, on the owner's word.
    func restore(_ backup: URL) throws {
        try go(on: backup)
    }

    private func go(on other: URL?) throws {
        let files = FileManager.default
        let (aside, pinsAside) = (folder.appendingPathExtension("old"), folder.appendingPathExtension("pins"))
        try files.moveItem(at: folder, to: aside)
        try files.copyItem(at: other ?? aside, to: folder)
        try files.copyItem(atPath: pins.folder, toPath: pinsAside.path)
        syncing.end()
        // What the old object still does on its way out must not count.
        try? store.close()
        store.directory.unlock()
        try files.removeItem(atPath: pins.folder)
        try files.moveItem(atPath: pinsAside.path, toPath: pins.folder)
        store = try Self.open(folder, pins, world, acceptRollback: other != nil)
        try files.removeItem(at: aside)
        begin()
    }

    /// Copies the folder as it is now.
    func copy(to target: URL) throws {
        try? FileManager.default.removeItem(at: target)
        try FileManager.default.copyItem(at: folder, to: target)
    }

    func end() {
        syncing.end()
        try? store.close()
        store.directory.unlock()
    }

    /// `Seen` is what a device was last seen to know.
    struct Seen {
        var epoch: UInt32 = 0
        var own: Identifier?
        var chains: [Identifier: UInt64] = [:]
        var ownNumber: UInt64 = 0
        var alarms = 0
    }
}
