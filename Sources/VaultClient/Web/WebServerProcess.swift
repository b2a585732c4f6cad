// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import WebProtocol

/// `WebServerProcess` is a `vault-web` that this process has started, with the sockets that it may not open itself.
final class WebServerProcess {
    let channel: WebChannel
    let port: UInt16
    private let pid: pid_t
    private var parser: ParserFilter?

    /// Starts a server on an address of this machine.
    ///
    /// - Parameter port: 0 for any that is free.
    /// - Throws: `.other` for a port that is taken, `.failSafe` for a program that others could have changed.
    init(_ port: UInt16) throws(ClientFailure) {
        let path = try Programs.path(of: "vault-web")
        let listener = try Self.listener(port)
        defer { close(listener) }
        let diagnosis = vs_diagnosis_socket()
        guard diagnosis >= 0 else {
            throw ClientFailure(
                .failSafe, "whose a connection is cannot be told on this system", hint: "modprobe tcp_diag")
        }
        defer { close(diagnosis) }
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SystemError.failure("cannot make a socket pair", errno)
        }
        defer { close(ends[1]) }
        var pid: pid_t = 0
        let passed = [ends[1], listener, diagnosis]
        let started = unsafe CStrings.with(["vault-web"]) { words in
            unsafe CStrings.with([]) { variables in
                unsafe vs_spawn_server(path, words, variables, passed, Int32(passed.count), &pid)
            }
        }
        channel = WebChannel(ends[0])
        self.pid = pid
        self.port = Self.port(of: listener)
        guard started == 0 else { throw SystemError.failure("cannot start \(VisibleText.escaped(path))", errno) }
    }

    deinit {
        close(channel.descriptor)
        if pid > 0 {
            kill(pid, SIGKILL)
            _ = ChildProgram.wait(for: pid)
        }
    }

    /// Tells the server what it serves, and waits until it listens.
    func begin(_ start: WebStart) throws(ClientFailure) {
        guard channel.send(start.encoded), channel.receive(max: 16)?.bytes == [0] else {
            throw ClientFailure(
                .failSafe, "the page's server cannot be confined on this system",
                hint: "a kernel with Landlock and seccomp is needed: vault doctor")
        }
    }

    /// Lets a new token in.
    func renew(_ token: [UInt8]) -> Bool { channel.send([WebAnswer.tokenMark] + token) }

    /// Starts a `vault-parse`, and returns where it reads; the caller closes that.
    func startParser(_ word: String) throws(ClientFailure) -> (input: Int32, filter: ParserFilter) {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw SystemError.failure("cannot make a pipe", errno) }
        defer { close(ends[0]) }
        do throws(ClientFailure) {
            let filter = try ParserFilter([word], input: ends[0])
            parser = filter
            return (ends[1], filter)
        } catch {
            close(ends[1])
            throw error
        }
    }

    /// Waits for the parser's end, and returns its exit code.
    func endOfParser() -> Int32 { parser?.finish() ?? -1 }

    private static func listener(_ port: UInt16) throws(ClientFailure) -> Int32 {
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError.failure("cannot make a socket", errno) }
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        // 127.0.0.1: no other machine reaches it.
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe bind(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 32) == 0 else {
            let reason = errno
            close(descriptor)
            throw reason == EADDRINUSE
                ? ClientFailure(
                    .conflict, "port \(port) is taken by another program", hint: "vault web --port N, or without --port"
                )
                : SystemError.failure("cannot listen on port \(port)", reason)
        }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                _ = unsafe getsockname(descriptor, rebound, &size)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
