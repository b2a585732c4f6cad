// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import VaultCore
internal import VaultFormat

extension StoredRemote {
    /// Returns the engine's state as it stands there, with devices given up.
    ///
    /// - Throws: `VaultError.integrity`, `.newerFormat`.
    func givingUp(_ devices: [Identifier]) throws(VaultError) -> [UInt8] {
        do throws(StateError) {
            var state = try SyncState(parsing: state)
            state.giveUp(devices)
            return state.encoded
        } catch { throw VaultError(error == .unknownVersion ? .newerFormat : .integrity) }
    }
}

/// This extension says who this device is, gives up others, and holds a paused remote still.
extension SyncHost {
    /// Says who speaks under the name that the engine has, once all was read: until then a vault of a clone holds
    /// nothing, and what others have removed is no loss to it.
    func introduce() throws(VaultError) {
        guard introduced != engine.state.device, link.failure == nil, engine.state.isWhole else { return }
        guard pairing.isMet(engine.state) else { return }
        let own = engine.state.device
        guard let chain = try? VaultFormat.DeviceID(own.bytes) else { return }
        try store.devices.introduce(speakingAs: chain)
        introduced = own
    }

    static func isEmpty(_ store: OpenVault) throws(VaultError) -> Bool {
        let counts = try store.notes.counts().notes
        return NotePlace.allCases.allSatisfy { counts[$0] == 0 }
    }

    /// Gives devices up, as the owner says. It is written down here at once, and said to the others in the next round.
    ///
    /// The engine is ahead of what was written down: of that only the devices may be changed, and what is queued must
    /// not take it back.
    func retire(_ devices: [Identifier]) throws(VaultError) {
        for device in devices { handle(.retire(device)) }
        // Nothing is begun: whether this vault was restored since must still be seen when it is.
        if !hasBegun { effects = [] }
        for index in effects.indices {
            switch effects[index] {
            case .record(var state):
                state.giveUp(devices)
                effects[index] = .record(state)
            case .commit(let device, let number, let entries, var state?):
                state.giveUp(devices)
                effects[index] = .commit(device, number, entries, state)
            default: break
            }
        }
        for row in try store.remotes.stored() where row.name == name {
            try store.remotes.amend(name, state: row.givingUp(devices))
        }
        begin()
    }

    /// Whether there is something to do at once.
    var hasWork: Bool {
        !isAwaiting && (!effects.isEmpty || joining.hasWork || sealing.hasWork && isRunning && isQuiet)
    }

    /// Everything was sent and read, as far as the remote shows it, and there is nothing that its owner must hear.
    var isSynced: Bool { isWhole && claims.withheld.isEmpty }

    /// The same, whatever other remotes say of this one.
    var isWhole: Bool {
        engine.isIdle && engine.state.isWhole && problems.subtracting([.endedTwice]).isEmpty && alarms.isEmpty
            && pairing.isMet(engine.state)
    }

    /// The remote's service says by itself that something is new. A folder is told too, of what this machine writes: on
    /// a share that says nothing of other machines.
    var isTold: Bool {
        guard case .dropbox = settings.place else { return false }
        return (link as? RemoteLink)?.isTold == true
    }

    /// The owner wants nothing to be read or sent.
    var isPaused: Bool { settings.isPaused }

    var pausedOutcome: Outcome {
        Outcome(.conflict, "the remote '\(name)' is paused", hint: "vault sync resume \(name)")
    }
}
