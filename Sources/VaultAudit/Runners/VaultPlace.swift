// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory
internal import VaultCrypto
internal import VaultFormat

/// Keys and contexts from the fields that all tests of sealed objects share.
enum VaultPlace {
    static func subkey(_ test: VectorTest, _ label: Label) throws -> SymmetricKey {
        try SymmetricKey(SecretBytes(array: test.bytes("vaultKey"))).subkey(label)
    }

    static func context(
        _ test: VectorTest, _ kind: Context.Kind, objectID: [UInt8] = [], role: [UInt8] = []
    ) throws -> [UInt8] {
        try Context(
            kind: kind, vaultID: VaultID(test.bytes("vaultID")), objectID: objectID, role: role,
            epoch: test.number("epoch")
        ).encoded
    }
}
