// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

/// `AskpassProgram` runs `NOTEVAULT_ASKPASS` with the prompt as its one argument and takes its standard output as the
/// password. No shell.
enum AskpassProgram {
    /// How long it may take until it has ended, in milliseconds.
    static let millisecondsMax = 120_000
    private static let name = "NOTEVAULT_ASKPASS"

    /// Runs the program, and returns the password that it gives.
    ///
    /// - Throws: `.failSafe` for a program that others may change, `.aborted` when it gives no password, in time or at
    ///   all.
    static func run(_ path: String, prompt: String, within milliseconds: Int = millisecondsMax) throws(ClientFailure)
        -> SecretBytes
    {
        try SecretProgram.requireTrusted(path, called: name)
        do throws(SecretProgram.Failure) {
            return try SecretProgram.secret(of: path, [prompt], within: milliseconds)
        } catch {
            switch error {
            case .notStarted(let reason): throw SecretProgram.cannot(name, path, reason)
            case .tookTooLong:
                throw ClientFailure(
                    .aborted,
                    "the NOTEVAULT_ASKPASS program gave no password in \(milliseconds / 1000) s and was ended",
                    hint: "run it by hand to see why")
            case .tooLong: throw PasswordSource.failure(.tooLong)
            case .gaveNothing:
                throw ClientFailure(
                    .aborted, "the NOTEVAULT_ASKPASS program gave no password", hint: "run it by hand to see why")
            }
        }
    }
}
