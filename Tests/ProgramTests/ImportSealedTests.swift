// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// What is sealed for age comes in with the key or the passphrase, and never lies anywhere in the clear.
@Suite(.enabled(if: Programs.system("age") != nil && Programs.system("age-keygen") != nil, "needs the age program"))
struct ImportSealedTests {
    private static let phrase = "marble tundra oboe 71 kestrel"

    /// Makes a key file and returns its recipient.
    private func key(_ world: VaultWorld, _ name: String) throws -> String {
        let made = try Command.run(
            [try #require(Programs.system("age-keygen")), "-o", world.path(name)], environment: world.environment)
        return try #require(
            made.err.split(separator: " ").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
    }

    /// A vault with two notes, one of them with a file that fills several pieces.
    private func source() throws -> VaultWorld {
        let world = try VaultWorld()
        let note = try world.new("# One\nthe cinnabarword ![data](att:data.bin)", "-t", "t", "-b", "Book")
        try world.attach(note, "data.bin", (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        _ = try world.new("# Two\nsee [[One]]")
        return world
    }

    private func check(_ world: VaultWorld, _ told: Finished) throws {
        #expect(try world.tally(told) == [2, 0, 0, 1], "\(told.text) \(told.err)")
        #expect(try world.note("One")["notebook"].string == "Book" && world.note("One")["tags"][0].string == "t")
        #expect(try world.vault("cat", "Two").text.contains("see [[One]]"))
        #expect(try world.attachment("One", "data.bin") == (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    }

    @Test(
        arguments: [
            ("json", "all.json.age", []), ("json", "all.json.age", ["--armor"]), ("jex", "all.jex.age", []),
            ("markdown", "all.tar.age", []),
        ] as [(String, String, [String])])
    func anExportThatVaultSealedComesBackWithItsIdentity(format: String, name: String, more: [String]) throws {
        let (from, world) = (try source(), try VaultWorld())
        let recipient = try key(world, "key.txt")
        let line =
            ["export", format, "-o", world.path(name), "--encrypt-to", recipient] + (format == "markdown" ? [] : more)
        #expect([0, 12].contains(try from.vault(line).code))
        let program = format == "jex" ? "joplin" : format
        expectRefusal(try world.vault("import", program, world.path(name)), 2, says: "encrypted with age")
        let told = try world.vault(["import", program, world.path(name), "--json", "--identity", world.path("key.txt")])
        try check(world, told)
        let again = try world.vault([
            "import", program, world.path(name), "--json", "--identity", world.path("key.txt"),
        ])
        #expect(try world.tally(again) == [0, 0, 2, 0])
        #expect(try !world.vaultHolds("cinnabarword") && world.vault("check").code == 0)
    }

    @Test func aPassphraseOpensItToo() throws {
        let (from, world) = (try source(), try VaultWorld())
        let phrase = try world.write("phrase", Self.phrase)
        for (name, more) in [("a.json.age", []), ("b.age", ["--armor"])] {
            try from.require(
                from.vault(
                    ["export", "json", "-o", world.path(name), "--no-history", "--passphrase-file", phrase] + more))
            expectRefusal(try world.vault("--no-input", "import", "json", world.path(name)), 3, says: "passphrase")
        }
        try check(world, world.imported("auto", "a.json.age", "--passphrase-file", phrase))
        #expect(try world.tally(world.imported("json", "b.age", "--passphrase-file", phrase)) == [0, 0, 2, 0])
        let wrong = try world.write("wrong", "another phrase altogether")
        expectRefusal(
            try world.vault("import", "json", world.path("b.age"), "--passphrase-file", wrong), 4, says: "does not open"
        )
    }

    @Test func whatDoesNotOpenItImportsNothingAndSaysSo() throws {
        let (from, world) = (try source(), try VaultWorld())
        let recipient = try key(world, "key.txt")
        _ = try key(world, "other.txt")
        try from.require(
            from.vault("export", "json", "-o", world.path("a.json.age"), "--no-history", "--encrypt-to", recipient))
        func run(_ identity: String, _ name: String = "a.json.age") throws -> Finished {
            try world.vault("import", "json", world.path(name), "--identity", world.path(identity))
        }
        expectRefusal(try run("other.txt"), 4, says: "no identity")
        expectRefusal(try run("nowhere.txt"), 5, says: "identity file")
        try world.write("words", "this is no key\n")
        expectRefusal(try run("words"), 2, says: "no key")
        try world.system("age", ["-r", recipient, "-o", world.path("sealed.txt"), world.path("key.txt")])
        expectRefusal(try run("sealed.txt"), 2, says: "itself encrypted")
        try from.require(from.vault("export", "json", "-o", world.path("plain.json"), "--no-history", "--plaintext"))
        expectRefusal(try run("key.txt", "plain.json"), 2, says: "nothing to decrypt")
        var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: world.path("a.json.age"))))
        bytes[30] ^= 1
        try world.put("altered.age", bytes)
        #expect([4, 13].contains(try run("key.txt", "altered.age").code))
        #expect(try world.vault("ls", "--count").text == "0\n")
    }

    @Test func ofASealedExportThatIsCutTheWholeNotesAreKept() throws {
        let (from, world) = (try VaultWorld(), try VaultWorld())
        let recipient = try key(world, "key.txt")
        let filler = String(repeating: "filler words ", count: 3000)
        for number in 1...6 { _ = try from.new("# Note \(number)\n\(filler)") }
        try from.require(
            from.vault("export", "json", "-o", world.path("a.json.age"), "--no-history", "--encrypt-to", recipient))
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: world.path("a.json.age"))))
        try world.put("cut.json.age", Array(bytes[..<(bytes.count - 60_000)]))
        let told = try world.vault([
            "import", "json", world.path("cut.json.age"), "--json", "--identity", world.path("key.txt"),
        ])
        #expect(told.code == 12)
        let created = try #require(JSON(told)["created"].int)
        #expect((1...5).contains(created))
        let names = try JSON(told)["losses"].array.compactMap { $0["path"].string }
        #expect(names.contains { $0.contains(": note \(created + 1), line ") }, "\(names)")
    }

    @Test func aStoreOfPassageBecomesPrivateNotes() throws {
        let world = try VaultWorld()
        let recipient = try key(world, "identities")
        let entries = ["web/mail": "s3cretword\nuser: me\n", "bank": "pin4711word\n", "deep/er/entry": "thirdword\n"]
        try world.put("store/.age-recipients", recipient + "\n")
        for (name, text) in entries {
            try world.put("plain", text)
            let folder = URL(fileURLWithPath: world.path("store/" + name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try world.system("age", ["-r", recipient, "-o", world.path("store/\(name).age"), world.path("plain")])
        }
        let password = try world.write("note-password", "a long phrase for all entries")
        func run(_ format: String, _ more: String...) throws -> Finished {
            try world.vault(["import", format, world.path("store"), "--json", "--note-password-file", password] + more)
        }
        #expect(try run("pass").code == 2)
        #expect(try world.tally(run("auto", "--identity", world.path("identities"))) == [3, 0, 0, 0])
        #expect(try world.tally(run("pass", "--identity", world.path("identities"))) == [0, 0, 3, 0])
        let notes = try JSON(world.vault("ls", "--json"))["notes"].array
        #expect(notes.count == 3 && notes.allSatisfy { $0["private"].bool == true && $0["locked"].bool == true })
        for word in ["s3cretword", "pin4711word", "bank"] { #expect(try !world.vaultHolds(word)) }
        var texts: Set<String> = []
        for note in notes {
            let id = try #require(note["id"].string)
            try world.require(world.vault("note", "unlock", id, "--note-password-file", password))
            texts.insert(try world.vault("cat", id).text)
        }
        #expect(texts == Set(entries.values))
    }
}
