// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// What a person at a terminal sees, letter for letter; only what differs from run to run is replaced.
@Suite struct TerminalTests {
    @Test func aVaultIsMadeWithARecoveryKey() throws {
        let world = try VaultWorld(prepared: false)
        let session = try world.terminal("init", "--kdf-target", "0")
        try session.wait(for: "New password: ")
        try session.type("short\r")
        try session.wait(for: "[y/N] ")
        try session.type("n\r")
        try session.wait(for: "New password: ")
        try session.type(VaultWorld.password + "\r")
        try session.wait(for: "The same again: ")
        try session.type("something else\r")
        try session.wait(for: "New password: ")
        try session.type(VaultWorld.password + "\r")
        try session.wait(for: "The same again: ")
        try session.type(VaultWorld.password + "\r")
        try session.wait(for: "Type the recovery key back: ")
        let key = try #require(Self.recoveryKey(in: session.transcript))
        try session.type("not the key\r")
        try session.wait(for: "Type the recovery key back: ")
        try session.type(key.uppercased() + "\r")
        #expect(try session.finish() == 0)
        let seen = session.transcript.replacing(key.uppercased(), with: "KEY").replacing(key, with: "key").replacing(world.root, with: "ROOT")
        #expect(!seen.contains(VaultWorld.password))
        print("@@@1", seen)

        let unlock = try world.terminal("unlock", "--recovery")
        try unlock.wait(for: "Recovery key: ")
        try unlock.type(key.replacing("-", with: " ") + "\r")
        #expect(try unlock.finish() == 0)
        try world.agentPID()
        print("@@@2", unlock.transcript)
    }

    @Test func aWrongPasswordIsAskedForAgain() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock", "--idle", "5m", "--max", "1h")
        try session.wait(for: "Password: ")
        try session.type("wrong\r")
        try session.wait(for: "Password: ")
        try session.type("corrx\u{7F}\u{15}" + VaultWorld.password + "\r")
        #expect(try session.finish() == 0)
        try world.agentPID()
        print("@@@3", session.transcript)
    }

    @Test func afterThreeWrongPasswordsItIsOver() throws {
        let world = try VaultWorld(unlocked: false)
        let session = try world.terminal("unlock")
        for number in 1...3 {
            try session.wait(for: "Password: ")
            try session.type("wrong \(number)\r")
        }
        #expect(try session.finish() == 4)
        print("@@@4", session.transcript)
        let interrupted = try world.terminal("unlock")
        try interrupted.wait(for: "Password: ")
        try interrupted.type("half\u{3}")
        #expect(try interrupted.finish() == 130)
        print("@@@5", interrupted.transcript)
    }

    @Test func aListHasTwoLinesForEachNote() throws {
        let world = try VaultWorld()
        let first = try world.new("A first line that is the title and is much longer than forty columns\nand a second one that is the snippet, also long enough to be cut somewhere", "--tag", "sea")
        let second = try world.new("Short\n\nwith a snippet", "--notebook", "zoo")
        let third = try world.new("中文字符 🦘")
        for columns in [UInt16(80), 40] { print("@@@6 \(columns)\n" + (try world.shown("ls", columns: columns))) }
        print("@@@7", try world.shown("ls", "--long"))
        print("@@@8", try world.shown("show", first))
        print("@@@9", try world.shown("search", "snippet"))
        print("@@@10", try world.shown("rm", second), try world.shown("status"), try world.shown("new", "from a terminal"))
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] { world.environment[name] = value; print("@@@11", try world.shown("ls").debugDescription); world.environment[name] = nil }
        _ = third
    }

    static func recoveryKey(in text: String) -> String? {
        text.firstMatch(of: /(?:[a-z2-7]{4}-){8}[a-z2-7]{4}/).map { String($0.output) }
    }
}
