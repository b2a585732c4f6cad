// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `AgeError` says why an age file could not be written or read. It holds no key, passphrase or content.
public struct AgeError: Error, Sendable, Equatable {
    public enum Code: Int, Sendable, CaseIterable {
        /// No identity, or not this passphrase, opens the file.
        case noMatch = 1
        /// It is not an age file, or it was truncated or altered.
        case damaged = 2
        /// Another version, or a kind of recipient that we do not write.
        case unsupported = 3
        /// Its passphrase costs more than we pay.
        case tooExpensive = 4
        /// A header above its caps.
        case tooLarge = 5
        /// A text that is not a valid recipient or identity, or an empty passphrase.
        case badKey = 6
        /// Reading or writing failed; `systemError` says why.
        case inputOutput = 7
        /// libcrypto or the kernel's random generator failed.
        case libraryFailure = 8
    }

    /// `Part` names the part of a file where an error was noticed. Public: anyone who has the file and the key can see
    /// it anyway.
    public enum Part: Int, Sendable {
        case armor = 1
        case header = 2
        case headerTag = 3
        case payload = 4
    }

    /// Compare this.
    public let code: Code
    /// Nil for what is not about a place in a file.
    public let part: Part?
    /// errno, or 0.
    public let systemError: Int32

    public init(_ code: Code, in part: Part? = nil, systemError: Int32 = 0) {
        self.code = code
        self.part = part
        self.systemError = systemError
    }

    /// One sentence for a person.
    public var sentence: String {
        switch code {
        case .noMatch: "None of the given keys opens this age file, or the passphrase is wrong."
        case .damaged: "This is not an age file, or it was cut or altered."
        case .unsupported:
            "This age file or recipient is of a kind that is not supported; X25519 (age1…) and passphrases are."
        case .tooExpensive: "The passphrase of this age file asks for more work or memory than is allowed."
        case .tooLarge: "The header of the age file, or its list of recipients, is too large."
        case .badKey:
            "This is not an age recipient (age1…) or identity (AGE-SECRET-KEY-1…), or the passphrase is empty."
        case .inputOutput: "The age file could not be read or written."
        case .libraryFailure: "The cryptographic library failed; nothing more was written."
        }
    }
}
