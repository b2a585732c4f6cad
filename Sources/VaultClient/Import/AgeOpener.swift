// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import SecretMemory

/// Opens age files for an import, each in a process of the agent's program: this one has no cryptography, and the running agent's keys stay out of it.
final class AgeOpener {
    private let kind: String
    /// A file of identities, open; or -1.
    private let identities: Int32
    /// A passphrase, or identities that came through a pipe.
    private let secret: SecretBytes
    private let program: String

    private init(_ kind: String, identities: Int32, _ secret: consuming SecretBytes) throws(ClientFailure) {
        self.kind = kind
        self.identities = identities
        self.secret = secret
        program = try Programs.path(of: "vault-agent")
    }

    deinit { if identities >= 0 { close(identities) } }

    /// - Parameter asks: whether a passphrase may be asked for when nothing was given.
    /// - Returns: nil when nothing was given.
    static func make(_ options: SealedOptions, asks: Bool, _ context: Context) throws(ClientFailure) -> AgeOpener? {
        guard options.givenCount <= 1 else {
            throw .usage("only one way to decrypt the export can be given", hint: "--identity FILE, or --passphrase-file F, or --passphrase-fd N")
        }
        if let path = options.identity { return try withIdentities(path) }
        let source: PasswordSource
        if let file = options.passphraseFile {
            source = .file(file)
        } else if let descriptor = options.passphraseDescriptor {
            source = .descriptor(descriptor)
        } else {
            guard asks else { return nil }
            guard !context.options.noInput else {
                throw ClientFailure(.locked, "a passphrase is needed and --no-input was given", hint: "--passphrase-file F or --passphrase-fd N")
            }
            source = .terminal
        }
        let passphrase = try WantedSecret.exportPassphrase.from { () throws(ClientFailure) -> SecretBytes in
            try source.read(prompt: "Passphrase of the export: ")
        }
        return try AgeOpener(SealedFileExit.passphrase, identities: -1, passphrase)
    }

    private static func withIdentities(_ path: String) throws(ClientFailure) -> AgeOpener {
        let shown = VisibleText.escaped(path)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot read the identity file \(shown): \(SystemError.text(errno))",
                hint: "--identity FILE names a file with the line AGE-SECRET-KEY-1…")
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            defer { close(descriptor) }
            let text = try PasswordSource.mapped { () throws(PasswordReader.Failure) in try PasswordReader.read(descriptor: descriptor) }
            return try AgeOpener(SealedFileExit.identities, identities: -1, text)
        }
        if status.st_mode & 0o077 != 0 { Streams.warn("other users can read the identity file \(shown); chmod 600 it") }
        return try AgeOpener(SealedFileExit.identities, identities: descriptor, SecretBytes(zeroes: 1))
    }

    /// Starts the process that opens one file.
    ///
    /// - Parameters:
    ///   - input: the file, at its beginning.
    ///   - output: where its content goes.
    func start(input: Int32, output: Int32) throws(ClientFailure) -> pid_t {
        guard identities < 0 else { return try spawn(input, output, identities) }
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))") }
        defer { close(ends[0]) }
        // At most 4 KiB: a pipe holds that before anybody reads it.
        unsafe secret.withUnsafeBytes { bytes in _ = unsafe write(ends[1], bytes.baseAddress!, bytes.count) }
        close(ends[1])
        return try spawn(input, output, ends[0])
    }

    private func spawn(_ input: Int32, _ output: Int32, _ secret: Int32) throws(ClientFailure) -> pid_t {
        var pid: pid_t = 0
        let started = unsafe CStrings.with(["vault-agent", SealedFileExit.command, kind]) { words in
            unsafe CStrings.with([]) { variables in unsafe vs_spawn_opener(program, words, variables, input, output, secret, &pid) }
        }
        guard started == 0 else { throw ClientFailure(.other, "cannot start vault-agent: \(SystemError.text(errno))") }
        return pid
    }

    /// What the process's end says of a file, when it says something.
    func failure(_ code: Int32, of name: String) -> ClientFailure? {
        let file = VisibleText.escaped(name)
        switch SealedFileExit(rawValue: code) {
        case .done: return nil
        case .noMatch:
            let what = kind == SealedFileExit.identities ? "no identity in the file opens \(file)" : "this passphrase does not open \(file)"
            return ClientFailure(.wrongPassword, what, hint: "--identity FILE with the key that it was encrypted for, or --passphrase-file F")
        case .unsupported:
            return ClientFailure(.other, "\(file) is encrypted in a way that is not supported", hint: "open it with age, and import what it writes")
        case .tooExpensive:
            return ClientFailure(
                .other, "the passphrase of \(file) needs more memory than is allowed", hint: "open it with age, and import what it writes")
        case .badIdentity:
            return .usage("the identity file holds no key that is supported", hint: "one AGE-SECRET-KEY-1… on each line, as age-keygen writes them")
        case .sealedIdentity:
            return .usage("the identity file is itself encrypted", hint: "vault import … --identity <(age -d key.age)")
        case .damaged: return ClientFailure(.integrity, "\(file) is not an age file, or it was truncated or altered")
        case .inputOutput, .failSafe, nil: return ClientFailure(.other, "\(file) cannot be opened", hint: "vault doctor")
        }
    }
}

/// What opens an export that is sealed for age.
public struct SealedOptions: Sendable, Equatable {
    /// A file with secret keys.
    public var identity: String?
    public var passphraseFile: String?
    public var passphraseDescriptor: Int32?

    public init() {}

    var givenCount: Int { [identity != nil, passphraseFile != nil, passphraseDescriptor != nil].count { $0 } }
}
