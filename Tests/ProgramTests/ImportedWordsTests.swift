// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Words of notes that came many at once: found at once, and in the search table when nobody waits.
@Suite struct ImportedWordsTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let count = 130

    /// How many notes of the closed vault are not in the search table yet, by a reader that shares no code with ours.
    private func left(_ world: VaultWorld) throws -> Int {
        let script = """
            import sys
            sys.path.insert(0, sys.argv[1])
            sys.dont_write_bytecode = True
            import decrypt
            read = decrypt.read_index
            def counted(database, *more):
                print("left", database.execute("SELECT count(*) FROM unindexed").fetchone()[0], file=sys.stderr)
                return read(database, *more)
            decrypt.read_index = counted
            sys.argv = ["decrypt.py", *sys.argv[2:]]
            decrypt.main()
            """
        let python = Self.package + "/bench-out/venv/bin/python"
        let read = try Command.run(
            [
                python, "-c", script, Self.package + "/docs", world.directory, "--json", "--password-file",
                world.passwordFile,
            ], environment: world.environment, seconds: 120)
        try #require(read.code == 0, "\(read.err)")
        let word = read.err.split(separator: "\n").first { $0.hasPrefix("left ") }
        return try #require(word.flatMap { Int($0.dropFirst(5)) })
    }

    @Test func theyAreFoundAtOnceAndPutIntoTheTableByAnAgentThatHasNothingElseToDo() throws {
        let world = try VaultWorld()
        try FileManager.default.createDirectory(atPath: world.path("notes"), withIntermediateDirectories: true)
        for number in 0..<Self.count { try world.write("notes/\(number).md", "hornbill number\(number)") }
        try world.require(world.vault("import", "markdown", world.path("notes")))
        let found = try JSON(world.require(world.vault("search", "hornbill", "--limit", "200", "--json")))
        #expect(found["notes"].array.count == Self.count)
        var counts: [Int] = []
        for _ in 0..<20 where counts.last != 0 {
            usleep(500_000)
            try world.require(world.vault("lock"))
            counts.append(try left(world))
            try world.require(world.vault("unlock", "--password-file", world.passwordFile))
        }
        #expect(counts.last == 0, "\(counts)")
        let again = try JSON(world.require(world.vault("search", "hornbill", "--limit", "200", "--json")))
        #expect(again["notes"].array.count == Self.count)
    }
}
