// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import BookServices
import Glibc
import ParserProtocol

/// `Tests/Books/service.py`, which ends with the value, and with this process.
final class BookServer: @unchecked Sendable {
    struct NotStarted: Error {}

    /// Used by one thread, when the value goes.
    private let child: Child
    let port: UInt16
    var base: String { "http://127.0.0.1:\(port)" }

    init(_ arguments: [String] = []) throws {
        guard let python = Programs.system("python3") else { throw NotStarted() }
        let pipe = try Command.pipe()
        defer { close(pipe.read) }
        let script = Programs.repository + "/Tests/Books/service.py"
        child = try Child(
            [python, "-B", script, "--seconds", "3000"] + arguments, environment: [:], streams: [-1, pipe.write, -1])
        close(pipe.write)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(pipe.read, &byte, 1) == 1, byte != 10 { line.append(byte) }
        guard let port = UInt16(String(decoding: line, as: UTF8.self)) else { throw NotStarted() }
        self.port = port
    }

    deinit { child.end() }

    func address(_ path: String) throws -> FetchAddress {
        guard let address = FetchAddress(base + path) else { throw NotStarted() }
        return address
    }

    /// What was asked so far, as the service's JSON has it.
    func log() throws -> String {
        let fetched = try Fetched(FetchOrder(address("/log"), of: .google))
        return String(decoding: fetched.body, as: UTF8.self)
    }
}

/// One run of `vault-fetch`.
struct Fetched {
    let answer: FetchAnswer
    let body: [UInt8]
    let finished: Finished

    init(_ order: FetchOrder, key: String = "", environment: [String: String] = [:]) throws {
        let input = RecordFrame.enclosing(order.encoded) + RecordFrame.enclosing(Array(key.utf8))
        finished = try Command.run([Programs.path("vault-fetch")], environment: environment, input: input, seconds: 30)
        (answer, body) = try FetchAnswer.parse(output: finished.out)
    }
}
