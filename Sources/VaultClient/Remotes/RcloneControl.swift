// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import SecretMemory

/// `RcloneControl` is rclone's remote control as a child of this process: it asks for what a new remote needs, one
/// question after the other. Its socket, its configuration and its log lie in memory, in a folder that nobody else
/// enters, and are gone with this object.
///
/// Source: rclone.org/rc, `config/create`, `config/update` and `core/obscure`.
@safe
final class RcloneControl {
    static let purpose = "signin"
    /// A rclone that a person has set up by variables would listen to the network, or log what is typed. Without a PATH
    /// it opens no browser: its page is named instead, and a browser that it had started would end with it.
    private static var environment: [String] {
        RcloneRemote.plainEnvironment.filter { !$0.hasPrefix("PATH=") } + ["PATH=/nonexistent"]
    }
    /// What its configuration is called.
    var file: String { folder + "/rclone.conf" }
    private let folder: String
    private let pid: pid_t

    /// An answer of rclone's, in bytes.
    private static let answerByteCountMax = 256 << 10
    private static let secondsToStart = 20

    /// Starts it, and waits until it listens.
    ///
    /// - Parameter waiting: called meanwhile; false gives up.
    /// - Throws: `.conflict` while another one runs, `.other` when it does not start.
    init(_ program: String, while waiting: () throws(ClientFailure) -> Bool) throws(ClientFailure) {
        guard MemoryFolder.holds("/dev/shm") else {
            throw ClientFailure(.other, "there is no folder in memory: /dev/shm is not one", hint: "vault doctor")
        }
        guard let folder = PrivateFolder.only(Self.purpose) else {
            throw ClientFailure(.conflict, "another sign-in is under way", hint: "end that one first")
        }
        self.folder = folder
        let silence = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(silence) }
        // A socket in a folder of our own takes the place of a password.
        let words = [
            "rcd", "--rc-addr", "unix://" + folder + "/s", "--rc-no-auth", "--config", folder + "/rclone.conf",
            "--log-file", folder + "/log",
        ]
        do throws(ClientFailure) {
            pid = try ChildProgram.start(
                program, words, environment: Self.environment, input: silence, output: silence)
        } catch {
            PrivateFolder.remove(folder)
            throw error
        }
        for _ in 0..<Self.secondsToStart * 50 {
            if let line = connected() {
                close(line)
                return
            }
            guard try waiting() else { throw Self.wasGivenUp }
            usleep(20_000)
        }
        throw ClientFailure(.other, "rclone does not answer", hint: "vault remote login in a terminal")
    }

    deinit {
        kill(pid, SIGKILL)
        _ = ChildProgram.wait(for: pid)
        PrivateFolder.remove(folder)
    }

    /// Asks for something, and waits for the answer: somebody may be signing in meanwhile.
    ///
    /// - Parameters:
    ///   - waiting: called five times a second until then; false gives up.
    /// - Throws: `.interrupted` when it is given up, `.other` when rclone ends.
    func call(
        _ path: String, _ body: borrowing SecretBytes, while waiting: () throws(ClientFailure) -> Bool
    ) throws(ClientFailure) -> RcloneAnswer {
        guard let line = connected() else { throw Self.hasEnded }
        defer { close(line) }
        // Version 1.0: the answer ends with the connection.
        let head = Array(
            "POST /\(path) HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: \(body.byteCount)\r\n\r\n".utf8
        )
        let isSent = PipeSignal.ignored {
            unsafe head.withUnsafeBytes { unsafe vs_write_whole(line, $0.baseAddress!, $0.count) == 0 }
                && body.withUnsafeBytes { unsafe vs_write_whole(line, $0.baseAddress!, $0.count) == 0 }
        }
        guard isSent else { throw Self.hasEnded }
        var all = SecretBytes(zeroes: Self.answerByteCountMax)
        var count = 0
        while count < all.byteCount {
            var look = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&look, 1, 200) > 0 else {
                guard try waiting() else { throw Self.wasGivenUp }
                continue
            }
            let got = unsafe all.withUnsafeMutableBytes { raw in
                unsafe read(line, raw.baseAddress! + count, raw.count - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { break }
            count += got
        }
        guard let answer = RcloneAnswer(all.prefix(count)) else { throw Self.hasEnded }
        return answer
    }

    /// The page on this machine where somebody lets rclone in, once rclone waits for that: it names it in its log.
    var page: String? {
        let log = unsafe open(folder + "/log", O_RDONLY | O_CLOEXEC)
        guard log >= 0 else { return nil }
        defer { close(log) }
        guard let bytes = try? FileBytes.read(log, max: 1 << 20) else { return nil }
        return Self.page(in: String(decoding: bytes, as: UTF8.self))
    }

    /// The last such address in a log.
    static func page(in log: String) -> String? {
        let begin = "http://127.0.0.1:53682/auth?state="
        guard let found = log.ranges(of: begin).last else { return nil }
        let state = log[found.upperBound...].utf8.prefix { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard (8...128).contains(state.count) else { return nil }
        return begin + String(Substring(state))
    }

    private func connected() -> Int32? {
        let line = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard line >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: (folder + "/s").utf8) }
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(line, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard !isConnected else { return line }
        close(line)
        return nil
    }

    static var wasGivenUp: ClientFailure { ClientFailure(.interrupted, "the sign-in was abandoned") }

    private static var hasEnded: ClientFailure {
        ClientFailure(.other, "rclone has ended", hint: "vault remote login in a terminal says why")
    }
}
