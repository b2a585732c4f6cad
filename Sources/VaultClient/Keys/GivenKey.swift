// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// A credential as the person or the script gave it: which kind, and the secret frame for it.
struct GivenKey: ~Copyable {
    let kind: CredentialKind
    let secret: SecretBytes

    /// The one that opens the vault now. It is asked for although the vault may be open.
    ///
    /// - Parameter isRecovery: the recovery key stands in for a forgotten password.
    static func present(
        _ context: Context, isRecovery: Bool = false, prompt: String = "Password: "
    ) throws(ClientFailure) -> GivenKey {
        let source = try source(context)
        guard !isRecovery else {
            let key = try WantedSecret.recoveryKey.from { () throws(ClientFailure) -> SecretBytes in try source.read(prompt: "Recovery key: ") }
            return GivenKey(kind: .recoveryKey, secret: key)
        }
        let password = try source.read(prompt: prompt)
        return try GivenKey(password, keyFile: context.options.keyFile)
    }

    /// What a credential that does not open the vault is called.
    static func words(_ context: Context, isRecovery: Bool) -> String {
        isRecovery ? "recovery key" : context.options.keyFile == nil ? "password" : "password or key file"
    }

    /// The recovery key, typed from paper: it may be seen, so that a slip is seen too.
    static func recovery(_ context: Context) throws(ClientFailure) -> GivenKey {
        let source = try WantedSecret.recoveryKey.from { () throws(ClientFailure) -> PasswordSource in try Self.source(context) }
        guard source == .terminal else { return GivenKey(kind: .recoveryKey, secret: try source.read(prompt: "Recovery key: ")) }
        return GivenKey(
            kind: .recoveryKey,
            secret: try WantedSecret.recoveryKey.from { () throws(ClientFailure) -> SecretBytes in
                try PasswordSource.mapped { () throws(PasswordReader.Failure) in try PasswordReader.ask(prompt: "Recovery key: ", echo: true) }
            })
    }

    /// A new password, typed twice, and its key file if there is to be one.
    static func new(_ options: KeyOptions, keyFile: String?, _ context: Context) throws(ClientFailure) -> GivenKey {
        let source = try newSource(options, context)
        let password = try WantedSecret.newPassword.from { () throws(ClientFailure) -> SecretBytes in
            try NewPassword.get(source, prompt: "New password: ")
        }
        return try GivenKey(password, keyFile: keyFile)
    }

    /// Both together in one frame.
    func joined(with new: borrowing GivenKey) -> SecretBytes { PasswordPair.joined(secret, new.secret) }

    private init(kind: CredentialKind, secret: consuming SecretBytes) {
        self.kind = kind
        self.secret = secret
    }

    private init(_ password: consuming SecretBytes, keyFile: String?) throws(ClientFailure) {
        guard let keyFile else {
            self.init(kind: .password, secret: password)
            return
        }
        self.init(kind: .passwordAndKeyFile, secret: PasswordPair.joined(password, try KeyFileOnDisk.read(keyFile)))
    }

    static func source(_ context: Context) throws(ClientFailure) -> PasswordSource {
        let source = try PasswordSource(context.options)
        guard source != .terminal || !context.options.noInput else {
            throw ClientFailure(
                .locked, "the present password is needed and --no-input was given", hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
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
                    .locked, "a new password is needed and --no-input was given", hint: "--new-password-file F or --new-password-fd N")
            }
            return .terminal
        }
    }
}
