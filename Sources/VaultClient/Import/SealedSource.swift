// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// An export that is sealed for age: recognised by its first bytes, opened once to see what it holds.
enum SealedSource {
    private static let magic = "age-encryption.org/v1\n"
    private static let armor = "-----BEGIN AGE ENCRYPTED FILE-----"
    /// The first stanza of a file for a passphrase, in the clear and as armor writes it.
    private static let passphraseStanza = "-> scrypt "
    private static let armoredStanza = "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwd"

    static func isSealed(_ head: [UInt8]) -> Bool { head.starts(with: magic.utf8) || isArmored(head) }

    private static func isArmored(_ head: [UInt8]) -> Bool { head.drop { $0 <= 0x20 }.starts(with: armor.utf8) }

    /// Whether a passphrase opens it, so that one may be asked for.
    static func wantsPassphrase(_ head: [UInt8]) -> Bool {
        if head.starts(with: (magic + passphraseStanza).utf8) { return true }
        guard isArmored(head) else { return false }
        return head.drop { $0 <= 0x20 }.dropFirst(armor.utf8.count).drop { $0 <= 0x20 }.starts(with: armoredStanza.utf8)
    }

    /// The beginning of what is in it.
    ///
    /// - Parameter file: at its beginning.
    static func head(_ file: Int32, _ opener: AgeOpener, name: String, count: Int) throws(ClientFailure) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))") }
        defer { close(ends[0]) }
        let pid: pid_t
        do throws(ClientFailure) { pid = try opener.start(input: file, output: ends[1]) } catch {
            close(ends[1])
            throw error
        }
        close(ends[1])
        var bytes: [UInt8] = []
        while bytes.count < count {
            var piece = [UInt8](repeating: 0, count: count - bytes.count)
            let got = unsafe piece.withUnsafeMutableBytes { unsafe read(ends[0], $0.baseAddress!, $0.count) }
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

/// How the files of a source are opened on their way to the parser.
enum Decryption {
    case gpg(String)
    case age(AgeOpener)

    /// - Parameter input: the file, at its beginning.
    func start(input: Int32, output: Int32) throws(ClientFailure) -> pid_t {
        switch self {
        case .gpg(let program):
            try ChildProgram.start(
                program, ["--batch", "--quiet", "--decrypt"], environment: ContainerEntry.environmentOfGPG, input: input, output: output)
        case .age(let opener): try opener.start(input: input, output: output)
        }
    }
}
