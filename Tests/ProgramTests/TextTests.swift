// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

@Suite struct TextTests {
    /// A clear-screen, a title for the window, a clipboard write, a link, C1 in UTF-8, a turned reading order and a
    /// lone return.
    static let hostile =
        "a\u{1B}[2Jb\u{1B}]0;owned\u{7}c\u{1B}]52;c;ZXZpbA==\u{7}d\u{1B}]8;;http://x\u{1B}\\e\u{9B}31mf\u{202E}g\rh\u{8}\u{7F}\u{61C}\u{E0041}\u{200B}"

    @Test func textThatIsNotUTF8IsRefusedWithItsOffset() throws {
        let world = try VaultWorld()
        for (bytes, offset) in [
            ([0xFF], 0), (Array("good ".utf8) + [0xC3], 5), ([0x61, 0xED, 0xA0, 0x80], 1), ([0xC0, 0x80], 0),
        ] as [([UInt8], Int)] {
            expectRefusal(try world.vault("new", "-", input: bytes), 2, says: "not UTF-8 (byte \(offset))")
        }
        #expect(try world.vault("ls", "--count").text == "0\n")
    }

    @Test func nothingIsNotANote() throws {
        let world = try VaultWorld()
        expectRefusal(try world.vault("new", ""), 2, says: "empty")
        expectRefusal(try world.vault("new"), 2, says: "empty")
        expectRefusal(try world.vault("new", "-", input: Array(" \n\t\r\n".utf8)), 2, says: "empty")
        let id = try world.new("something")
        expectRefusal(try world.vault("append", id, ""), 2, says: "empty")
        expectRefusal(try world.vault("replace", id, ""), 2, says: "empty")
        #expect(try world.vault("cat", id).text == "something")
    }

    @Test func aNoteHolds16MiBAndNotAByteMore() throws {
        let world = try VaultWorld()
        let largest = [UInt8](repeating: 0x61, count: 16 << 20)
        let id = try world.require(world.vault("new", input: largest)).id
        #expect(try world.vault("cat", id).out == largest)
        expectRefusal(try world.vault("new", input: largest + [0x61]), 2, says: "larger than 16 MiB")
        let appended = try world.vault("append", id, "x")
        expectRefusal(appended, 2, says: "16 MiB")
        #expect(try world.vault("cat", id).out == largest)
    }

    @Test func aHundredMebibytesAreRefusedWithoutReadingThemAll() throws {
        let world = try VaultWorld()
        let refused = try world.vault("new", "-", input: [UInt8](repeating: 0x61, count: 100 << 20), seconds: 20)
        expectRefusal(refused, 2, says: "larger than 16 MiB")
        #expect(refused.seconds < 5)
    }

    @Test func everyByteOfATextComesBack() throws {
        let world = try VaultWorld()
        let texts = [
            "no line feed", "one\n", "\r\nmixed\r lines\n\n\n", "nul \0 inside", "\u{FEFF}mark", Self.hostile,
            "Ünïcödé 中文 العربية 🦘👩‍👩‍👧", "--help",
        ]
        for text in texts {
            let id = try world.require(world.vault("new", "-", input: Array(text.utf8))).id
            #expect(try world.vault("cat", id).out == Array(text.utf8))
            #expect(try world.vault("show", id).out == Array(text.utf8))
            // Foundation's reader of JSON drops a mark at the beginning of a text.
            if text.unicodeScalars.first == "\u{FEFF}" { continue }
            #expect(
                try JSON(world.vault("show", "--json", id))["notes"][0]["body"].string == text,
                "\(text.debugDescription)")
        }
    }

    @Test func G01ControlCharactersOfATitleNeverLeaveItsLine() throws {
        let world = try VaultWorld()
        let id = try world.new(
            "body", "--title", Self.hostile + "\nsecond\tline", "--tag", "t\u{1B}[1m", "--notebook", "n\u{1B}]0;x\u{7}")
        for command in [["ls"], ["ls", "--long"], ["search", "body"], ["trash", "ls"]] {
            if command[0] == "trash" { try world.require(world.vault("rm", id)) }
            let printed = try world.require(world.vault(command))
            #expect(printed.lines.count == 1)
            #expect(
                printed.text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !Self.acts($0) },
                "\(printed.text.debugDescription)")
        }
    }

    @Test func G01ErrorsAreHarmlessToo() throws {
        let world = try VaultWorld()
        try world.require(world.vault("new", "x", "--title", "same" + Self.hostile))
        try world.require(world.vault("new", "y", "--title", "same" + Self.hostile))
        let commands = [
            ["show", "same" + Self.hostile], ["show", Self.hostile], [Self.hostile], ["status", Self.hostile],
            ["ls", "--" + Self.hostile],
            ["--vault", "/" + Self.hostile, "ls"], ["unlock", "--idle", Self.hostile],
            ["import", "markdown", "/" + Self.hostile],
            ["--password-file", "/" + Self.hostile, "--vault", world.path("none"), "init", "--no-recovery"],
        ]
        for command in commands {
            let said = try world.vault(command)
            #expect(said.code != 0)
            #expect(!said.err.isEmpty)
            #expect(said.err.unicodeScalars.allSatisfy { $0 == "\n" || !Self.acts($0) }, "\(said.err.debugDescription)")
        }
    }

    /// Whether a terminal does something else with it than show it.
    static func acts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
