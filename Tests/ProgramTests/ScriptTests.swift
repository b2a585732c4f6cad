// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// What scripts rely on: docs/cli.md §5 and §6.
@Suite struct ScriptTests {
    static let listed: Set = ["id", "shortID", "title", "created", "updated", "notebook", "tags", "snippet", "trashed"]

    @Test func writingCommandsNameTheNote() throws {
        let world = try VaultWorld()
        let made = try JSON(world.vault("new", "--json", "first line\nsecond"))
        let id = try #require(made["notes"][0]["id"].string)
        #expect(made["schema"].int == 2)
        #expect(made["notes"][0]["title"].string == "first line")
        var revisions: Set = [try #require(made["notes"][0]["revision"].string)]
        for command in [["append", id, "third"], ["replace", id, "another"], ["rm", id], ["restore", id]] {
            let answer = try JSON(world.require(world.vault(command + ["--json"])))
            #expect(answer["schema"].int == 2)
            #expect(answer["notes"].array.count == 1)
            #expect(answer["notes"][0]["id"].string == id)
            #expect(
                revisions.insert(try #require(answer["notes"][0]["revision"].string)).inserted,
                "\(command[0]) makes a revision")
        }
    }

    @Test func listsSearchesAndShowsHaveTheirFields() throws {
        let world = try VaultWorld()
        let id = try world.new("walrus\nmore of it", "--tag", "sea", "-t", "ice", "--notebook", "zoo/cold")
        for command in [["ls"], ["search", "walrus"], ["show", id]] {
            let note = try JSON(world.require(world.vault(command + ["--json"])))["notes"][0]
            #expect(note.names.isSuperset(of: Self.listed), "\(command[0]): \(Self.listed.subtracting(note.names))")
            #expect(note["id"].string == id)
            #expect(note["notebook"].string == "zoo/cold")
            #expect(note["tags"].array.compactMap(\.string).sorted() == ["ice", "sea"])
            #expect(note["trashed"].bool == false)
            let created = try #require(note["created"].string)
            #expect(created.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)
        }
        #expect(try JSON(world.vault("show", id, "--json"))["notes"][0]["body"].string == "walrus\nmore of it")
    }

    @Test func aListTellsItsTotalAndWhetherThereIsMore() throws {
        let world = try VaultWorld()
        for number in 0..<5 { _ = try world.new("note \(number)") }
        let page = try JSON(world.vault("ls", "--json", "--limit", "2"))
        #expect(page["notes"].array.count == 2)
        #expect(page["total"].int == 5)
        #expect(page["more"].bool == true)
        let last = try JSON(world.vault("ls", "--json", "-n", "2", "--page", "3"))
        #expect(last["notes"].array.map { $0["title"].string } == ["note 0"])
        #expect(last["more"].bool == false)
        let all = try JSON(world.vault("ls", "--json", "--all"))
        #expect(all["notes"].array.count == 5)
        #expect(all["total"].int == 5)
        #expect(try world.vault("ls", "--count").text == "5\n")
        #expect(try JSON(world.vault("search", "note", "--json", "-n", "2"))["more"].bool == true)
    }

    @Test func aLimitOrPageThatIsTooLargeIsNamed() throws {
        let world = try VaultWorld()
        _ = try world.new("milk")
        for command in [["ls"], ["ls", "-l", "milk"], ["search", "milk"], ["search", "tag:x"], ["trash", "ls"]] {
            expectRefusal(
                try world.vault(command + ["--limit", "100000"]), 2, says: "--limit is at most 10000, or 0 for all")
            expectRefusal(try world.vault(command + ["--page", "100001"]), 2, says: "--page is at most 100000")
            for limit in ["10000", "0"] { try world.require(world.vault(command + ["--limit", limit])) }
        }
        #expect(try world.vault("search", "milk", "-n0").lines.count == 1)
        // As `ls -l -a`, and not as what does not hold "al".
        #expect(
            try world.require(world.vault("ls", "-al")).text == world.require(world.vault("ls", "--all", "--long")).text
        )
        #expect(try world.vault("ls", "-al").lines.count == 1)
    }

    @Test func statusLockAndCheckHaveTheirFields() throws {
        let world = try VaultWorld()
        let open = try JSON(world.vault("status", "--json"))
        #expect(open["state"].string == "unlocked")
        #expect(open["vault"].string == world.directory)
        #expect(try #require(open["agentPID"].int) > 1)
        let check = try JSON(world.vault("check", "--json"))
        #expect(check["clean"].bool == true)
        #expect(check["problems"].array.isEmpty)
        #expect(check["notes"].int == 0)
        #expect(check["revisions"].int == 0)
        for answer in [try JSON(world.vault("lock", "--json")), try JSON(world.vault("status", "--json"))] {
            #expect(answer["schema"].int == 1)
            #expect(answer["state"].string == "locked")
            #expect(answer["vault"].string == world.directory)
            #expect(answer["agentPID"].isNull)
        }
    }

    @Test func programsTellWhatTheyAre() throws {
        let world = try VaultWorld(prepared: false)
        let about = try JSON(world.vault("about", "--json"))
        #expect(about.names.isSuperset(of: ["schema", "version", "protocol", "format", "license"]))
        #expect(try JSON(world.vault("version", "--json"))["version"].string == about["version"].string)
        #expect(try world.vault("help", "exit-codes").lines.count == 15)
        let made = try world.vault(
            "--vault", world.path("made"), "init", "--json", "--kdf-target", "0", "--no-recovery", "--password-file",
            world.passwordFile)
        #expect(try JSON(made)["created"].bool == true)
        #expect(try JSON(made)["vault"].string == world.path("made"))
    }

    @Test func anErrorIsAnObjectOnStandardError() throws {
        let world = try VaultWorld()
        for title in ["one", "two"] { _ = try world.new("text of \(title)", "--title", "same") }
        let cases = [
            (["show", "nosuch"], Int32(5), "notFound"), (["show", "same"], 6, "ambiguous"), (["new", ""], 2, "usage"),
            (["trash", "empty"], 3, "locked"),
        ]
        for (command, code, name) in cases {
            let refused = try world.vault(command + ["--json"])
            #expect(refused.code == code)
            #expect(refused.out.isEmpty)
            let error = try JSON(text: refused.err)
            #expect(error["schema"].int == 1)
            #expect(error["error"]["code"].string == name)
            #expect(error["error"]["exit"].int == Int(code))
            #expect(error["error"]["message"].string?.isEmpty == false)
            #expect(!error["error"]["hint"].isMissing)
        }
    }

    @Test func anAmbiguousNameListsItsCandidates() throws {
        let world = try VaultWorld()
        let ids = [try world.new("a", "--title", "same"), try world.new("b", "--title", "same")]
        let refused = try world.vault("show", "same")
        expectRefusal(refused, 6, says: "more than one note")
        for id in ids { #expect(refused.err.contains(id)) }
        let object = try world.vault("show", "same", "--json").err
        for id in ids { #expect(object.contains(id)) }
    }

    @Test func aNoteIsFoundByItsTitleOrTheBeginningOfItsIdentifier() throws {
        let world = try VaultWorld()
        let id = try world.new("the body", "--title", "A Title")
        let short = try #require(JSON(world.vault("ls", "--json"))["notes"][0]["shortID"].string)
        #expect(id.hasPrefix(short) && short.count < id.count)
        for reference in [id, short, String(id.prefix(10)), id.uppercased(), "A Title"] {
            #expect(try world.vault("cat", reference).text == "the body", "\(reference)")
        }
        expectRefusal(try world.vault("cat", "zzzzzzzzzzzzzzzz"), 5, says: "no note matches 'zzzzzzzzzzzzzzzz'")
        expectRefusal(try world.vault("rm", id, "nosuch"), 5, says: "no note matches 'nosuch'")
        #expect(try world.vault("ls", "--count").text == "1\n", "of several notes all are found or none is touched")
    }

    @Test func theTrashKeepsUntilItIsEmptied() throws {
        let world = try VaultWorld()
        let ids = [try world.new("keep me"), try world.new("drop me")]
        try world.require(world.vault(["rm"] + ids))
        #expect(try world.vault("ls", "--count").text == "0\n")
        #expect(try JSON(world.vault("trash", "ls", "--json"))["total"].int == 2)
        #expect(try world.vault("search", "drop").out.isEmpty)
        try world.require(world.vault("restore", ids[0]))
        expectRefusal(try world.vault("trash", "empty"), 3, says: "needs confirmation")
        try world.require(world.vault("trash", "empty", "--yes"))
        #expect(try JSON(world.vault("trash", "ls", "--json"))["total"].int == 0)
        #expect(try world.vault("cat", ids[0]).text == "keep me")
        expectRefusal(try world.vault("cat", ids[1]), 5, says: "no note matches '\(ids[1])'")
        #expect(try world.vault("check").code == 0)
    }

    @Test func aLineThatIsNotRightEndsWith2() throws {
        let world = try VaultWorld()
        for command in [
            ["nosuch"], ["ls", "--nosuch"], ["show"], ["ls", "--limit", "x"], ["unlock", "--idle", "soon"], ["search"],
            ["search", " "],
        ] {
            expectRefusal(try world.vault(command), 2, hint: false)
        }
    }

    @Test func searchFindsAnyPartOfAnyScript() throws {
        let world = try VaultWorld()
        let id = try world.new("Ünïcödé Straße 中文字符 العربية 🦘 İstanbul")
        _ = try world.new("another note without any of it")
        for query in ["unicode", "ICOD", "中", "文字", "العربية", "🦘", "u", "unicode 中文", "\"unicode stra\""] {
            let found = try JSON(world.require(world.vault("search", "--json", "--", query)))["notes"].array.compactMap
            { $0["id"].string }
            #expect(found.contains(id), "\(query)")
        }
        let nothing = try world.vault("search", "unicode", "nosuchword")
        #expect(nothing.code == 0 && nothing.out.isEmpty)
    }
}
