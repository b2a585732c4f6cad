// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `BackupRestoring` runs `vault backup restore`: a vault of an archive or of a snapshot, where there is none. An agent
/// of its own does it; no other vault is open in it.
enum BackupRestoring {
    static func run(
        _ path: String, snapshot: String?, recovery: Bool, as identity: RestoreVault.Identity = .automatic,
        salvage: Bool = false, _ key: KeyOptions, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        guard !location.hasHeader else {
            throw ClientFailure(
                .conflict, "there is already a vault in \(location.name)",
                hint: "vault --vault NEWDIR backup restore \(ShellWord.quoted(path))")
        }
        try VaultFolders.refuseInside(String(decoding: location.directory, as: UTF8.self))
        let (source, isFolder) = try open(path)
        defer { if source != 0 { close(source) } }
        guard isFolder || snapshot == nil else {
            throw .usage("an archive has no snapshots", hint: "leave the second name out")
        }
        guard isFolder || !salvage else {
            throw .usage(
                "'--salvage' is for the folder of a backup", hint: "an archive is restored whole, or not at all")
        }
        if !isFolder, source != 0 { try refuseSealedForAge(source, path, context) }
        let what = isFolder ? "of the vault at that time" : "of the archive"
        let present = try credential(recovery: recovery, what, context)
        // A recovery key is no password; and who gives a new one wants it.
        let wantsNew = key.newPasswordFile != nil || key.newPasswordDescriptor != nil || (recovery && !isFolder)
        let new =
            wantsNew
            ? try NewPassword.get(try GivenKey.newSource(key, context), prompt: "New password of the vault: ")
            : SecretBytes(zeroes: 0)
        var restoring = RestoreVault(
            directory: location.directory, snapshot: isFolder ? snapshot ?? "" : nil, credential: present.kind)
        restoring.kdfTargetMilliseconds = key.kdfTargetMilliseconds
        restoring.identity = identity
        restoring.salvage = salvage
        let secret = PasswordPair.joined(present.secret, new)
        let outcome = try Session.withNewAgent(context) { conversation throws(ClientFailure) in
            try conversation.perform(restoring, Enclosure(secret: secret.duplicate(), descriptor: source))
        }
        guard outcome.code == .ok || outcome.code == .doneWithLosses else { return outcome }
        let next = context.options.vault.map { "vault --vault " + ShellWord.quoted($0) } ?? "vault"
        context.reporter.talk("the vault is in \(location.name); next: \(next) unlock")
        if !isFolder, !recovery {
            context.reporter.talk(
                "it has the archive's password and no recovery key: \(next) passwd, \(next) recovery new")
        }
        return outcome
    }

    /// Refuses an archive that `vault export vault --encrypt-to` has sealed once more, which age opens first. It needs
    /// age's passphrase or identity, which is not a credential of the vault; the archive's password is asked for after
    /// that.
    private static func refuseSealedForAge(_ file: Int32, _ path: String, _ context: Context) throws(ClientFailure) {
        var begin = [UInt8](repeating: 0, count: 4096)
        let got = unsafe begin.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, 0) }
        let text = begin.prefix(max(0, got))
        let isBinary = text.starts(with: Array("age-encryption.org/v1\n".utf8))
        guard isBinary || text.starts(with: Array("-----BEGIN AGE ENCRYPTED FILE-----".utf8)) else { return }
        // Of an armored one the stanzas are not looked at: age asks for what it needs.
        let isForPassphrase = String(decoding: text, as: UTF8.self).contains("\n-> scrypt ")
        let identity = isForPassphrase || !isBinary ? "" : " -i KEY"
        let vault = context.options.vault.map { "--vault " + ShellWord.quoted($0) + " " } ?? ""
        throw .usage(
            "\(VisibleText.escaped(path)) is sealed with age\(isForPassphrase ? " by a passphrase" : "")",
            hint: "age -d\(identity) \(ShellWord.quoted(path)) | vault \(vault)backup restore -")
    }

    /// Opens a file, a folder, or `-` for standard input.
    private static func open(_ path: String) throws(ClientFailure) -> (descriptor: Int32, isFolder: Bool) {
        if path == "-" {
            guard isatty(0) == 0 else { throw .usage("an archive cannot be typed", hint: "vault backup restore FILE") }
            return (0, false)
        }
        var status = stat()
        let name = VisibleText.escaped(path)
        guard unsafe stat(path, &status) == 0 else {
            throw ClientFailure(errno == ENOENT ? .notFound : .other, "cannot read \(name): \(SystemError.text(errno))")
        }
        if status.st_mode & S_IFMT == S_IFDIR { return (try BackupPlace.open(path), true) }
        let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { throw ClientFailure(.other, "cannot read \(name): \(SystemError.text(errno))") }
        return (file, false)
    }

    private static func credential(recovery: Bool, _ what: String, _ context: Context) throws(ClientFailure)
        -> Credential
    {
        recovery ? try GivenKey.recovery(context) : try GivenKey.present(context, prompt: "Password \(what): ")
    }
}
