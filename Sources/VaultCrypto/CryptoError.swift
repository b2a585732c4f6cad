// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CryptoError` tells of a cryptographic operation that did not succeed. It never says which byte, key or slot was at
/// fault.
public struct CryptoError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// A tag, commitment or length did not fit: wrong key, wrong place or altered bytes. They are not told apart.
        public static let notAuthentic = Code(raw: 1)
        /// A cost of Argon2id outside of what we accept, refused before any memory is taken.
        public static let costOutOfRange = Code(raw: 2)
        /// A size that the construction does not allow.
        public static let badSize = Code(raw: 3)
        /// The library or the kernel's random generator failed. Nothing was produced.
        public static let libraryFailure = Code(raw: 4)
        /// A PHC string that is not in the one form that we write and read.
        public static let badEncoding = Code(raw: 5)
        /// There is not enough memory for the derivation.
        public static let outOfMemory = Code(raw: 6)
        /// A start-up vector gave another result than its specification says.
        public static let selfTestFailed = Code(raw: 7)
    }

    /// Compare this.
    public let code: Code
    public init(_ code: Code) { self.code = code }
}
