// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// Names of the open vault for the Tab key, once its owner wants that; and the nearest titles of a word that fits none.
@Suite struct CompletedNamesTests {
    @Test func namesAreOfferedOnceTheirOwnerWantsThat() throws {
        let world = try VaultWorld()
        world.environment["XDG_CONFIG_HOME"] = world.path("home/config")
        _ = try world.new("Shopping list", "-t", "home", "-b", "errands")
        _ = try world.new("shoes to buy")
        _ = try world.new("Plans")
        func offers(_ kind: String, _ word: String) throws -> String {
            try world.require(world.vault("__complete", kind, word)).text
        }
        #expect(try offers("note", "sho") == "", "nothing is told unasked")
        try world.require(world.vault("config", "set", "completion.titles", "on"))
        #expect(try offers("note", "sho") == "shoes to buy\nShopping list\n")
        #expect(try offers("tag", "h") == "home\n" && offers("notebook", "") == "errands\n")
        let script = try world.write("script", world.require(world.vault("completion", "bash")).text)
        let driver = """
            source "$1"; COMP_WORDS=("$2" show Sho); COMP_CWORD=2; _vault; printf '%s\\n' "${COMPREPLY[@]}"
            """
        if let bash = Programs.system("bash") {
            let finished = try Command.run(
                [bash, "-c", driver, "bash", script, Programs.path("vault")], environment: world.environment)
            #expect(finished.text == "shoes\\ to\\ buy\nShopping\\ list\n", "\(finished.err)")
        }
        try world.require(world.vault("lock"))
        #expect(try offers("note", "sho") == "", "and nobody is asked for a password")
    }

    @Test func whatFitsNothingIsQuotedWithTheNearest() throws {
        let world = try VaultWorld()
        for title in ["Shopping list", "Shipping costs", "Plans for the year"] { _ = try world.new(title) }
        let finished = try world.vault("show", "shoping list")
        #expect(finished.code == 5 && finished.err.contains("no note matches 'shoping list'"))
        #expect(finished.err.contains("Shopping list") && !finished.err.contains("Plans"))
        let none = try world.vault("show", "zebra")
        #expect(none.code == 5 && !none.err.contains("nearest"))
        let both = try world.vault("show", "ping")
        #expect(both.code == 6 && both.err.contains("more than one note matches 'ping'"))
    }
}
