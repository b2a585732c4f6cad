// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting

/// The age program of the system, where there is one.
enum AgeProgram {
    struct Failed: Error { let status: Int32, words: String }

    static let path = find("age")
    static let keygenPath = find("age-keygen")
    static var isThere: Bool { path != nil && keygenPath != nil }

    /// Runs it with files for its streams, so that neither side waits for the other.
    static func run(_ arguments: [String], keygen: Bool = false, input: [UInt8] = []) throws -> [UInt8] {
        let folder = TemporaryFolder()
        let (from, into, errors) = (folder.file("in"), folder.file("out"), folder.file("errors"))
        try Data(input).write(to: from)
        for file in [into, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(keygen ? keygenPath : path))
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: from)
        process.standardOutput = try FileHandle(forWritingTo: into)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(
                status: process.terminationStatus, words: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
        }
        return Array(try Data(contentsOf: into))
    }

    private static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        return folders.map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
