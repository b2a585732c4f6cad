// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

struct MarkdownTextTests {
    @Test func anEmptyFileIsAnEmptyNoteWithoutLoss() throws {
        for path in ["a.md", "a.txt"] {
            let note = try parse("", path: path)
            #expect(note.body == "" && note.title == "a" && note.losses.isEmpty && note.tags.isEmpty)
        }
    }

    @Test func aByteOrderMarkIsNotText() throws {
        let note = try parse(bytes: [0xEF, 0xBB, 0xBF] + Array("---\ntitle: T\n---\nx".utf8))
        #expect(note.title == "T" && note.body == "x" && note.losses.isEmpty)
    }

    @Test func linesOfWindowsBecomeLinesOfUnixWithoutLoss() throws {
        let note = try parse("---\r\ntitle: T\r\n---\r\none\r\ntwo\rthree\r\n")
        #expect(Array(note.body.utf8) == Array("one\ntwo\rthree\n".utf8))
        #expect(note.title == "T" && note.losses.isEmpty)
    }

    @Test func `UTF-16 with a byte order mark is read, damage is told`() throws {
        let text = "Grüße 😀 #tag"
        for bigEndian in [true, false] {
            var bytes: [UInt8] = bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
            for unit in text.utf16 {
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                bytes += bigEndian ? [high, low] : [low, high]
            }
            let note = try parse(bytes: bytes)
            #expect(note.body == text && note.tags == ["tag"] && note.losses.isEmpty)
            let cut = try parse(bytes: bytes + [0x41])
            #expect(cut.body == text + "\u{FFFD}" && codes(cut) == [.damagedUTF16])
        }
        #expect(codes(try parse(bytes: [0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x41])) == [.damagedUTF16])
    }

    @Test func otherBytesAreReadAsWindows1252AndTold() throws {
        let note = try parse(bytes: [0x80, 0x20, 0xE9, 0x93, 0x41, 0x81, 0xFF], path: "a.txt")
        #expect(note.body == "€ é“A\u{81}ÿ")
        #expect(codes(note) == [.notUTF8])
    }

    @Test func everyByteOfWindows1252IsOneCharacter() throws {
        let note = try parse(bytes: (1...255).map { UInt8($0) }.filter { $0 != 13 }, path: "a.txt")
        #expect(note.body.unicodeScalars.count == 254)
    }

    @Test func NULIsKeptAndTold() throws {
        let note = try parse("a\0b")
        #expect(note.body == "a\0b" && codes(note) == [.containsNUL])
    }

    @Test func aBodyAboveTheCapIsCutBetweenCharactersAndTold() throws {
        let text = "x" + String(repeating: "€", count: ParsedNote.bodyByteCountMax / 3 + 1)
        let note = try parse(text, path: "a.txt")
        #expect(codes(note) == [.bodyTooLong])
        #expect(note.body.utf8.count <= ParsedNote.bodyByteCountMax)
        #expect(note.body.utf8.count > ParsedNote.bodyByteCountMax - 4)
        #expect(!note.body.unicodeScalars.contains("\u{FFFD}"))
        #expect(isWithinCaps(note))
    }

    @Test func plainTextHasNoPropertiesAndNoTags() throws {
        for (path, title) in [("a.txt", "a"), ("a.TXT", "a"), ("a", "a"), ("md", "md"), ("a.md.bak", "a.md")] {
            let text = "---\ntitle: T\n---\n#tag ![](x.png)"
            let note = try parse(text, path: path)
            #expect(note.body == text && note.title == title && note.tags.isEmpty && note.losses.isEmpty)
        }
    }

    @Test(arguments: ["a.md", "a.MD", "b/a.Markdown", ".md"])
    func theEndingDecidesWhateverItsCase(path: String) throws {
        #expect(try parse("#tag", path: path).tags == ["tag"])
    }

    @Test func foldersAreTheNotebookAndThePathIsTheKey() throws {
        let note = try parse("x", path: "Work/2024/Größe.md")
        #expect(note.notebook == "Work/2024" && note.sourceKey == "Work/2024/Größe.md")
        #expect(try parse("x", path: "a.md").notebook == "")
    }

    @Test func aFolderThatIsNotUTF8IsMendedAndTold() throws {
        let path: [UInt8] = [0x61, 0xFF, 0x2F] + Array("n.md".utf8)
        let file = try ForeignFile(path: path, modified: 0, content: Array("#t".utf8))
        let note = MarkdownNote.parse(file)
        #expect(note.notebook == "a\u{FFFD}" && codes(note) == [.pathNotUTF8] && note.sourceKey == "/a%FF/n.md")
        // One invalid byte becomes three: the longest folder must still fit.
        let longest = [UInt8](repeating: 0xFF, count: 2000) + [0x2F] + Array("n.md".utf8)
        let cut = MarkdownNote.parse(try ForeignFile(path: longest, modified: 0, content: []))
        #expect(codes(cut) == [.pathNotUTF8, .notebookTooLong] && isWithinCaps(cut))
    }
}
