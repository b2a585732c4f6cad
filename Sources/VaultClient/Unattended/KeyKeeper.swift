// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `KeeperChoice` says where the key for syncing without anybody is kept: the values of the setting `sync.unattended`.
public enum KeeperChoice: String, Sendable, CaseIterable {
    case off, keyring, tpm
}

/// `KeyKeeper` keeps the key with which a machine syncs where nobody types a password: in the session's keyring
/// (`secret-tool`, the Secret Service), or in a file that this machine's TPM alone opens (`systemd-creds`).
///
/// Neither the key nor anything of it is in an argument, a variable or a file that opens elsewhere.
struct KeyKeeper {
    /// Where the key is; never `off`.
    let choice: KeeperChoice
    /// The vault's identifier in hexadecimal, by which its key is found.
    private let vault: String
    private let program: String
    /// A keyring may ask its owner to unlock it, and a TPM takes its time; in milliseconds.
    private static let millisecondsMax = 30_000
    /// What the key is called where systemd keeps it.
    static let credentialName = "vault-unattended"

    /// - Throws: `.notFound` when the program that keeps it is not installed, `.failSafe` when others can change it.
    init(_ choice: KeeperChoice, _ location: VaultLocation) throws(ClientFailure) {
        precondition(choice != .off, "where nothing is kept there is no keeper")
        self.choice = choice
        vault = Self.hexadecimal(try location.vaultID())
        let (name, package) = choice == .keyring ? ("secret-tool", "libsecret-tools") : ("systemd-creds", "systemd")
        guard let found = ProgramPath.find(name) else {
            throw ClientFailure(
                .notFound, "\(name) is not installed, and it keeps the key", hint: "install the package \(package)")
        }
        try SecretProgram.requireTrusted(found, called: name)
        program = found
    }

    /// Stores a key, and reads it back: a keeper that keeps nothing is noticed now and not in the first night.
    func keep(_ key: borrowing SecretBytes) throws(ClientFailure) {
        switch choice {
        case .off: return
        case .keyring:
            let words = ["store", "--label=vault: a key for syncing without a password"] + attributes
            try mapped { () throws(SecretProgram.Failure) in
                try SecretProgram.give(key, to: program, words, within: Self.millisecondsMax)
            }
        case .tpm:
            let path = try credentialFile(isMade: true)
            let words = scope + ["encrypt", "--name=" + Self.credentialName, "--with-key=host+tpm2", "-", path]
            try mapped { () throws(SecretProgram.Failure) in
                try SecretProgram.give(key, to: program, words, within: Self.millisecondsMax)
            }
        }
        guard try kept().matches(key) else {
            throw ClientFailure(.other, "\(description) gave back another key than it was given")
        }
    }

    /// Returns the key.
    ///
    /// - Throws: `.locked` when the keeper does not give it.
    func kept() throws(ClientFailure) -> SecretBytes {
        if choice == .tpm, let folder = Environment.text("CREDENTIALS_DIRECTORY"), folder.hasPrefix("/") {
            let path = folder + "/" + Self.credentialName
            // systemd has opened it for this service.
            if unsafe access(path, R_OK) == 0 { return try PasswordSource.file(path).read(prompt: "") }
        }
        let words =
            choice == .keyring
            ? ["lookup"] + attributes
            : scope + ["decrypt", "--name=" + Self.credentialName, try credentialFile(isMade: false), "-"]
        return try mapped { () throws(SecretProgram.Failure) in
            try SecretProgram.secret(of: program, words, within: Self.millisecondsMax)
        }
    }

    /// Forgets the key, if it is there.
    func forget() throws(ClientFailure) {
        switch choice {
        case .off: return
        case .keyring: _ = try ChildProgram.run(program, ["clear"] + attributes)
        case .tpm: unsafe unlink(try credentialFile(isMade: false))
        }
    }

    /// What keeps the key, within a sentence.
    var description: String { choice == .keyring ? "the session's keyring" : "this machine's TPM" }

    private var attributes: [String] { ["service", "notevault", "vault", vault] }

    /// Of a user's own manager, unless the whole machine is meant.
    private var scope: [String] { geteuid() == 0 ? [] : ["--user"] }

    private func credentialFile(isMade: Bool) throws(ClientFailure) -> String {
        guard let state = PlaceChecks.stateDirectory else {
            throw .usage("HOME is not set, so there is no place for the encrypted key", hint: "set HOME")
        }
        let folder = state + "/unattended"
        if isMade {
            for path in [state, folder] {
                guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                    throw SystemError.failure("cannot make \(VisibleText.escaped(path))", errno)
                }
            }
        }
        return folder + "/" + vault
    }

    private func mapped<Value: ~Copyable>(
        _ body: () throws(SecretProgram.Failure) -> Value
    ) throws(ClientFailure) -> Value {
        do { return try body() } catch {
            switch error {
            case .notStarted(let reason): throw SecretProgram.cannot(ProgramPath.lastName(program), program, reason)
            case .tookTooLong:
                throw ClientFailure(
                    .locked, "\(description) did not answer in \(Self.millisecondsMax / 1000) s",
                    hint: choice == .keyring ? "log in to the desktop, which unlocks the keyring" : "vault unlock")
            case .tooLong, .gaveNothing:
                throw ClientFailure(
                    .locked, "\(description) keeps no key of this vault, or does not give it",
                    hint: choice == .keyring
                        ? "unlock the keyring; or vault sync unattended keyring"
                        : "vault sync unattended tpm; without root it needs systemd 256 or newer")
            }
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
