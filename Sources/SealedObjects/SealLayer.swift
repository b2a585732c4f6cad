// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultCrypto

/// One layer of an object: the content padded, then sealed under a key, bound to a context. An object has one, a private note's has two: the inner
/// one's result is the content of the outer one. Spec: docs/format.md §4 and §19.
public struct SealLayer: Sendable {
    public let key: SymmetricKey
    /// An encoded `Context`.
    public let context: [UInt8]

    public init(key: SymmetricKey, context: [UInt8]) {
        self.key = key
        self.context = context
    }

    /// Size of the padded form of `byteCount` bytes.
    ///
    /// - Throws: `ObjectError.tooLarge`.
    static func paddedByteCount(_ byteCount: UInt64) throws(ObjectError) -> Int {
        guard byteCount <= UInt64(Int.max / 4), let padded = Padme.paddedByteCount(Int(byteCount) + 8) else { throw ObjectError(.tooLarge) }
        return padded
    }

    /// Size of the sealed form of `byteCount` bytes, padding included.
    ///
    /// - Throws: `ObjectError.tooLarge`.
    static func sealedByteCount(_ byteCount: UInt64) throws(ObjectError) -> UInt64 {
        UInt64(Cobblestone.sealedByteCount(try paddedByteCount(byteCount)))
    }
}

/// A file that was sealed.
public struct SealedObject: Sendable, Equatable {
    public var contentByteCount: UInt64
    public var fileByteCount: UInt64
    /// Of the outer layer, 32 bytes.
    public var commitment: [UInt8]
}
