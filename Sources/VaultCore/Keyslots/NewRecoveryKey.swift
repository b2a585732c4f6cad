// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SecretMemory
internal import VaultCrypto

/// A recovery key with its keyslot: made, but in no header before somebody has typed it back.
public final class NewRecoveryKey: @unchecked Sendable {
    public let slot: NewKeyslot
    private let shown: ShownRecoveryKey

    /// - Throws: `VaultError.libraryFailed`.
    public init(_ proof: KeyslotProof) throws(VaultError) {
        shown = try ShownRecoveryKey()
        slot = try NewKeyslot(proof, shown.credential(), name: KeyslotName.recovery, cost: .recommended, targetMilliseconds: 0)
    }

    /// As text to show once, 44 bytes.
    public func text() -> SecretBytes? { shown.text() }

    public func isConfirmed(by typed: borrowing SecretBytes) -> Bool { shown.isConfirmed(by: typed) }
}
