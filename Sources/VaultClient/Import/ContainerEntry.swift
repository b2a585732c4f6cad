// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// One file of a container, open to be read to its end: as it is, or through what decrypts it.
final class ContainerEntry {
    let modified: Int64?
    private let descriptor: Int32
    private var decryptor: pid_t?

    init(descriptor: Int32, modified: Int64?) {
        self.descriptor = descriptor
        self.modified = modified
    }

    /// The plaintext comes through a pipe, from the decryptor's hand into the parser's. That reads the open file, so that no link is followed; gpg
    /// asks for its passphrase on the terminal that `GPG_TTY` names.
    ///
    /// - Parameter file: closed here.
    init(decrypting file: Int32, modified: Int64?, _ decryption: Decryption) throws(ClientFailure) {
        defer { close(file) }
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))") }
        do throws(ClientFailure) {
            decryptor = try decryption.start(input: file, output: ends[1])
        } catch {
            ends.forEach { close($0) }
            throw error
        }
        close(ends[1])
        descriptor = ends[0]
        self.modified = modified
    }

    deinit {
        close(descriptor)
        if let decryptor {
            kill(decryptor, SIGKILL)
            _ = ChildProgram.wait(for: decryptor)
        }
    }

    /// - Returns: nothing at the end; nil when it cannot be read to its end.
    func read(max: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: max)
        while true {
            let got = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress!, $0.count) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return nil }
            guard got == 0, let pid = decryptor else { return Array(bytes[0..<got]) }
            decryptor = nil
            return ChildProgram.wait(for: pid) == 0 ? [] : nil
        }
    }

    static var environmentOfGPG: [String] {
        guard Environment.text("GPG_TTY") == nil, let name = unsafe ttyname(Streams.talk) else { return Environment.all }
        return Environment.all(with: [("GPG_TTY", unsafe String(cString: name))])
    }
}
