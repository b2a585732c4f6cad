// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// A note whose text lies on a page that does not open, as its owner meets it.
@Suite struct DamagedNoteTests {
    /// A vault with a long note whose newest text is damaged, unlocked.
    private func damaged() throws -> (world: VaultWorld, id: String)? {
        let world = try VaultWorld()
        let id = try world.new("A short text\nthat opens", "--tag", "kept")
        let before = try pageCount(world)
        let long = String(repeating: "A long text that will be damaged. ", count: 6000)
        try world.require(world.vault("replace", id, "-", input: Array(long.utf8)))
        try world.require(world.vault("lock"))
        let whole = try Data(contentsOf: index(world))
        let after = whole.count / 4096
        // The text's own pages follow those of before; which they are is found by trying a few.
        for page in stride(from: before + 6, to: after, by: max((after - before) / 12, 1)) {
            var bytes = whole
            bytes[page * 4096 + 100] ^= 1
            try bytes.write(to: index(world))
            guard try world.tryUnlock().code == 0 else { continue }
            if try world.vault("show", id).code == 13 { return (world, id) }
            try world.require(world.vault("lock"))
        }
        return nil
    }

    private func index(_ world: VaultWorld) -> URL { URL(filePath: world.directory + "/index-1.db") }

    private func pageCount(_ world: VaultWorld) throws -> Int {
        try world.require(world.vault("lock"))
        defer { _ = try? world.unlock() }
        return try Data(contentsOf: index(world)).count / 4096
    }

    @Test func itIsNamedShownAndBroughtBack() throws {
        let (world, id) = try #require(try damaged())
        let check = try world.vault("check")
        #expect(check.code == 13)
        #expect(check.text.contains("vault revert \(id) @1"), "\(check.text)")
        #expect(try world.vault("ls", "--json").text.contains("\"damaged\":true"))
        expectRefusal(try world.vault("show", id), 13, says: "its text is damaged; an earlier revision opens")
        expectRefusal(try world.vault("append", id, "more"), 13)
        let history = try world.vault("history", id)
        #expect(history.code == 0 && history.text.contains("damaged: does not open"), "\(history.text)\(history.err)")
        #expect(try world.vault("cat", id, "@1").text.hasPrefix("A short text"))
        try world.require(world.vault("revert", id, "@1"))
        #expect(try world.vault("cat", id).text.hasPrefix("A short text"))
        #expect(try world.vault("status").text.contains("check"))
    }

    @Test func itIsThrownAwayTakenBackAndRemovedForGood() throws {
        let (world, id) = try #require(try damaged())
        try world.require(world.vault("rm", id))
        #expect(try world.vault("trash", "ls").text.contains("A short text"))
        try world.require(world.vault("restore", id))
        try world.require(world.vault("rm", id))
        let emptied = try world.vault("trash", "empty", "--yes")
        #expect(emptied.code == 0, "\(emptied.err)")
        #expect(try world.vault("show", id).code == 5)
    }
}
