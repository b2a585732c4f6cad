// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import VaultCore
internal import VaultFormat

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

    /// The owner gives devices up. It is written down here at once, and said to the others in the next round.
    func retire(_ devices: [Identifier]) throws(VaultError) {
        try giveUp(devices)
        begin()
    }

    /// Does the same, and says it to the others with what is said next.
    func giveUp(_ devices: [Identifier]) throws(VaultError) {
        for device in devices { handle(.retire(device)) }
        try store.remotes.record(RemoteState(name, engine.state))
    }

    /// The owner wants nothing to be read or sent.
    var isPaused: Bool { settings.isPaused }

    var pausedOutcome: Outcome {
        Outcome(.conflict, "the remote '\(name)' is paused", hint: "vault sync resume \(name)")
    }
}
