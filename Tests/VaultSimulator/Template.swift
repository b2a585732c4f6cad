// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SecretMemory
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// `Template` is the vault that each run begins with a copy of: it is made once, because its password costs a
/// derivation.
struct Template {
    let folder: URL
    /// 20 bytes; opening a vault with it costs no derivation.
    let recoveryKey: [UInt8]

    init(in root: URL, _ chance: Chance) throws {
        chance.begin(0, of: 0)
        folder = root.appending(path: "template")
        let creation = try VaultCreation(
            path: Array(folder.path.utf8), password: secret(Array(Marker.text.utf8)), cost: .recommended,
            withRecoveryKey: true)
        recoveryKey = Self.key(of: creation)
        try creation.commit(pins: PinStore(folder: root.appending(path: "template-pins").path))
    }

    private static func key(of creation: VaultCreation) -> [UInt8] {
        switch creation.recoveryText() {
        case .none: []
        case .some(let text):
            switch RecoveryKey.parse(text) {
            case .none: []
            case .some(let key): unsafe key.withUnsafeBytes { unsafe Array($0) }
            }
        }
    }
}

/// Bytes as a secret.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    var secret = SecretBytes(zeroes: bytes.count)
    unsafe secret.withUnsafeMutableBytes { unsafe $0.copyBytes(from: bytes) }
    return secret
}
