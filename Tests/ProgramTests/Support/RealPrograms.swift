// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// `jrnl` of PyPI, in an environment of its own beside the benchmarks' output. Made once.
enum RealJournal {
    /// Nil when it is not there and cannot be fetched; the test run then says so.
    static let program: String? = {
        let package = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let folder = package + "/bench-out/jrnl"
        let program = folder + "/bin/jrnl"
        if isProgram(program) { return program }
        let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
        do {
            guard let python = Programs.system("python3") else {
                throw VaultWorld.Failed(description: "python3 is not installed")
            }
            for command in [
                [python, "-m", "venv", folder], [folder + "/bin/pip", "install", "--quiet", "--no-input", "jrnl"],
            ] {
                let finished = try Command.run(command, environment: environment, seconds: 120)
                guard finished.code == 0 else { throw VaultWorld.Failed(description: finished.err) }
            }
            return program
        } catch {
            Issue.record("jrnl could not be installed, and its journals are not tested: \(error)", severity: .warning)
            return nil
        }
    }()

    private static func isProgram(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }
}

/// A store of `pass` with a key of its own that has no passphrase.
struct PassStore {
    let world: VaultWorld
    var path: String { world.path("store") }

    init(_ world: VaultWorld) throws {
        self.world = world
        try world.makeFolder("gnupg")
        world.environment["GNUPGHOME"] = world.path("gnupg")
        world.environment["PASSWORD_STORE_DIR"] = world.path("store")
        let key = """
            %no-protection
            Key-Type: eddsa
            Key-Curve: ed25519
            Subkey-Type: ecdh
            Subkey-Curve: cv25519
            Name-Email: t@example.org
            Expire-Date: 0
            %commit

            """
        try world.system("gpg", ["--batch", "--quiet", "--gen-key", world.write("key", key)])
        try world.system("pass", ["init", "t@example.org"])
    }

    func insert(_ name: String, _ text: String) throws {
        try world.system("pass", ["insert", "--multiline", "--force", name], input: Array(text.utf8))
    }

    /// gpg's agent stays behind otherwise.
    func end() { _ = try? world.system("gpgconf", ["--kill", "all"]) }
}
