// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Why a page was not drawn.
public struct RecoveryPageError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        let raw: Int
        /// The library could not make the QR code: as a rule, memory was refused.
        public static let libraryFailure = Code(raw: 1)
    }

    /// Compare this.
    public let code: Code

    public init(_ code: Code) { self.code = code }
}
