// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Glibc

/// A socket that a test listens on in the agent's place, to see what a client would tell an impostor.
final class FakeAgent {
    private let descriptor: Int32

    init(at path: String, mode: mode_t) throws {
        descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = try AgentAddress.unixAddress(path)
        unsafe unlink(path)
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe bind(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, unsafe chmod(path, mode) == 0, listen(descriptor, 8) == 0 else {
            throw AgentLine.NoConnection(number: errno)
        }
    }

    deinit { close(descriptor) }

    /// All bytes of all clients that have come and gone; nil when none came.
    func received() -> [UInt8]? {
        var all: [UInt8]?
        while true {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else { return all }
            defer { close(client) }
            all = all ?? []
            var part = [UInt8](repeating: 0, count: 65536)
            let got = unsafe part.withUnsafeMutableBytes {
                unsafe recv(client, $0.baseAddress!, $0.count, Int32(MSG_DONTWAIT))
            }
            if got > 0 { all! += part[0..<got] }
        }
    }
}
