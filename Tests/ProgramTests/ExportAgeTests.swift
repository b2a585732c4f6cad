// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Encrypted exports, opened by the age program of the system.
@Suite(.enabled(if: Programs.system("age") != nil && Programs.system("age-keygen") != nil, "needs the age program"))
struct ExportAgeTests {
    private static let phrase = "marble tundra oboe 71 kestrel"

    private func world() throws -> VaultWorld {
        let world = try VaultWorld()
        let note = try world.new("secretword in a note")
        try world.attach(note, "data.bin", [UInt8](repeating: 5, count: 200_000))
        return world
    }

    /// Makes a key file and returns its recipient.
    private func key(_ world: VaultWorld, _ name: String) throws -> String {
        let made = try Command.run(
            [try #require(Programs.system("age-keygen")), "-o", world.path(name)], environment: world.environment)
        return try #require(
            made.err.split(separator: " ").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
    }

    private func opened(_ world: VaultWorld, _ file: String, key: String) throws -> Finished {
        try Command.run(
            [try #require(Programs.system("age")), "-d", "-i", world.path(key), world.path(file)],
            environment: world.environment)
    }

    @Test func anyOfSeveralKeysOpensIt() throws {
        let world = try world()
        let (first, second, third) = (try key(world, "k1"), try key(world, "k2"), try key(world, "k3"))
        try world.write("recipients", "# mine\n\n\(second)\n  \(third)  \r\n")
        for (format, name, more) in [
            ("markdown", "m.tar.age", []), ("json", "j.json.age", ["--armor"]), ("text", "t.age", []),
            ("jex", "x.age", []),
        ] {
            let line =
                [
                    "export", format, "-o", world.path(name), "--encrypt-to", first, "--recipients-file",
                    world.path("recipients"),
                ] + more
            let done = try world.require(world.vault(line))
            #expect(done.err.contains("encrypted with age") && !done.err.contains("unencrypted"))
            let raw = try Data(contentsOf: URL(fileURLWithPath: world.path(name)))
            #expect(!ByteSearch.contains(Array("secretword".utf8), in: Array(raw)))
            #expect(raw.starts(with: Data((more.isEmpty ? "age-encryption.org/v1\n" : "-----BEGIN AGE").utf8)))
            for key in ["k1", "k2", "k3"] {
                let plain = try world.require(opened(world, name, key: key))
                #expect(ByteSearch.contains(Array("secretword".utf8), in: plain.out), "\(name) \(key)")
            }
        }
        _ = try key(world, "k4")
        #expect(try opened(world, "t.age", key: "k4").code != 0)
        let tar = try world.require(opened(world, "m.tar.age", key: "k1")).out
        #expect(tar.count % 10_240 == 0 && tar.starts(with: "secretword in a note.md".utf8))
    }

    @Test func aPassphraseOpensIt() throws {
        let world = try world()
        try world.write("phrase", Self.phrase)
        try world.require(
            world.vault("export", "text", "-o", world.path("t.age"), "--passphrase-file", world.path("phrase")))
        let line = [try #require(Programs.system("age")), "-d", "-o", world.path("out"), world.path("t.age")]
        let age = try TerminalSession(line, environment: world.environment)
        try age.answer("passphrase", Self.phrase)
        #expect(try age.finish() == 0, "\(age.transcript)")
        #expect(try String(contentsOfFile: world.path("out"), encoding: .utf8).contains("secretword"))
    }

    @Test func aTypedPassphraseIsTypedTwice() throws {
        let world = try world()
        let typed = try world.terminal("export", "json", "-o", world.path("j.age"), "--passphrase")
        for _ in 0..<3 {
            try typed.answer("Passphrase of the export", Self.phrase)
            try typed.answer("Repeat it", Self.phrase + "x")
        }
        #expect(try typed.finish() == 10 && !world.exists("j.age"))
        let right = try world.terminal("export", "json", "-o", world.path("j.age"), "--passphrase")
        for prompt in ["Passphrase of the export", "Repeat it"] { try right.answer(prompt, Self.phrase) }
        #expect(try right.finish() == 0 && right.transcript.contains("encrypted with age"), "\(right.transcript)")
        #expect(!right.transcript.contains(Self.phrase))
    }

    @Test func aBadRecipientIsToldBeforeAnythingIsWritten() throws {
        let world = try world()
        let good = try key(world, "k1")
        let secret =
            try String(contentsOfFile: world.path("k1"), encoding: .utf8).split(separator: "\n").last.map(String.init)
            ?? ""
        let mistyped = String(good.dropLast()) + (good.hasSuffix("q") ? "p" : "q")
        for (bad, words) in [
            (mistyped, "mistyped"), ("age1", "mistyped"), ("", "does not begin"), (good.uppercased(), "does not begin"),
            (secret, "secret key"),
            ("ssh-ed25519 AAAA", "not supported"), ("nonsense", "does not begin"),
        ] {
            let refused = try world.vault(
                "export", "text", "-o", world.path("x.age"), "--encrypt-to=" + good, "--encrypt-to", bad)
            expectRefusal(refused, 2, says: words)
            #expect(refused.err.contains("recipient 2") && !refused.err.contains(secret), "\(refused.err)")
        }
        try world.write("nobody", "# nobody\n")
        expectRefusal(
            try world.vault("export", "text", "-o", world.path("x.age"), "--recipients-file", world.path("nobody")), 2,
            says: "lists no recipients")
        expectRefusal(
            try world.vault("export", "text", "-o", world.path("x.age"), "--recipients-file", world.path("no")), 5,
            hint: false)
        #expect(try !world.exists("x.age") && world.parts().isEmpty)
    }

    @Test func aPassphraseIsNeverInAnArgument() throws {
        let world = try world()
        let refused = try world.vault("export", "text", "-o", world.path("x.age"), "--passphrase=" + Self.phrase)
        #expect(refused.code == 2 && !world.exists("x.age"))
        expectRefusal(
            try world.vault("export", "text", "-o", world.path("x.age"), "--passphrase", "--no-input"), 3,
            says: "passphrase")
    }
}
