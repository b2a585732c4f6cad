// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `GivenKey` reads credentials as the person or the script gives them.
enum GivenKey {
    /// Returns the credential that opens the vault now. It is asked for although the vault may be open.
    ///
    /// - Parameter isRecovery: the recovery key stands in for a forgotten password.
    static func present(
        _ context: Context, isRecovery: Bool = false, prompt: String = "Password: "
    ) throws(ClientFailure) -> Credential {
        let source = try source(context)
        guard !isRecovery else {
            let key = try WantedSecret.recoveryKey.from { () throws(ClientFailure) -> SecretBytes in
                try source.read(prompt: "Recovery key: ")
            }
            return Credential(recoveryKey: key)
        }
        let password = try source.read(prompt: prompt)
        return try credential(password, keyFile: context.options.keyFile)
    }

    /// Returns what a credential that does not open the vault is called.
    static func words(_ context: Context, isRecovery: Bool) -> String {
        isRecovery ? "recovery key" : context.options.keyFile == nil ? "password" : "password or key file"
    }

    /// Reads the recovery key, typed from paper: it may be seen, so that a slip is seen too.
    static func recovery(_ context: Context) throws(ClientFailure) -> Credential {
        let source = try WantedSecret.recoveryKey.from { () throws(ClientFailure) -> PasswordSource in
            try Self.source(context)
        }
        guard source == .terminal else { return Credential(recoveryKey: try source.read(prompt: "Recovery key: ")) }
        return Credential(
            recoveryKey: try WantedSecret.recoveryKey.from { () throws(ClientFailure) -> SecretBytes in
                try PasswordSource.mapped { () throws(PasswordReader.Failure) in
                    try PasswordReader.ask(prompt: "Recovery key: ", echo: true)
                }
            })
    }

    /// Gets a new password, typed twice, and its key file if there is to be one.
    static func new(_ options: KeyOptions, keyFile: String?, _ context: Context) throws(ClientFailure) -> Credential {
        let source = try newSource(options, context)
        let password = try WantedSecret.newPassword.from { () throws(ClientFailure) -> SecretBytes in
            try NewPassword.get(source, prompt: "New password: ")
        }
        return try credential(password, keyFile: keyFile)
    }

    private static func credential(_ password: consuming SecretBytes, keyFile: String?) throws(ClientFailure)
        -> Credential
    {
        guard let keyFile else { return Credential(password: password) }
        return Credential(password: password, keyFile: try KeyFileOnDisk.read(keyFile))
    }

    static func source(_ context: Context) throws(ClientFailure) -> PasswordSource {
        let source = try PasswordSource(context)
        guard !source.asksSomebody || !context.options.noInput else {
            throw ClientFailure(
                .locked, "the present password is needed and --no-input was given",
                hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
        }
        return source
    }

    static func newSource(_ options: KeyOptions, _ context: Context) throws(ClientFailure) -> PasswordSource {
        switch (options.newPasswordFile, options.newPasswordDescriptor) {
        case (.some, .some): throw .usage("the new password comes from a file or a descriptor, not both")
        case (.some(let file), nil): return .file(file)
        case (nil, .some(let descriptor)): return .descriptor(descriptor)
        case (nil, nil):
            guard !context.options.noInput else {
                throw ClientFailure(
                    .locked, "a new password is needed and --no-input was given",
                    hint: "--new-password-file F or --new-password-fd N")
            }
            return .terminal
        }
    }
}

extension Credential {
    /// Returns both together in one frame.
    func joined(with new: borrowing Credential) -> SecretBytes { PasswordPair.joined(secret, new.secret) }
}
