// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import CSystemShims
import Glibc

/// A client of our own on an agent's socket: for loads that a process per request would make slow.
final class AgentLine {
    struct Answer {
        /// Encoded values, in their order.
        var replies: [[UInt8]] = []
        var outcome = Outcome(.other)
    }
    struct NoConnection: Error { let number: Int32 }

    private let channel: Channel

    /// Connects without a greeting.
    init(_ path: String) throws { channel = Channel(taking: try Self.connect(path)) }

    private static func connect(_ path: String) throws -> Int32 {
        var address = try AgentAddress.unixAddress(path)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe Glibc.connect(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else {
            let number = errno
            close(descriptor)
            throw NoConnection(number: number)
        }
        return descriptor
    }

    static func greeted(_ path: String) throws -> AgentLine {
        let line = try AgentLine(path)
        try line.channel.send(.hello, Hello().encoded)
        guard case .frame(.hello, _) = try line.channel.receive() else { throw Channel.Failure.malformed }
        return line
    }

    /// The agent's process number, as the kernel knows it.
    var peer: pid_t? {
        var pid: pid_t = 0
        var uid: uid_t = 0
        return unsafe vs_peer(channel.descriptor, &pid, &uid) == 0 ? pid : nil
    }

    /// What the agent is told of this client.
    var traits = ClientTraits()

    /// Sends a request and does not wait.
    func send(_ request: some Operation) throws { try channel.send(.request, request.encoded(for: traits)) }

    /// Sends a request with descriptors on its first byte, as many as are given.
    func send(_ request: some Operation, descriptors: [Int32]) throws {
        let payload = request.encoded(for: ClientTraits())
        try sendRaw(Frame.prefix(.request, byteCount: payload.count) + payload, descriptors: descriptors)
    }

    /// Sends bytes with descriptors on the first of them.
    func sendRaw(_ bytes: [UInt8], descriptors: [Int32]) throws {
        guard descriptors.count != 1 else {
            let sent = unsafe bytes.withUnsafeBytes {
                unsafe vs_send_with_descriptor(channel.descriptor, $0.baseAddress!, $0.count, descriptors[0])
            }
            guard sent == bytes.count else { throw NoConnection(number: errno) }
            return
        }
        // Several: a byte for each but the last, which come together for whoever reads more than one at a time.
        for (index, descriptor) in descriptors.enumerated() {
            let part = index + 1 == descriptors.count ? Array(bytes[index...]) : [bytes[index]]
            try sendRaw(part, descriptors: [descriptor])
        }
        if descriptors.isEmpty { try sendRaw(bytes) }
    }

    /// Waits for the answer to what was sent.
    func answer() throws -> Answer {
        var answer = Answer()
        var part: [UInt8] = []
        while true {
            switch try channel.receive() {
            case .secret: throw Channel.Failure.malformed
            case .frame(.replyPart, let bytes): part += bytes
            case .frame(.reply, let bytes):
                answer.replies.append(part + bytes)
                part = []
            case .frame(.end, let bytes):
                answer.outcome = try Outcome(parsing: bytes)
                return answer
            case .frame: continue
            }
        }
    }

    /// The next value of an answer that is still coming.
    func nextReply<Asked: Operation>(of operation: Asked.Type) throws -> Asked.Reply {
        while true {
            switch try channel.receive() {
            case .secret: throw Channel.Failure.malformed
            case .frame(let kind, let bytes):
                if kind == .reply { return try Asked.Reply(parsing: bytes) }
                guard kind == .notice || kind == .progress else { throw Channel.Failure.malformed }
            }
        }
    }

    /// Sends bytes that need not be a frame.
    func sendRaw(_ bytes: [UInt8]) throws {
        let sent = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(channel.descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw NoConnection(number: errno) }
    }

    /// Whether the agent hangs up without a word.
    func isClosed(within seconds: Double) -> Bool {
        var waiting = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, Int32(seconds * 1000)) == 1 else { return false }
        var byte: UInt8 = 0
        return unsafe read(channel.descriptor, &byte, 1) <= 0
    }

    func ask<Asked: Operation>(_ request: Asked) throws -> (outcome: Outcome, replies: [Asked.Reply]) {
        try send(request)
        let answer = try answer()
        return (answer.outcome, try answer.replies.map { try Asked.Reply(parsing: $0) })
    }
}
