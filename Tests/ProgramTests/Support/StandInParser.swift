// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// A folder with vault and vault-agent, and a script in the place of vault-parse, which is `real-parse` there.
struct StandInParser {
    let folder: String
    private let environment: [String: String]
    private let passwordFile: String

    init(_ world: VaultWorld, script: String) throws {
        folder = world.path("programs")
        (environment, passwordFile) = (world.environment, world.passwordFile)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for (name, copy) in [("vault", "vault"), ("vault-agent", "vault-agent"), ("vault-parse", "real-parse")] {
            // By a process of its own: a program that this one still writes could not be started.
            let words = ["/bin/cp", Programs.path(name), folder + "/" + copy]
            #expect(try Command.run(words, environment: [:]).code == 0)
        }
        try "#!/bin/sh\n\(script)\n".write(toFile: folder + "/vault-parse", atomically: false, encoding: .utf8)
        for name in ["vault", "vault-agent", "vault-parse"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder + "/" + name)
        }
    }

    func vault(_ words: String...) throws -> Finished {
        try Command.run([folder + "/vault"] + words, environment: environment)
    }

    /// Starts the agent that uses the script.
    func unlock() throws { #expect(try vault("unlock", "--password-file", passwordFile).code == 0) }
}
