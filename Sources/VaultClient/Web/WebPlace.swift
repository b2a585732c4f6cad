// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import VaultFormat

/// `WebPlace` names what belongs to the page of one vault outside of its processes: the socket that it is told to stop
/// by, the file with its token, and its host's label.
struct WebPlace {
    /// What a second `vault web` asks of the page that is open.
    enum Order: UInt8 {
        case open = 1
        case stop = 2
    }

    private let folder: String
    private let vault: String
    var socketPath: String { "\(folder)/web-\(vault).page" }

    init(_ location: VaultLocation) throws(ClientFailure) {
        do { folder = try AgentAddress.directory() } catch { throw AgentConnection.failure(error) }
        vault = hexadecimal(try location.vaultID())
    }

    /// Gives an order to the page that is open.
    ///
    /// - Parameter target: what it is to show.
    /// - Returns: what it answers; nil when there is none.
    func ask(_ order: Order, _ target: PageTarget = .list) -> [UInt8]? {
        guard let channel = try? AgentAddress.connect(to: socketPath) else { return nil }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        unsafe setsockopt(
            channel.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let bytes = [order.rawValue] + Array(target.text.utf8)
        guard unsafe vs_write_whole(channel.descriptor, bytes, bytes.count) == 0 else { return nil }
        return try? FileBytes.read(channel.descriptor, max: 16 << 10)
    }

    /// Listens for orders. A socket that a page of before left is taken away; one of a page that is open is not, since
    /// each page holds a lock.
    ///
    /// - Throws: `.conflict` when another page is being opened, `.other`.
    func listen() throws(ClientFailure) -> (descriptor: Int32, lock: Int32) {
        let lock = unsafe open("\(folder)/web-\(vault).lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            if lock >= 0 { close(lock) }
            throw ClientFailure(.conflict, "another page of this vault is open", hint: "vault web --stop")
        }
        unsafe unlink(socketPath)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0, var address = try? AgentAddress.unixAddress(socketPath) else {
            throw SystemError.failure("cannot make a socket", errno)
        }
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe bind(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, unsafe chmod(socketPath, 0o600) == 0, Glibc.listen(descriptor, 8) == 0 else {
            close(descriptor)
            close(lock)
            throw SystemError.failure("cannot listen at \(VisibleText.escaped(socketPath))", errno)
        }
        return (descriptor, lock)
    }

    /// The host's first label: 80 random bits, kept for each vault, so that a browser knows the page again.
    ///
    /// A name of its own keeps the page's cookie from the other servers of this machine, to which a browser sends what
    /// 127.0.0.1 has set, whatever their ports.
    func label() throws(ClientFailure) -> String {
        guard let base = Self.stateFolder else { return try Self.randomText(16) }
        let path = "\(base)/web-\(vault)"
        if let known = Self.read(path), known.utf8.count == 16, known.utf8.allSatisfy(Self.isLabel) { return known }
        let label = try Self.randomText(16)
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return label }
        defer { close(file) }
        _ = Streams.writeAll(Array(label.utf8), to: file)
        return label
    }

    /// Writes the file that leads a browser to the page: only this user can read it, and it is gone when it was used.
    ///
    /// - Returns: its path.
    func writeTokenFile(_ url: String) throws(ClientFailure) -> String {
        let path = "\(folder)/web-\(try Self.randomText(16)).html"
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError.failure("cannot make \(VisibleText.escaped(path))", errno) }
        defer { close(file) }
        let text =
            "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>Vault</title>"
            + "<script>location.replace(\"\(url)\")</script>\n"
        guard Streams.writeAll(Array(text.utf8), to: file) else {
            throw SystemError.failure("cannot write \(VisibleText.escaped(path))", errno)
        }
        return path
    }

    /// Returns small letters and digits of base32 from the system's random numbers, five bits each.
    static func randomText(_ count: Int) throws(ClientFailure) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe vs_random(&bytes, count) == 0 else { throw ClientFailure(.other, "there are no random numbers") }
        let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        return String(decoding: bytes.map { digits[Int($0 & 31)] }, as: UTF8.self)
    }

    private static func isLabel(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x32...0x37).contains(byte)
    }

    private static var stateFolder: String? {
        let named = Environment.text("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = Environment.text("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        guard let base = named ?? home else { return nil }
        let folder = base + "/notevault"
        if unsafe mkdir(folder, 0o700) != 0 && errno != EEXIST { return nil }
        return folder
    }

    private static func read(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return (try? FileBytes.read(file, max: 64)).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// `WebAddress` is where a page is to be found: the file that leads there, and the address itself.
struct WebAddress {
    let file: String
    let url: String

    init(file: String, url: String) { (self.file, self.url) = (file, url) }

    /// Reads two lines.
    init?(parsing bytes: [UInt8]) {
        guard let lines = String(validating: bytes, as: UTF8.self)?.split(separator: "\n"), lines.count == 2 else {
            return nil
        }
        self.init(file: String(lines[0]), url: String(lines[1]))
    }

    var encoded: [UInt8] { Array("\(file)\n\(url)\n".utf8) }
}
