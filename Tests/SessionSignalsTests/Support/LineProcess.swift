// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

/// A program that is spoken to by lines.
final class LineProcess {
    struct Failure: Error {}

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending: [UInt8] = []

    init(_ path: String, _ arguments: [String]) throws {
        // A helper that has ended must show as a failure, not end the tests.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { end() }

    /// Ends the program, by its own id, and waits until it is gone. A child of a test's thread starts with most signals
    /// blocked.
    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// The next line; fails when none comes in time or the program has ended.
    func line(within seconds: Double = 20) throws -> String {
        let deadline = Date().addingTimeInterval(seconds)
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            var descriptor = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&descriptor, 1, Int32(max(0, deadline.timeIntervalSinceNow * 1000))) == 1 else {
                throw Failure()
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure() }
            pending += data
        }
    }
}
