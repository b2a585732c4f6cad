// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import SecretMemory
internal import Synchronization
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `ProtectionWork` is what is derived from passwords away from the loop: up to three times Argon2id.
struct ProtectionWork: Sendable {
    /// Of the note's slot, to be opened with the first password; nil when the note has none.
    var opening: NoteOpening?
    /// Makes a slot for the second password, or for the first when there is nothing to open.
    var newSlot: NewSlot?

    struct NewSlot: Sendable {
        var note: NoteID
        var vaultID: VaultID
        /// Number of a new key; nil keeps the one that is opened.
        var epoch: UInt32?
        var showsTitle: Bool
        /// How long a try of the password is to take on this machine; 0 for the least that is allowed.
        var targetMilliseconds: UInt32
    }

    private static let turn = NSLock()
    /// Measured once for all notes of a session: a measure takes longer than a derivation.
    private static let costs = Mutex<[UInt32: Argon2Cost]>([:])

    /// Returns today's cost of a note's password, measured on this machine.
    static func cost(_ targetMilliseconds: UInt32) throws(VaultError) -> Argon2Cost {
        if let known = costs.withLock({ $0[targetMilliseconds] }) { return known }
        let cost = try KeyWork.cost(targetMilliseconds)
        costs.withLock { $0[targetMilliseconds] = cost }
        return cost
    }

    struct Made: Sendable {
        var opened: OpenedNoteKey?
        var protecting: NoteProtecting?
    }

    /// Derives while nobody else does: one derivation at a time takes as much memory as one vault's unlock.
    static func alone<Made>(_ body: () throws(VaultError) -> Made) -> Result<Made, VaultError> {
        turn.lock()
        defer { turn.unlock() }
        return Result(catching: body)
    }

    /// Opens the note's key with the first password, makes a new keyslot, or both, as the work says.
    ///
    /// - Parameters:
    ///   - wait: seconds before the first derivation, after earlier failures.
    ///   - goesOn: asked before each derivation.
    func run(
        _ first: PasswordBox, _ second: PasswordBox?, wait: Double, goesOn: (UInt64) -> Bool
    ) -> Result<Made, VaultError> {
        // In small parts: a lock must not find a password that waits.
        for _ in 0..<Int((wait * 10).rounded(.up)) where goesOn(0) { pause(0.1) }
        guard goesOn(0) else { return .failure(VaultError(.noteLocked)) }
        // One derivation at a time takes as much memory as one vault's unlock.
        Self.turn.lock()
        defer { Self.turn.unlock() }
        guard goesOn(0) else { return .failure(VaultError(.noteLocked)) }
        do throws(VaultError) {
            var made = Made()
            if let opening { made.opened = try opening.open(first.secret) }
            guard let slot = newSlot, goesOn(1) else { return .success(made) }
            let known = slot.epoch == nil ? made.opened : nil
            made.protecting = try NoteProtecting(
                slot.note, vaultID: slot.vaultID, password: (second ?? first).secret, keeping: known,
                epoch: slot.epoch ?? 1,
                showsTitle: slot.showsTitle, cost: Self.cost(slot.targetMilliseconds))
            return .success(made)
        } catch { return .failure(error) }
    }
}
