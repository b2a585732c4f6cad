// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// Runs the built `vault-parse recovery-page`, which lies beside the test bundle.
enum PageProcess {
    struct Answer {
        let exitCode: Int32
        let wasKilled: Bool
        let output: [UInt8]
        let errors: String
    }

    static func run(_ input: [UInt8], arguments: [String] = ["recovery-page"]) throws -> Answer {
        let process = Process()
        let (sent, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = sent
        process.standardOutput = output
        process.standardError = errors
        // It may end before it has read all; the pipe holds what is sent here.
        try sent.fileHandleForWriting.write(contentsOf: Data(input))
        try process.run()
        try sent.fileHandleForWriting.close()
        let answer = [UInt8](try output.fileHandleForReading.readToEnd() ?? Data())
        let message = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return Answer(
            exitCode: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            output: answer, errors: message)
    }

    private static var executable: URL {
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "vault-parse")
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        // Tests/RecoveryPageTests/PageProcess.swift is three steps below the package.
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.appending(path: ".build/debug/vault-parse")
    }
}
