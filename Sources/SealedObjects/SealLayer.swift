// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultCrypto

/// One layer of sealing: a key and the place that the object is bound to. An object has one, or two when its note is
/// private; lists of them begin with the outer one.
public struct SealLayer: Sendable {
    /// Of this kind of object and of nothing else.
    public let key: SymmetricKey
    /// No two objects share one.
    public let context: [UInt8]

    public init(key: SymmetricKey, context: [UInt8]) {
        self.key = key
        self.context = context
    }
}
