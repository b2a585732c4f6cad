// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
public import Glibc
internal import VaultFormat

/// `AgentAddress` names the place where an agent listens: `<runtime>/notevault/<vault ID in hex>.sock`, in a 0700
/// directory of ours on tmpfs.
///
/// The runtime directory is `$XDG_RUNTIME_DIR`, or without one `/run/user/UID`, or `/dev/shm/notevault-UID` made 0700;
/// never a disk, never /tmp. It is checked by both sides before the first byte. Spec: docs/agent-protocol.md §1.
public enum AgentAddress {
    public struct Failure: Error, Sendable, Equatable {
        /// No directory that is ours alone could be found or made.
        public static let noRuntimeDirectory = Failure(reason: 1)
        /// Somebody else owns the directory or socket, others may write there, or it is a link.
        public static let notOurs = Failure(reason: 2)
        /// Nobody listens there.
        public static let noAgent = Failure(reason: 3)
        /// The path is longer than a Unix socket's may be.
        public static let pathTooLong = Failure(reason: 4)
        private let reason: Int
        /// errno, if the system gave no socket; whether an agent listens is then unknown.
        public private(set) var systemError: Int32 = 0

        private init(reason: Int) { self.reason = reason }
        init(systemError: Int32) {
            reason = 5
            self.systemError = systemError
        }
    }

    /// Returns our directory for sockets, made if it is missing.
    public static func directory() throws(Failure) -> String {
        for base in candidates() {
            let path = base.hasSuffix("/notevault-\(getuid())") ? base : base + "/notevault"
            if unsafe mkdir(path, 0o700) != 0 && errno != EEXIST { continue }
            guard isOursAlone(path, type: S_IFDIR) else { throw .notOurs }
            return path
        }
        throw .noRuntimeDirectory
    }

    /// Returns the socket of one vault.
    public static func socketPath(vaultID: [UInt8]) throws(Failure) -> String {
        try directory() + "/" + hex(vaultID) + ".sock"
    }

    /// Returns sockets of all vaults that have, or had, an agent.
    public static func allSocketPaths() throws(Failure) -> [String] {
        let folder = try directory()
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var paths: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".sock") { paths.append(folder + "/" + name) }
        }
        return paths.sorted()
    }

    /// Connects to an agent after checking, before and after, whose socket it is.
    ///
    /// - Throws: `Failure.noAgent` for a missing or stale socket, `.notOurs` for a planted one.
    public static func connect(to path: String) throws(Failure) -> Channel {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw .noAgent }
        guard isOursAlone(path, type: S_IFSOCK) else { throw .notOurs }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(systemError: errno) }
        let channel = Channel(taking: descriptor)
        var address = try unixAddress(path)
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe Glibc.connect(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw .noAgent }
        guard peerIsUs(descriptor) else { throw .notOurs }
        return channel
    }

    /// Returns whether the process at the other end runs as our user.
    public static func peerIsUs(_ descriptor: Int32) -> Bool {
        var pid: pid_t = 0
        var uid: uid_t = 0
        return unsafe vs_peer(descriptor, &pid, &uid) == 0 && uid == getuid()
    }

    /// Returns a `sockaddr_un` for a path; the length is checked before the fixed field is filled.
    public static func unixAddress(_ path: String) throws(Failure) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .pathTooLong }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in unsafe target.copyBytes(from: bytes) }
        return address
    }

    private static func candidates() -> [String] {
        if let named = unsafe getenv("XDG_RUNTIME_DIR"), unsafe named.pointee == 0x2F {
            let path = unsafe String(cString: named)
            // sudo keeps the caller's variable: a directory of another user is not ours to use.
            if isOursAlone(path, type: S_IFDIR) { return [path] }
        }
        let systems = "/run/user/\(getuid())"
        if isOursAlone(systems, type: S_IFDIR) { return [systems] }
        return ["/dev/shm/notevault-\(getuid())"]
    }

    /// Tells whether a path is ours, not a link, and neither group nor others may write in it.
    private static func isOursAlone(_ path: String, type: mode_t) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == type && status.st_uid == getuid() && status.st_mode & 0o077 == 0
    }

    /// Returns a vault's identifier as its socket is named by it.
    package static func hex(_ bytes: [UInt8]) -> String { hexadecimal(bytes) }
}
