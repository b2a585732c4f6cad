// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// The agent is killed at random moments of a rotation, and of its resumption. `VAULT_ROTATE_KILLS` says how often: 6
/// times when not given.
@Suite struct RotateKillTests {
    static let killCount = Programs.text(of: "VAULT_ROTATE_KILLS").flatMap { Int($0) } ?? 6

    private struct Contents: Equatable {
        var texts: [UInt8]
        var files: [[UInt8]]
    }

    private let world: VaultWorld
    private let notes: [String]
    private let holder: String
    private let secret: String

    init() throws {
        world = try VaultWorld()
        try world.makeFolder("notes")
        for number in 0..<120 {
            try world.write(
                "notes/n\(number).md", "note \(number) quokka\n\(String(repeating: "text ", count: number))")
        }
        try world.require(world.vault("import", "markdown", world.path("notes")))
        holder = try world.new("holds files")
        for number in 0..<4 {
            let path = world.path("file\(number)")
            try Data((0..<(number * 700_001)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }).write(
                to: URL(fileURLWithPath: path))
            try world.require(world.vault("attach", "add", holder, path))
        }
        secret = try world.new("a private note")
        try world.write("note-password", "rosebud and thorn")
        try world.require(world.vault("note", "lock", secret, "--note-password-file", world.path("note-password")))
        notes = try JSON(world.vault("ls", "--all", "--json"))["notes"].array.compactMap { $0["id"].string }.sorted()
    }

    private func contents() throws -> Contents {
        try world.require(world.vault("note", "unlock", secret, "--note-password-file", world.path("note-password")))
        let texts = try world.require(world.vault(["cat"] + notes)).out
        let files = try (0..<4).map {
            try world.require(world.vault("attach", "get", holder, "file\($0)", "-o", "-")).out
        }
        return Contents(texts: texts, files: files)
    }

    private func isRotating() throws -> Bool { try JSON(world.vault("status", "--json"))["rotationPercent"].int != nil }

    @Test func D01aRotationThatIsKilledAgainAndAgainLosesNothing() throws {
        let before = try contents()
        #expect(before.texts.count > 30_000 && before.files[3].count == 2_100_003)
        for round in 0..<Self.killCount {
            let agent = try world.agentPID()
            let words =
                try isRotating()
                ? ["rotate", "--resume"] : ["rotate", "--kdf-target", "0", "--password-file", world.passwordFile]
            let client = try Child([Programs.path("vault")] + words, environment: world.environment)
            usleep(.random(in: 0..<900_000))
            kill(agent, SIGKILL)
            #expect(client.wait(seconds: 60) != nil)
            #expect(VaultWorld.waitForEnd(of: agent, seconds: 10) != nil)
            try world.unlock()
            if round % 3 == 0 { #expect(try contents() == before, "round \(round)") }
        }
        if try isRotating() {
            // 5 where the agent has ended it in between.
            let code = try world.vault("rotate", "--resume").code
            #expect(code == 0 || code == 5)
        }
        #expect(try !isRotating())
        #expect(try contents() == before)
        let check = try JSON(world.vault("check", "--json"))
        #expect(check["clean"].bool == true, "\(check["problems"])")
        try world.require(world.vault("lock"))
        let left = try FileManager.default.contentsOfDirectory(atPath: world.directory).filter {
            $0.hasPrefix("index-") && $0.hasSuffix(".db")
        }
        #expect(left.count == 1 && !FileManager.default.fileExists(atPath: world.directory + "/manifest.next"))
        try world.unlock()
        #expect(try contents() == before)
    }

    @Test func theVaultIsReadAndWrittenWhileItRotates() throws {
        let client = try Child(
            [Programs.path("vault"), "rotate", "--kdf-target", "0", "--password-file", world.passwordFile],
            environment: world.environment)
        var written: [String] = []
        while !client.hasEnded {
            written.append(try world.new("meanwhile \(written.count)"))
            #expect(try world.vault("cat", written[0]).code == 0)
        }
        #expect(client.wait(seconds: 1) == 0)
        #expect(!written.isEmpty)
        for (number, id) in written.enumerated() { #expect(try world.vault("cat", id).text == "meanwhile \(number)") }
        #expect(try world.vault("check").code == 0)
    }

    @Test func anInterruptedClientLeavesTheRotationToTheAgent() throws {
        let agent = try world.agentPID()
        let client = try Child(
            [Programs.path("vault"), "rotate", "--kdf-target", "0", "--password-file", world.passwordFile],
            environment: world.environment)
        let begin = Clock.seconds
        while try JSON(world.vault("status", "--json"))["epoch"].int == 1, Clock.seconds < begin + 30, !client.hasEnded
        {}
        kill(client.pid, SIGKILL)
        #expect(client.wait(seconds: 10) != nil)
        while try isRotating(), Clock.seconds < begin + 60 { usleep(20_000) }
        #expect(try !isRotating())
        #expect(try world.agentPID() == agent)
        #expect(try world.vault("check").code == 0)
    }
}
