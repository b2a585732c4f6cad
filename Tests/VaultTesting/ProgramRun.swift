// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import Foundation

/// A program that ran to its end, with what it wrote.
public struct ProgramRun: Sendable {
    public let exitCode: Int32
    public let wasKilled: Bool
    public let output: [UInt8]
    public let errors: String

    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program. What it writes to standard error is little: it is read after the output.
    public init(_ program: URL, _ arguments: [String], input: FileHandle = .nullDevice) throws {
        try self.init(program, arguments, standardInput: input) {}
    }

    /// Runs a program whose input comes through a pipe. It may answer before all is sent, and may end early.
    public init(_ program: URL, _ arguments: [String], input: [UInt8]) throws {
        let sent = Pipe()
        try self.init(program, arguments, standardInput: sent) {
            let writer = Thread {
                try? sent.fileHandleForWriting.write(contentsOf: Data(input))
                try? sent.fileHandleForWriting.close()
            }
            writer.start()
        }
    }

    private init(_ program: URL, _ arguments: [String], standardInput: Any, onceStarted: () -> Void) throws {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        onceStarted()
        self.output = [UInt8](try output.fileHandleForReading.readToEnd() ?? Data())
        self.errors = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        exitCode = process.terminationStatus
        wasKilled = process.terminationReason == .uncaughtSignal
    }
}
