// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `KeyKeeper` keeps one key with which a machine syncs where nobody types a password: in the session's keyring
/// (`secret-tool`, the Secret Service), or in a file that this machine's TPM alone opens (`systemd-creds`).
///
/// Neither the key nor anything of it is in an argument, a variable or a file that opens elsewhere.
struct KeyKeeper {
    /// Where the key is; never `off`.
    let choice: KeeperChoice
    /// The vault's identifier in hexadecimal, and the key's tag: by both it is found.
    private let vault: String
    private let tag: String
    private let program: String
    /// A keyring may ask its owner to unlock it, and a TPM takes its time; in milliseconds.
    private static let millisecondsMax = 30_000
    /// What the key is called where systemd keeps it.
    private static let credentialName = "vault-unattended"

    /// - Throws: `.notFound` when the program that keeps it is not installed, `.failSafe` when others can change it.
    init(_ choice: KeeperChoice, of vault: String, tag: String) throws(ClientFailure) {
        precondition(choice != .off, "where nothing is kept there is no keeper")
        (self.choice, self.vault, self.tag) = (choice, vault, tag)
        let (name, package) = choice == .keyring ? ("secret-tool", "libsecret-tools") : ("systemd-creds", "systemd")
        guard let found = ProgramPath.find(name) else {
            throw ClientFailure(
                .notFound, "\(name) is not installed, and it keeps the key", hint: "install the package \(package)")
        }
        try SecretProgram.requireTrusted(found, called: name)
        program = found
    }

    /// Stores a key, and reads it back: a keeper that keeps nothing is noticed now and not in the first night. What it
    /// did not keep well is forgotten again.
    func keep(_ key: borrowing SecretBytes) throws(ClientFailure) {
        do throws(ClientFailure) {
            let words =
                choice == .keyring
                ? ["store", "--label=vault: a key for syncing without a password"] + attributes
                : scope + [
                    "encrypt", "--name=" + Self.credentialName, "--with-key=host+tpm2", "-", try credentialFile(),
                ]
            do throws(SecretProgram.Failure) {
                try SecretProgram.give(key, to: program, words, within: Self.millisecondsMax)
            } catch { throw failure(error) }
            if choice == .tpm { try requireTPM() }
            guard try kept().matches(key) else {
                throw ClientFailure(.other, "\(description) gave back another key than it was given")
            }
        } catch {
            try? forget()
            throw error
        }
    }

    /// Returns the key.
    ///
    /// - Throws: `.locked` when the keeper does not give it.
    func kept() throws(ClientFailure) -> SecretBytes {
        let words =
            choice == .keyring
            ? ["lookup"] + attributes
            : scope + ["decrypt", "--name=" + Self.credentialName, try credentialFile(), "-"]
        do throws(SecretProgram.Failure) {
            return try SecretProgram.secret(of: program, words, within: Self.millisecondsMax)
        } catch { throw failure(error) }
    }

    /// Forgets the key.
    ///
    /// - Throws: `.other` when it may still be there: a keyring that is locked forgets nothing, and says nothing of it.
    func forget() throws(ClientFailure) {
        switch choice {
        case .off: return
        case .tpm:
            let path = try credentialFile()
            guard unsafe unlink(path) == 0 || errno == ENOENT else {
                throw SystemError.failure("cannot remove \(VisibleText.escaped(path))", errno)
            }
        case .keyring:
            // It ends with 1 where there is nothing to forget, and where the keyring is locked: a search tells.
            let search = ["search", "--all"] + attributes
            _ = try? SecretProgram.give(nothing, to: program, ["clear"] + attributes, within: Self.millisecondsMax)
            do throws(SecretProgram.Failure) {
                try SecretProgram.give(nothing, to: program, search, within: Self.millisecondsMax)
            } catch { throw stillThere }
            guard (try? SecretProgram.secret(of: program, search, within: Self.millisecondsMax)) == nil else {
                throw stillThere
            }
        }
    }

    /// What keeps the key, within a sentence.
    var description: String { choice == .keyring ? "the session's keyring" : "this machine's TPM" }

    private var stillThere: ClientFailure {
        ClientFailure(
            .other, "\(description) still has the key, or cannot be asked",
            hint: "unlock the keyring, and run the command again")
    }

    private var nothing: SecretBytes { SecretBytes(zeroes: 0) }

    private var attributes: [String] { ["service", "notevault", "vault", vault, "key", tag] }

    /// Of a user's own manager, unless the whole machine is meant.
    private var scope: [String] { geteuid() == 0 ? [] : ["--user"] }

    private func credentialFile() throws(ClientFailure) -> String {
        try UnattendedRecord.folder() + "/" + vault + "-" + tag + ".cred"
    }

    /// Refuses a credential that is sealed without the TPM. For a user the system's service chooses how, whatever is
    /// asked for, and takes the key on the disk alone where there is no TPM.
    ///
    /// Source: systemd, creds-util.h: a credential is base64 of 16 bytes that name its kind, and the rest.
    private func requireTPM() throws(ClientFailure) {
        let descriptor = unsafe open(try credentialFile(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        defer { if descriptor >= 0 { close(descriptor) } }
        let begin = descriptor < 0 ? nil : try? FileBytes.read(descriptor, max: 1 << 16)
        guard let begin, Self.needsTPM(begin) else {
            throw ClientFailure(
                .notFound, "this machine has no TPM that can keep the key", hint: "vault sync unattended keyring")
        }
    }

    /// Returns whether a credential is of none of the kinds that a key on the disk opens, one user's or everybody's, or
    /// nothing at all.
    static func needsTPM(_ credential: [UInt8]) -> Bool {
        let withoutTPM = ["Whxqht+dQJax1aZeCGLx", "VbntHThZTUOoMZ0uuzMq", "BYRp2vb1QySABUnaD46i"]
        return credential.count > 24 && !withoutTPM.contains { credential.starts(with: $0.utf8) }
    }

    private func failure(_ failure: SecretProgram.Failure) -> ClientFailure {
        switch failure {
        case .notStarted(let reason): SecretProgram.cannot(ProgramPath.lastName(program), program, reason)
        case .tookTooLong:
            ClientFailure(
                .locked, "\(description) did not answer in \(Self.millisecondsMax / 1000) s",
                hint: choice == .keyring ? "log in to the desktop, which unlocks the keyring" : "vault unlock")
        case .tooLong, .gaveNothing:
            ClientFailure(
                .locked, "\(description) has no key to this vault, or does not release it",
                hint: choice == .keyring
                    ? "unlock the keyring; or vault sync unattended keyring"
                    : "vault sync unattended tpm; without root it needs systemd 256 or newer")
        }
    }
}
