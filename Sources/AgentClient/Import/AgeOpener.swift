// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc
public import SecretMemory

/// `AgeOpener` opens age files for an import, each in a process of the agent's program: this one has no cryptography,
/// and the running agent's keys stay out of it.
public final class AgeOpener {
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

    /// Prepares to open files that are encrypted with a passphrase.
    ///
    /// - Parameter passphrase: at most 4,096 bytes.
    /// - Throws: `.failSafe` for a program that others could have changed, `.other` when it is missing.
    public convenience init(passphrase: consuming SecretBytes) throws(ClientFailure) {
        try self.init(SealedFileExit.passphrase, identities: -1, passphrase)
    }

    /// Prepares to open files with age identities that are given as text.
    ///
    /// - Parameter identities: lines with `AGE-SECRET-KEY-1…`, at most 4,096 bytes.
    public convenience init(identities: consuming SecretBytes) throws(ClientFailure) {
        try self.init(SealedFileExit.identities, identities: -1, identities)
    }

    /// Prepares to open files with age identities that are read from a file.
    ///
    /// - Parameter identityFile: a regular file with lines `AGE-SECRET-KEY-1…`, open for reading; this object closes
    ///   it.
    public convenience init(identityFile: Int32) throws(ClientFailure) {
        try self.init(SealedFileExit.identities, identities: identityFile, SecretBytes(zeroes: 1))
    }

    /// Starts the process that opens one file.
    ///
    /// - Parameters:
    ///   - input: the file, at its beginning.
    ///   - output: where its content goes.
    func start(input: Int32, output: Int32) throws(ClientFailure) -> pid_t {
        guard identities < 0 else { return try spawn(input, output, identities) }
        var pipe = try Pipe()
        // At most 4 KiB: a pipe holds that before anybody reads it.
        unsafe secret.withUnsafeBytes { bytes in _ = unsafe write(pipe.writingEnd, bytes.baseAddress!, bytes.count) }
        pipe.closeWriting()
        return try spawn(input, output, pipe.readingEnd)
    }

    private func spawn(_ input: Int32, _ output: Int32, _ secret: Int32) throws(ClientFailure) -> pid_t {
        var pid: pid_t = 0
        let started = unsafe CStrings.with(["vault-agent", SealedFileExit.command, kind]) { words in
            unsafe CStrings.with([]) { variables in
                unsafe vs_spawn_opener(program, words, variables, input, output, secret, &pid)
            }
        }
        guard started == 0 else { throw ClientFailure(.other, "cannot start vault-agent: \(SystemError.text(errno))") }
        return pid
    }

    /// Returns what the process's end says of a file, when it says something.
    func failure(_ code: Int32, of name: String) -> ClientFailure? {
        let file = VisibleText.escaped(name)
        switch SealedFileExit(rawValue: code) {
        case .done: return nil
        case .noMatch:
            let what =
                kind == SealedFileExit.identities
                ? "no identity in the file opens \(file)" : "this passphrase does not open \(file)"
            return ClientFailure(
                .wrongPassword, what,
                hint: "--identity FILE with the key that it was encrypted for, or --passphrase-file F")
        case .unsupported:
            return ClientFailure(
                .other, "\(file) is encrypted in a way that is not supported",
                hint: "open it with age, and import what it writes")
        case .tooExpensive:
            return ClientFailure(
                .other, "the passphrase of \(file) needs more memory than is allowed",
                hint: "open it with age, and import what it writes")
        case .badIdentity:
            return .usage(
                "the identity file holds no key that is supported",
                hint: "one AGE-SECRET-KEY-1… on each line, as age-keygen writes them")
        case .sealedIdentity:
            return .usage("the identity file is itself encrypted", hint: "vault import … --identity <(age -d key.age)")
        case .damaged: return ClientFailure(.integrity, "\(file) is not an age file, or it was truncated or altered")
        case .inputOutput, .failSafe, nil:
            return ClientFailure(.other, "\(file) cannot be opened", hint: "vault doctor")
        }
    }
}

/// `SealedSource` is an export that is sealed for age: recognised by its first bytes, opened once to see what it holds.
enum SealedSource {
    private static let magic = "age-encryption.org/v1\n"
    private static let armor = "-----BEGIN AGE ENCRYPTED FILE-----"
    /// The first stanza of a file for a passphrase, in the clear and as armor writes it.
    private static let passphraseStanza = "-> scrypt "
    private static let armoredStanza = "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwd"

    static func isSealed(_ head: [UInt8]) -> Bool { head.starts(with: magic.utf8) || isArmored(head) }

    private static func isArmored(_ head: [UInt8]) -> Bool { head.drop { $0 <= 0x20 }.starts(with: armor.utf8) }

    /// Returns whether a passphrase opens it, so that one may be asked for.
    static func wantsPassphrase(_ head: [UInt8]) -> Bool {
        if head.starts(with: (magic + passphraseStanza).utf8) { return true }
        guard isArmored(head) else { return false }
        return head.drop { $0 <= 0x20 }.dropFirst(armor.utf8.count).drop { $0 <= 0x20 }.starts(with: armoredStanza.utf8)
    }

    /// Returns the beginning of what is in it.
    ///
    /// - Parameter file: at its beginning.
    static func head(_ file: Int32, _ opener: AgeOpener, name: String, count: Int) throws(ClientFailure) -> [UInt8] {
        var pipe = try Pipe()
        let pid = try opener.start(input: file, output: pipe.writingEnd)
        pipe.closeWriting()
        var bytes: [UInt8] = []
        while bytes.count < count {
            var piece = [UInt8](repeating: 0, count: count - bytes.count)
            let got = unsafe piece.withUnsafeMutableBytes { unsafe read(pipe.readingEnd, $0.baseAddress!, $0.count) }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { break }
            bytes += piece[..<got]
        }
        if bytes.count == count { kill(pid, SIGKILL) }
        let code = ChildProgram.wait(for: pid)
        // What is cut or altered further on is the import's to tell.
        if bytes.isEmpty, let failure = opener.failure(code, of: name) { throw failure }
        return bytes
    }
}
