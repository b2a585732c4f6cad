// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import VaultTesting

/// Runs a program of the system to its end.
struct ShellRun {
    let code: Int32
    let out: String
    let err: String

    /// The full path of a program; nil when it is not installed.
    static func path(_ name: String) -> String? {
        ["/usr/bin/", "/bin/"].map { $0 + name }.first(where: FileManager.default.isExecutableFile)
    }

    /// - Parameter arguments: the program's full path first.
    init(_ arguments: [String], environment: [String: String] = [:], folder: TemporaryFolder) throws {
        let process = Process()
        let files = ["out", "err"].map { URL(fileURLWithPath: folder.path + "/" + $0) }
        for file in files { try Data().write(to: file) }
        process.executableURL = URL(fileURLWithPath: arguments[0])
        process.arguments = Array(arguments.dropFirst())
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb"].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        code = process.terminationStatus
        out = try String(contentsOf: files[0], encoding: .utf8)
        err = try String(contentsOf: files[1], encoding: .utf8)
    }
}
