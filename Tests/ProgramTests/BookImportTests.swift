// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Hundreds of books in the shape that other programs write, counted in the source by Tests/Shapes/books.py, which shares
/// no code with the importers, and in the vault.
@Suite(.enabled(if: Programs.system("python3") != nil, "needs python3"))
struct BookImportTests {
    private func script(_ arguments: String...) throws -> Finished {
        let python = try #require(Programs.system("python3"))
        return try Command.run(
            [python, "-B", Programs.repository + "/Tests/Shapes/books.py"] + arguments, environment: [:], seconds: 60)
    }

    @Test(arguments: ["goodreads", "storygraph", "calibre", "kindle"], [3, 4])
    func asManyBooksAndNotesAreThereAsInTheSource(_ program: String, _ seed: Int) throws {
        let world = try VaultWorld()
        try world.makeFolder("source")
        #expect(try script("make", program, world.path("source"), "\(seed)", "120").code == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: world.path("source"))
        let source = program == "calibre" || files.count != 1 ? world.path("source") : world.path("source/" + files[0])
        let wanted = try JSON(script("count", source))
        let imported = try world.vault("import", program, source)
        #expect([0, 12].contains(imported.code), "\(imported.err)")
        let list = try JSON(world.require(world.vault("book", "ls", "--all", "--json")))
        let books = list["books"].array
        #expect(books.count == wanted["books"].int)
        #expect(books.reduce(0) { $0 + ($1["notes"].int ?? 0) } == wanted["notes"].int)
        #expect(books.count { $0["cover"].bool == true } == wanted["covers"].int)
        let shelves = ["reading", "wishlist", "archived"]
        // A book of which the source says no shelf is on the wishlist.
        let unsaid = books.count - shelves.reduce(0) { $0 + (wanted["shelves"][$1].int ?? 0) }
        for shelf in shelves {
            let more = shelf == "wishlist" ? unsaid : 0
            #expect(list["counts"][shelf].int == (wanted["shelves"][shelf].int ?? 0) + more, "\(shelf)")
        }
        for quarters in 1...20 {
            let count = books.count { $0["rating"].int == quarters * 25 }
            #expect(count == wanted["ratings"]["\(quarters)"].int ?? 0, "\(quarters)")
        }
        // What is there already stays as it is.
        let again = try world.vault("import", program, source)
        #expect((again.err + again.text).contains("created 0, updated 0"), "\(again.err)\(again.text)")
        #expect(try world.vault("check").code == 0)
    }
}
