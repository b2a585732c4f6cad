// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

/// `WantedSecret` is what a command asks for, so that without a terminal the error names the options that give exactly
/// this.
enum WantedSecret {
    case newPassword
    case notePassword
    case newNotePassword
    case recoveryKey
    case exportPassphrase

    /// Runs a prompt. That nobody can be asked is said of what was wanted.
    func from<Value: ~Copyable>(_ prompt: () throws(ClientFailure) -> Value) throws(ClientFailure) -> Value {
        do throws(ClientFailure) { return try prompt() } catch {
            throw error.outcome.code == .locked ? ClientFailure(.locked, message, hint: hint) : error
        }
    }

    private var message: String {
        switch self {
        case .newPassword: "a new password is needed, and there is no terminal to ask on"
        case .notePassword: "the note's own password is needed, and there is no terminal to ask on"
        case .newNotePassword: "a new password for the note is needed, and there is no terminal to ask on"
        case .exportPassphrase: "the passphrase of the export is needed, and there is no terminal to ask on"
        case .recoveryKey: "the recovery key is needed, and there is no terminal to ask on"
        }
    }

    private var hint: String {
        switch self {
        case .newPassword: "--new-password-file F or --new-password-fd N"
        case .notePassword:
            "--note-password-file F or --note-password-fd N; --password-file is for the vault's password"
        case .newNotePassword:
            "--new-password-file F or --new-password-fd N; --note-password-file is for the present one"
        case .exportPassphrase: "--passphrase-file F or --passphrase-fd N; --password-file is for the vault's password"
        case .recoveryKey: "put the recovery key in a file and name it: --password-file F, or --password-fd N"
        }
    }
}
