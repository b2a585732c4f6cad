// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import ExecArguments
internal import Glibc
internal import WebProtocol

/// `WebServerProcess` is a `vault-web` that this process has started, with the sockets that it may not open itself.
final class WebServerProcess {
    let channel: WebChannel
    let port: UInt16
    private let pid: pid_t
    /// The same port of ::1, taken and not listened at: browsers try it first, and whoever had it could answer them in
    /// our name.
    private let reserved: Int32
    /// Parsers that run, by their numbers.
    private var parsers: [UInt8: ParserFilter] = [:]
    private var lastParser: UInt8 = 0

    /// Starts a server on an address of this machine.
    ///
    /// - Parameter port: 0 for any that is free.
    /// - Throws: `.other` for a port that is taken, `.failSafe` for a program that others could have changed.
    init(_ port: UInt16) throws(ClientFailure) {
        let path = try Programs.path(of: "vault-web")
        let (listener, reserved) = try Self.listener(port)
        self.reserved = reserved
        defer { close(listener) }
        let diagnosis = vs_diagnosis_socket()
        guard diagnosis >= 0 else {
            throw ClientFailure(
                .failSafe, "this system cannot tell which user owns a connection", hint: "modprobe tcp_diag")
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
        if reserved >= 0 { close(reserved) }
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
    func startParser(_ word: String) throws(ClientFailure) -> (input: Int32, output: Int32, number: UInt8) {
        try start { input throws(ClientFailure) in try ParserFilter([word], input: input) }
    }

    /// Starts another program in the same way.
    func startProgram(
        _ path: String, name: String? = nil, _ words: [String]
    ) throws(ClientFailure) -> (input: Int32, output: Int32, number: UInt8) {
        try start { input throws(ClientFailure) in try ParserFilter(program: path, name: name, words, input: input) }
    }

    private func start(
        _ filter: (_ input: Int32) throws(ClientFailure) -> ParserFilter
    ) throws(ClientFailure) -> (input: Int32, output: Int32, number: UInt8) {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { throw SystemError.failure("cannot make a pipe", errno) }
        defer { close(ends[0]) }
        do throws(ClientFailure) {
            let filter = try filter(ends[0])
            // The next number that nothing which still runs has.
            guard let number = (1...UInt8.max).first(where: { parsers[lastParser &+ $0] == nil }) else {
                throw ClientFailure(.conflict, "too many requests are running", hint: "try it again in a moment")
            }
            lastParser &+= number
            parsers[lastParser] = filter
            return (ends[1], filter.output, lastParser)
        } catch {
            close(ends[1])
            throw error
        }
    }

    /// Leaves a parser's output to the server that it was passed to.
    func passedOutput(of number: UInt8) { parsers[number]?.closeOutput() }

    /// Waits for a parser's end, and returns its exit code; -1 for one that is not known.
    func endOfParser(_ number: UInt8) -> Int32 {
        parsers.removeValue(forKey: number)?.finish(within: Self.secondsToEnd) ?? -1
    }

    /// Ends all that was started for the server.
    func endAll() { parsers = [:] }

    /// Who asks for an end has seen the end of the output: nobody else is to wait for one that goes on.
    private static let secondsToEnd = 2

    /// Listens on a port, and takes the same one of ::1. Where the system chooses, it may have to choose again.
    private static func listener(_ wanted: UInt16) throws(ClientFailure) -> (listener: Int32, reserved: Int32) {
        for _ in 0..<20 {
            let listener = try onlyListener(wanted)
            let port = port(of: listener)
            let reserved = reserve(port)
            if reserved >= 0 || [EADDRNOTAVAIL, EAFNOSUPPORT].contains(errno) { return (listener, reserved) }
            close(listener)
            if wanted != 0 { break }
        }
        throw ClientFailure(
            .conflict, "port \(wanted) of ::1 is taken by another program, which could answer in this page's name",
            hint: "vault web --port N, or without --port")
    }

    /// Takes a port of ::1 without listening: who connects is refused at once. Without SO_REUSEADDR, which would let
    /// another one take it too.
    private static func reserve(_ port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        var yes: Int32 = 1
        unsafe setsockopt(
            descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe bind(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
        guard !isBound else { return descriptor }
        let reason = errno
        close(descriptor)
        errno = reason
        return -1
    }

    private static func onlyListener(_ port: UInt16) throws(ClientFailure) -> Int32 {
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
