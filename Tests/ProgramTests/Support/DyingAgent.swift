// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc

/// A socket in the agent's place that greets, answers some requests, and hangs up in the middle of the next one, as an
/// agent that is killed does.
final class DyingAgent: @unchecked Sendable {
    private let descriptor: Int32
    private let lock = NSLock()
    private var answers: [[UInt8]] = []
    private var asked = 0

    init(at path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = try AgentAddress.unixAddress(path)
        unsafe unlink(path)
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe bind(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, unsafe chmod(path, 0o600) == 0, listen(descriptor, 8) == 0 else {
            throw AgentLine.NoConnection(number: errno)
        }
        Thread.detachNewThread { [self] in serve() }
    }

    /// Ends the thread, and with it the socket.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// What the next client gets: an `end` with success for each of these replies, then nothing any more.
    func answerNext(_ replies: [any ReplyValue]) {
        lock.withLock {
            answers = replies.map { $0 is NoReply ? [] : $0.encoded }
            asked = 0
        }
    }

    /// How many requests have come since then.
    var requestCount: Int { lock.withLock { asked } }

    private func serve() {
        defer { close(descriptor) }
        while true {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else { return }
            talk(Channel(taking: client))
        }
    }

    private func talk(_ channel: consuming Channel) {
        do {
            guard case .frame(.hello, _) = try channel.receive() else { return }
            try channel.send(.hello, Hello().encoded)
            while true {
                // A secret, or what stops a request, belongs to what came before it.
                guard case .frame(.request, _) = try channel.receive() else { continue }
                let answer: [UInt8]? = lock.withLock {
                    asked += 1
                    return answers.isEmpty ? nil : answers.removeFirst()
                }
                guard let answer else { return }
                if !answer.isEmpty { try channel.send(.reply, answer) }
                try channel.send(.end, Outcome(.ok).encoded)
            }
        } catch {}
    }
}
