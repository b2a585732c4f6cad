// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// `AgentSocket` is the socket that an open vault's agent listens on.
final class AgentSocket {
    let descriptor: Int32
    private let path: String
    private var inode: ino_t = 0

    /// Binds at the vault's address. A socket that lies there is stale: this process holds the vault's lock.
    init?(vaultID: [UInt8]) {
        guard let path = try? AgentAddress.socketPath(vaultID: vaultID),
            var address = try? AgentAddress.unixAddress(path)
        else {
            return nil
        }
        self.path = path
        descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        unsafe unlink(path)
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe bind(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // umask is 077, but what counts is said again.
        guard bound == 0, unsafe chmod(path, 0o600) == 0, listen(descriptor, 64) == 0 else { return nil }
        inode = Self.inode(path)
    }

    deinit {
        if isStillThere { unsafe unlink(path) }
        close(descriptor)
    }

    /// Whether the path still leads to this socket; a logout removes the runtime directory.
    var isStillThere: Bool { inode != 0 && Self.inode(path) == inode }

    /// Returns the next client of our own user; others are hung up on before a byte is read (ThreatModel E01).
    func accept() -> Connection? {
        while true {
            let client = Glibc.accept(descriptor, nil, nil)
            guard client >= 0 else { return nil }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            if AgentAddress.peerIsUs(client) { return Connection(taking: client) }
            close(client)
        }
    }

    private static func inode(_ path: String) -> ino_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_ino : 0
    }
}
