// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import ParserProtocol
import VaultTesting

/// Runs the built `vault-parse`.
struct ParseProcess {
    struct Result {
        let exitCode: Int32
        let output: [UInt8]
        let errors: String
        /// The records of the output, as far as they are whole.
        let notes: [ParsedNote]
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()

    var processID: Int32 { process.processIdentifier }

    static func run(frames: [ForeignFile], environment: [String: String] = [:]) throws -> Result {
        try run(input: frames.flatMap { RecordFrame.enclosing($0.encoded) }, environment: environment)
    }

    static func run(
        input: [UInt8], arguments: [String] = ["markdown"], environment: [String: String] = [:]
    ) throws -> Result {
        let running = try start(arguments: arguments, environment: environment)
        // It may answer before all is sent, so one side must not wait for the other. It may also end early.
        let writer = Thread {
            try? running.send(input); try? running.input.fileHandleForWriting.close()
        }
        writer.start()
        let output = [UInt8](try running.output.fileHandleForReading.readToEnd() ?? Data())
        let errors = String(decoding: try running.errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        running.process.waitUntilExit()
        let status = running.process.terminationReason == .exit ? running.process.terminationStatus : -1
        return Result(exitCode: status, output: output, errors: errors, notes: notes(in: output))
    }

    static func start(arguments: [String] = ["markdown"], environment: [String: String] = [:]) throws -> ParseProcess {
        let running = ParseProcess()
        running.process.executableURL = Repository.program("vault-parse")
        running.process.arguments = arguments
        running.process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        running.process.standardInput = running.input
        running.process.standardOutput = running.output
        running.process.standardError = running.errors
        try running.process.run()
        return running
    }

    func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

    func receive(count: Int) throws -> [UInt8] {
        [UInt8](try output.fileHandleForReading.read(upToCount: count) ?? Data())
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private static func notes(in output: [UInt8]) -> [ParsedNote] {
        var notes: [ParsedNote] = []
        var at = 0
        while at + RecordFrame.headerByteCount <= output.count {
            let header = Array(output[at..<at + RecordFrame.headerByteCount])
            at += RecordFrame.headerByteCount
            guard let count = try? RecordFrame.contentByteCount(header: header, max: ParsedNote.byteCountMax),
                at + count <= output.count, let note = try? ParsedNote(parsing: Array(output[at..<at + count]))
            else { break }
            notes.append(note)
            at += count
        }
        return notes
    }
}
