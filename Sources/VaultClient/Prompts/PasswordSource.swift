// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import SecretMemory

/// `PasswordSource` gives a password: from a file, a descriptor, a program, or the terminal. Never an argument or the
/// environment.
enum PasswordSource: Equatable {
    case file(String)
    case descriptor(Int32)
    case program(String)
    case terminal
    /// A program that asks a person, in a window or on the terminal.
    case pinentry(String)

    /// Whether a person is asked, who may slip.
    var asksSomebody: Bool {
        switch self {
        case .terminal, .pinentry: true
        case .file, .descriptor, .program: false
        }
    }

    /// Chooses the source that the options, the environment or the settings name; the terminal if they name none.
    ///
    /// - Throws: `.usage` when more than one source is named, or `NOTEVAULT_ASKPASS` is not a full path; `.notFound`
    ///   for a pinentry that is not there.
    init(_ context: Context) throws(ClientFailure) {
        let options = context.options
        switch (options.passwordFile, options.passwordDescriptor) {
        case (.some, .some):
            throw .usage("--password-file and --password-fd cannot both be given")
        case (.some(let file), nil): self = .file(file)
        case (nil, .some(let descriptor)): self = .descriptor(descriptor)
        case (nil, nil):
            guard let program = Environment.text("NOTEVAULT_ASKPASS"), !program.isEmpty else {
                self = try Self.pinentry(context.settingsOrDefaults.pinentry).map { .pinentry($0) } ?? .terminal
                return
            }
            guard program.hasPrefix("/") else {
                throw .usage(
                    "NOTEVAULT_ASKPASS must be the full path of a program", hint: "NOTEVAULT_ASKPASS=/usr/bin/…")
            }
            self = .program(program)
        }
    }

    /// Returns the pinentry that the setting names: `auto` is the one that the system has chosen.
    private static func pinentry(_ setting: String) throws(ClientFailure) -> String? {
        guard setting != "off" else { return nil }
        let name = setting == "auto" ? "pinentry" : setting
        guard let path = ProgramPath.find(name) else {
            throw ClientFailure(
                .notFound, "the pinentry program \(VisibleText.escaped(name)) is not there",
                hint: "install the package pinentry-curses; or vault config set pinentry off")
        }
        return path
    }

    /// Reads the password once.
    ///
    /// - Parameter prompt: for the terminal, or the program's one argument.
    func read(prompt: String) throws(ClientFailure) -> SecretBytes {
        switch self {
        case .file(let path): return try Self.readFile(path)
        case .descriptor(let number): return try Self.readDescriptor(number)
        case .program(let path): return try AskpassProgram.run(path, prompt: prompt)
        case .pinentry(let path): return try PinentryProgram.run(path, prompt: prompt)
        case .terminal:
            return try Self.mapped { () throws(PasswordReader.Failure) in try PasswordReader.ask(prompt: prompt) }
        }
    }

    private static func readFile(_ path: String) throws(ClientFailure) -> SecretBytes {
        let name = VisibleText.escaped(path)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            let code: ClientFailure = ClientFailure(
                errno == ENOENT ? .notFound : .other,
                "cannot read the password file \(name): \(SystemError.text(errno))")
            throw code
        }
        defer { close(descriptor) }
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0,
            !isCredential(path)
        {
            Streams.warn("other users can read the password file \(name); chmod 600 it")
        }
        return try mapped { () throws(PasswordReader.Failure) in try PasswordReader.read(descriptor: descriptor) }
    }

    /// Returns whether systemd has opened a credential there for this service alone: it grants the right to read it in
    /// a list of its own, of which the mode shows a part.
    private static func isCredential(_ path: String) -> Bool {
        Environment.text("CREDENTIALS_DIRECTORY").map { $0.hasPrefix("/") && path.hasPrefix($0 + "/") } ?? false
    }

    private static func readDescriptor(_ number: Int32) throws(ClientFailure) -> SecretBytes {
        guard number >= 0, fcntl(number, F_GETFD) != -1 else {
            throw .usage("descriptor \(number) is not open", hint: "vault … --password-fd 3 3<file")
        }
        defer { close(number) }
        return try mapped { () throws(PasswordReader.Failure) in try PasswordReader.read(descriptor: number) }
    }

    /// Translates the reader's failures; none of them holds what was read.
    static func mapped(
        _ body: () throws(PasswordReader.Failure) -> SecretBytes
    ) throws(ClientFailure) -> SecretBytes {
        do {
            return try body()
        } catch {
            throw Self.failure(error)
        }
    }

    static func failure(_ failure: PasswordReader.Failure) -> ClientFailure {
        switch failure {
        case .tooLong:
            .usage(
                "the password is longer than \(PasswordReader.byteCountMax) bytes",
                hint: "it is never cut; use a shorter one")
        case .empty: .usage("the password is empty", hint: "")
        case .interrupted: ClientFailure(.interrupted, "interrupted")
        case .noTerminal:
            ClientFailure(
                .locked, "a password is needed and there is no terminal to ask on",
                hint: "--password-file F, --password-fd N or NOTEVAULT_ASKPASS")
        default: ClientFailure(.other, "the password cannot be read")
        }
    }
}

extension Environment {
    /// Warns of a password in the environment, which is seen by every child and by `ps e`: it is never used.
    static func warnAboutPasswords() {
        for name in ["NOTEVAULT_PASSWORD", "NOTEVAULT_PASSPHRASE", "VAULT_PASSWORD"] {
            guard unsafe getenv(name) != nil else { continue }
            Streams.warn(
                "\(name) is not read: other programs can see it; use --password-file, --password-fd or NOTEVAULT_ASKPASS"
            )
        }
    }
}
