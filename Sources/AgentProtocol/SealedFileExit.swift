// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SealedFileExit` says how `vault-agent open-age` ends: it opens one age file for an import, without a vault.
///
/// Standard input is the file, standard output its content, descriptor 3 the secret: a file of identities, or a
/// passphrase. Nothing is printed.
public enum SealedFileExit: Int32, Sendable {
    case done = 0
    /// A kind of file or recipient that is not read.
    case unsupported = 2
    /// No identity opens it, or not this passphrase.
    case noMatch = 4
    case tooExpensive = 5
    /// What was given is no identity.
    case badIdentity = 6
    /// The file of identities is an age file itself.
    case sealedIdentity = 7
    case inputOutput = 9
    case failSafe = 11
    /// It is not an age file, or it was truncated or altered. What was written before is authentic.
    case damaged = 13

    /// The word that tells the agent what it is started for, and the secrets that it takes.
    public static let command = "open-age"
    public static let identities = "identities"
    public static let passphrase = "passphrase"
    public static let secretDescriptor: Int32 = 3
}
