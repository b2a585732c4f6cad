// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `VaultHolder` is the process that has a vault open, as the kernel knows it: it holds the lock on the vault's file
/// `lock` and on its folder.
///
/// An agent of another runtime directory (cron, sudo, a second login) is not found by its socket, nor is one whose
/// socket was removed; this is what finds them. Linux: flock(2), /proc/locks (proc(5)), /proc/net/unix.
public struct VaultHolder: Equatable {
    /// Nil when it cannot be seen from here: another container's.
    public let pid: Int32?
    /// A process of our own user that calls itself by our agent's name. Nobody else can open the lock file, which is
    /// ours alone.
    public let isOurAgent: Bool
    /// The socket that it listens on, or listened on until somebody removed it; nil for the agent of a single command,
    /// and for one that is ending.
    public let socket: String?

    /// Says who has the vault open; nil when nobody has.
    ///
    /// - Throws: `.other` where that cannot be seen: nobody may then say that the vault is locked.
    public static func find(_ location: VaultLocation) throws(ClientFailure) -> VaultHolder? {
        let folder = String(decoding: location.directory, as: UTF8.self)
        // The lock file may have been removed or exchanged; who has the vault holds its folder as well.
        if let holder = try find(location, folder + "/lock", O_NOFOLLOW) { return holder }
        return try find(location, folder, O_DIRECTORY)
    }

    private static func find(_ location: VaultLocation, _ path: String, _ flag: Int32) throws(ClientFailure)
        -> VaultHolder?
    {
        let descriptor = unsafe open(path, O_RDONLY | flag | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            // Without the file nobody can hold it, and another user's vault is nothing that we have open.
            if [ENOENT, ENOTDIR, EACCES, ELOOP].contains(errno) { return nil }
            throw cannotSee(errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw cannotSee(errno) }
        var entries = locks(on: status.st_ino)
        if let entry = entries.first(where: { $0.device == deviceName(status.st_dev) }) {
            return VaultHolder(entry.pid, location)
        }
        // Some file systems have another device number there than stat(2) gives, and other containers' processes are
        // not listed: the lock itself says whether it is free. It is shared and let go at once; an agent that comes at
        // that moment tries again.
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
        guard errno == EWOULDBLOCK else { throw cannotSee(errno) }
        // Somebody may have come between the list and the question.
        entries = locks(on: status.st_ino)
        if let entry = entries.first(where: { $0.device == deviceName(status.st_dev) }) {
            return VaultHolder(entry.pid, location)
        }
        return VaultHolder(entries.count == 1 ? entries[0].pid : nil, location)
    }

    private static func cannotSee(_ number: Int32) -> ClientFailure {
        let refusal = SystemRefusal(number)
        return ClientFailure(
            .other, "cannot tell whether the vault is open: \(refusal?.message ?? SystemError.text(number))",
            hint: refusal?.hint ?? "vault doctor")
    }

    private init(_ pid: Int32?, _ location: VaultLocation) {
        self.pid = pid
        let isEnding = pid.map(Self.isEndingAgent) ?? false
        isOurAgent = isEnding || (pid.map(Self.isOurAgent) ?? false)
        socket = isOurAgent && !isEnding ? Self.socket(of: pid, try? location.vaultID()) : nil
    }

    /// The runtime directory that it serves.
    public var runtimeDirectory: String? {
        socket.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex)) }
            .map { $0.hasSuffix("/notevault") ? String($0.dropLast("/notevault".count)) : $0 }
    }

    /// What it is, for a sentence.
    public var name: String {
        guard let pid else { return "a process that cannot be seen from here" }
        guard isOurAgent else { return "a process that is not your agent (pid \(pid))" }
        guard let runtimeDirectory else { return "the agent of a single command (pid \(pid))" }
        return "an agent of another session (pid \(pid), \(VisibleText.escaped(runtimeDirectory)))"
    }

    /// How to end it.
    public var ending: String {
        guard let pid else { return "vault lock, in the container or session that opened it" }
        return isOurAgent
            ? (socket == nil ? "wait for it to finish, or kill \(pid)" : "vault lock ends it")
            : "ps -fp \(pid), then sudo kill \(pid)"
    }

    /// Whether it is the agent of a command that was given this word.
    public func isOfCommand(with word: String) -> Bool {
        guard let pid, let parent = Self.word("PPid:", of: pid).flatMap(Int32.init), parent > 1,
            Self.word("Uid:", of: parent) == String(getuid())
        else { return false }
        let words = Self.bytes("/proc/\(parent)/cmdline")?.split(separator: 0) ?? []
        return words.contains { $0.elementsEqual(word.utf8) }
    }

    // MARK: The kernel's words

    /// Reads lines such as `12: FLOCK  ADVISORY  WRITE 4711 08:02:1234 0 EOF`; those of processes that wait have `->`
    /// in the second place. A `READ` is somebody who looks, as `find` does, and has nothing open.
    public static func locks(on inode: UInt) -> [(pid: Int32, device: String)] {
        lines(bytes("/proc/locks")).compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 6, words[1] == "FLOCK", words[3] == "WRITE", let pid = Int32(words[4]), pid > 0 else {
                return nil
            }
            let file = words[5].split(separator: ":")
            return file.count == 3 && file[2] == String(inode) ? (pid, "\(file[0]):\(file[1])") : nil
        }
    }

    /// Returns the major and minor number as /proc/locks has them, in hexadecimal digits (makedev(3)).
    private static func deviceName(_ device: dev_t) -> String {
        let number = UInt64(device)
        let major = (number >> 8 & 0xFFF) | (number >> 32 & ~0xFFF)
        let minor = (number & 0xFF) | (number >> 12 & ~0xFF)
        func twoDigits(_ value: UInt64) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
        return twoDigits(major) + ":" + twoDigits(minor)
    }

    private static func isOurAgent(_ pid: Int32) -> Bool {
        word("Uid:", of: pid) == String(getuid())
            && bytes("/proc/\(pid)/cmdline")?.split(separator: 0).first.map { $0.elementsEqual("vault-agent".utf8) }
                == true
    }

    /// Says whether the process is an agent that was ended and still holds its locks: its first thread is gone, with
    /// its arguments, and another one is in the kernel until a slow disk has answered. It has the name of its program
    /// left.
    private static func isEndingAgent(_ pid: Int32) -> Bool {
        word("State:", of: pid) == "Z" && word("Name:", of: pid) == "vault-agent"
            && word("Uid:", of: pid) == String(getuid())
    }

    /// Returns the first word behind a name in /proc/PID/status.
    private static func word(_ name: String, of pid: Int32) -> String? {
        lines(bytes("/proc/\(pid)/status")).first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace)
            .dropFirst().first.map(String.init)
    }

    /// Returns the socket with the vault's name that this process listens on; without an answer there one whose file is
    /// gone.
    private static func socket(of pid: Int32?, _ vaultID: [UInt8]?) -> String? {
        guard let vaultID else { return nil }
        let ending = "/" + AgentAddress.hex(vaultID) + ".sock"
        let paths = lines(bytes("/proc/net/unix")).compactMap { line in
            line.split(separator: " ", maxSplits: 7).dropFirst(7).first.map(String.init)
        }
        .filter { $0.hasPrefix("/") && $0.hasSuffix(ending) }
        for path in paths {
            if let channel = try? AgentAddress.connect(to: path), AgentProcess.pid(of: channel.descriptor) == pid {
                return path
            }
        }
        var status = stat()
        return paths.first { unsafe lstat($0, &status) != 0 }
    }

    private static func lines(_ bytes: [UInt8]?) -> [String] {
        String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try? FileBytes.read(descriptor, max: 16 << 20)
    }
}
