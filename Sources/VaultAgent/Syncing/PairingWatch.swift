// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncEngine
internal import VaultCore
internal import VaultFormat

/// `PairingWatch` holds what a pairing code has named until it was read: until then what the remote shows may be an
/// older state of the vault. Spec: docs/format.md §25.11.
final class PairingWatch {
    private(set) var point: PairedPoint?
    /// The remote has something else under the number that the code names.
    private(set) var isContradicted = false

    init(_ point: PairedPoint?) { self.point = point }

    private var device: Identifier? { point.map { Identifier(bytes: $0.device.bytes) } }

    /// Looks at a segment before anything of it is taken over.
    ///
    /// - Throws: `VaultError.integrity` for one that has the number of the one that is named, and is another.
    func look(at device: Identifier, _ number: UInt64, _ state: SyncState?) throws(VaultError) {
        guard let point, device == self.device, number == point.number else { return }
        guard let seen = state?.chains[device]?.seen, seen.number == number else { return }
        guard point.names(digest: seen.digest.bytes) else {
            isContradicted = true
            throw VaultError(.integrity)
        }
    }

    /// Returns whether nothing is waited for: the segment was read, or what a later one says that says everything.
    func isMet(_ state: SyncState) -> Bool {
        guard let point, let device else { return true }
        // The owner's password has opened a later key: in its epoch a device has said all that was true before.
        if state.epoch > point.epoch { return true }
        guard !isContradicted, let seen = state.chains[device]?.seen else { return false }
        return seen.number > point.number || seen.number == point.number && point.names(digest: seen.digest.bytes)
    }

    /// Forgets what was read.
    func forget() { point = nil }

    /// Says what stands in the way of a whole sync; nil when nothing does.
    func refusal(_ state: SyncState, _ remote: String) -> Outcome? {
        if isContradicted { return PairingRefusal.otherSegment.outcome }
        guard !isMet(state) else { return nil }
        return PairingRefusal.older.outcome
    }
}

extension SyncHost {
    /// Writes down that what the pairing code has named was read.
    func settlePairing() throws(VaultError) {
        guard pairing.point != nil, pairing.isMet(engine.state), !store.isReadOnly else { return }
        // It may have been paused since.
        let rows = try store.remotes.stored()
        guard let row = rows.first(where: { $0.name == name }),
            var settings = try? RemoteSettings(parsing: row.settings)
        else { return }
        settings.point = nil
        try store.remotes.change(name, settings: settings.encoded)
        pairing.forget()
    }
}

extension PairingRefusal {
    /// What happened, and what to type next.
    var outcome: Outcome {
        switch self {
        case .older:
            Outcome(
                .failSafe, "the remote shows an older state of the vault than the pairing code names",
                hint: "vault sync now on the device that made the code, then try again; if it stays so, the remote "
                    + "holds something back")
        case .otherHeader:
            Outcome(
                .integrity, "the remote has another header than the one that the pairing code names",
                hint: "vault sync now on the device that made the code, then a new code: vault device pair")
        case .otherSegment:
            Outcome(
                .integrity, "the remote shows another state of the vault than the one that the pairing code names",
                hint: "vault sync status on the device that made the code, then a new code: vault device pair")
        case .newKey:
            Outcome(
                .conflict, "the vault's key was changed after this pairing code was made",
                hint: "vault device pair on a device that has the vault makes a new one")
        }
    }
}
