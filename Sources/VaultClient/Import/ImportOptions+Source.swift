// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import ParserProtocol
internal import SecretMemory

/// `SealedOptions` holds what opens an export that is sealed for age.
struct SealedOptions: Sendable, Equatable {
    /// A file with secret keys.
    var identity: String?
    var passphraseFile: String?
    var passphraseDescriptor: Int32?

    var givenCount: Int { [identity != nil, passphraseFile != nil, passphraseDescriptor != nil].count { $0 } }
}

extension ImportOptions {
    /// Returns the source, open, with what decrypts it.
    ///
    /// - Throws: `.usage` when nothing was given that decrypts it, or something that decrypts nothing;
    ///   `.wrongPassword`.
    func source(_ context: Context) throws(ClientFailure) -> ImportSource {
        var source = try ImportSource(path) { file throws(ClientFailure) in
            guard let opener = try sealed.opener(asks: file.wantsPassphrase, context) else {
                throw .usage(
                    "\(file.name) is encrypted with age", hint: "--identity FILE, the key that it was encrypted for")
            }
            return opener
        }
        if source.isFolder {
            source.opener = try sealed.opener(asks: false, context)
            source.gpg = ProgramPath.find("gpg").map { GPGProgram(path: $0, environment: Self.environmentOfGPG) }
        } else if !source.isSealed, sealed.givenCount > 0 {
            throw .usage(
                "\(VisibleText.escaped(source.name)) is not encrypted with age, so there is nothing to decrypt",
                hint: "leave out --identity and --passphrase-file")
        }
        return source
    }

    /// gpg asks for its passphrase on the terminal that `GPG_TTY` names.
    private static var environmentOfGPG: [String] {
        guard Environment.text("GPG_TTY") == nil, let name = unsafe ttyname(Streams.talk) else {
            return Environment.all
        }
        return Environment.all(with: [("GPG_TTY", unsafe String(cString: name))])
    }

    /// Returns the time zone: `--timezone`, else TZ, else the machine's.
    ///
    /// - Throws: `.usage` for a zone that this system does not know.
    func zone() throws(ClientFailure) -> ImportZone {
        let hint = "--timezone Europe/Berlin, or --timezone +02:00"
        if let timeZone {
            guard let zone = ImportZone.zone(timeZone) else {
                throw .usage("this system knows no time zone called '\(VisibleText.escaped(timeZone))'", hint: hint)
            }
            return zone
        }
        guard let text = Environment.text("TZ") else { return .machine }
        guard let zone = ImportZone.variable(text) else {
            throw .usage("TZ names no time zone that this system knows: '\(VisibleText.escaped(text))'", hint: hint)
        }
        return zone
    }

    /// Checks whether a password for private notes has something to do: one that has not was given by mistake, and is
    /// never passed over.
    ///
    /// - Throws: `.usage`, before anything is imported.
    func checkPassword(_ source: borrowing ImportSource, is format: ImportFormat, _ zone: ImportZone)
        throws(ClientFailure)
    {
        guard !NotePassword.isTyped(passwords) else { return }
        guard try !source.mayHoldPrivateNotes(format, zone, isCancelled: { Interrupts.take() }) else { return }
        let reason =
            format.declaration.privateNotes != .none
            ? "there is no private note in \(VisibleText.escaped(source.name))"
            : "an import of \(format.rawValue) makes no private notes"
        throw .usage(
            "\(reason), so the password would have no effect",
            hint: "leave out --note-password-file and --note-password-fd")
    }
}

extension SealedOptions {
    /// Returns what opens an encrypted export; nil when nothing was given and nothing may be asked for.
    ///
    /// - Parameter asks: whether a passphrase may be asked for when nothing was given.
    fileprivate func opener(asks: Bool, _ context: Context) throws(ClientFailure) -> AgeOpener? {
        guard givenCount <= 1 else {
            throw .usage(
                "only one way to decrypt the export can be given",
                hint: "--identity FILE, or --passphrase-file F, or --passphrase-fd N")
        }
        if let identity { return try Self.withIdentities(identity) }
        let source: PasswordSource
        if let passphraseFile {
            source = .file(passphraseFile)
        } else if let passphraseDescriptor {
            source = .descriptor(passphraseDescriptor)
        } else {
            guard asks else { return nil }
            guard !context.options.noInput else {
                throw ClientFailure(
                    .locked, "a passphrase is needed and --no-input was given",
                    hint: "--passphrase-file F or --passphrase-fd N")
            }
            source = .terminal
        }
        let passphrase = try WantedSecret.exportPassphrase.from { () throws(ClientFailure) -> SecretBytes in
            try source.read(prompt: "Passphrase of the export: ")
        }
        return try AgeOpener(passphrase: passphrase)
    }

    private static func withIdentities(_ path: String) throws(ClientFailure) -> AgeOpener {
        let shown = VisibleText.escaped(path)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other,
                "cannot read the identity file \(shown): \(SystemError.text(errno))",
                hint: "--identity FILE names a file with the line AGE-SECRET-KEY-1…")
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            defer { close(descriptor) }
            let text = try PasswordSource.mapped { () throws(PasswordReader.Failure) in
                try PasswordReader.read(descriptor: descriptor)
            }
            return try AgeOpener(identities: text)
        }
        if status.st_mode & 0o077 != 0 { Streams.warn("other users can read the identity file \(shown); chmod 600 it") }
        return try AgeOpener(identityFile: descriptor)
    }
}
