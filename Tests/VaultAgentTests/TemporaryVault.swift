// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import VaultCrypto
import VaultTesting

@testable import VaultAgent
@testable import VaultCore

/// A new vault in a folder of its own, open by its recovery key; it is removed with the value.
final class TemporaryVault {
    private let folder = TemporaryFolder()
    let store: OpenVault

    init(cost: Argon2Cost = .recommended) throws {
        let pins = PinStore(folder: folder.path + "/pins")
        let path = Array((folder.path + "/vault").utf8)
        let creation = try VaultCreation(
            path: path, password: SecretBytes(zeroes: 8), cost: cost, withRecoveryKey: true)
        try creation.commit(pins: pins)
        let text =
            switch creation.recoveryText() {
            case .none: SecretBytes(zeroes: 0)
            case .some(let text): text
            }
        switch RecoveryKey.parse(text) {
        case .none: throw VaultError(.recoveryMismatch)
        case .some(let key): store = try OpenVault(VaultProbe(path: path, pins: pins), .recoveryKey(key))
        }
    }
}
