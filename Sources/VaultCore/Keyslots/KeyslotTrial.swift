// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// Tries one credential on slots, one after the other. One that this machine cannot try is skipped: another one may
/// open.
struct KeyslotTrial {
    let costs: KeyslotCosts
    /// The owner has agreed to what is dear.
    let triesDear: Bool
    private var obstacle: VaultError?
    private var isOutOfMemory = false
    private var hasTried = false

    init(costs: KeyslotCosts, triesDear: Bool) { (self.costs, self.triesDear) = (costs, triesDear) }

    /// Returns the vault key, or nil when this slot does not open, or is not tried.
    ///
    /// - Throws: `VaultError.libraryFailed`, `.selfTestFailed`.
    mutating func open(
        _ slot: Keyslot, _ credential: borrowing Credential, _ header: UnverifiedHeader
    ) throws(VaultError) -> SymmetricKey? {
        guard slot.kind == credential.kind else { return nil }
        if let found = costs.obstacle(slot), found.obstacle == .memory || !triesDear {
            obstacle = obstacle ?? found.error
            return nil
        }
        do throws(VaultError) {
            let root = try slot.open(credential, header)
            hasTried = true
            return root
        } catch {
            guard error.code == .outOfMemory else { throw error }
            isOutOfMemory = true
            return nil
        }
    }

    /// Why nothing opened. A wrong password is one only where a slot was tried.
    var failure: VaultError {
        if isOutOfMemory { return VaultError(.outOfMemory) }
        return hasTried ? VaultError(.wrongPassword) : obstacle ?? VaultError(.wrongPassword)
    }
}
