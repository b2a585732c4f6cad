// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ExportFormats
import ForeignFormats
import Foundation
import ParserProtocol
import Testing
import VaultFormat

struct MarkdownExportTests {
    @Test func aNoteHasFrontMatterAndItsBodyAsItIs() throws {
        var plan = note(1, "The plan", "# Head\n\ntext [[Other]]\n", notebook: "Work/Plans")
        plan.tags = ["one", "two/three"]
        plan.flags = .pinned
        plan.source = "old/plan.md"
        let (target, losses) = try markdown([plan])
        #expect(target.folders == ["Work", "Work/Plans"] && losses.isEmpty)
        #expect(
            target.text("Work/Plans/The plan.md") == """
                ---
                title: "The plan"
                created: 2024-01-31T00:00:00.000Z
                updated: 2024-02-01T09:00:00.250Z
                tags:
                  - "one"
                  - "two/three"
                id: "\(noteID(1))"
                pinned: true
                imported-from: "old/plan.md"
                ---

                # Head

                text [[Other]]

                """)
    }

    @Test func aTitleThatIsTheFirstLineIsNotWrittenTwice() throws {
        let (target, _) = try markdown([note(1, "First line", "First line\nmore", isSet: false)])
        #expect(!target.text("First line.md").contains("title:"))
    }

    @Test func attachmentsLieBesideTheirNoteAndTheTextFindsThem() throws {
        var trip = note(
            1, "My trip",
            "![a](att:two words.png) [b](att:f(1).pdf) ![c](<att:two words.png>) ![d](att:two%20words.png) ![](att:gone.png)"
        )
        trip.attachments = [
            attachment(1, "two words.png"), attachment(2, "f(1).pdf"), attachment(3, "TWO words.png"),
            attachment(4, "a/b:c.txt"),
        ]
        trip.attachments[0].caption = "Hello"
        let (target, losses) = try markdown([trip])
        #expect(
            target.names == [
                "My trip.files/TWO words (2).png", "My trip.files/a_b_c.txt", "My trip.files/f(1).pdf",
                "My trip.files/two words.png", "My trip.md",
            ])
        #expect(target.text("My trip.files/f(1).pdf") == "content" + attachmentID(2).suffix(2))
        let picture = "My%20trip.files/two%20words.png"
        #expect(
            target.text("My trip.md").hasSuffix(
                "![a](\(picture)) [b](My%20trip.files/f%281%29.pdf) ![c](\(picture)) ![d](\(picture)) ![](att:gone.png)"
            ))
        #expect(
            losses == [
                ExportLoss(.attachmentDetails, count: 4), ExportLoss(.captions, count: 1),
                ExportLoss(.renamedAttachments, count: 2),
            ])
    }

    @Test func attachmentsThatTheTextDoesNotMentionAreListed() throws {
        var trip = note(1, "Trip", "![](att:b.png)")
        trip.attachments = [attachment(1, "a.pdf"), attachment(2, "b.png"), attachment(3, "c[1].md")]
        let (target, _) = try markdown([trip])
        #expect(
            target.text("Trip.md").contains(
                "attachments:\n  - \"[[Trip.files/a.pdf]]\"\n  - \"[[Trip.files/b.png]]\"\n  - \"Trip.files/c[1].md\"\n---\n"
            ))
        // With all of them in the text, in their order, nothing is said twice.
        trip.body = "[](att:a.pdf) ![](att:b.png) [x](att:c[1].md) ![](att:a.pdf)"
        #expect(try !markdown([trip]).0.text("Trip.md").contains("attachments:"))
        trip.attachments = (0..<5000).map { attachment(1 + $0 % 9, "file \($0).pdf") }
        let text = try markdown([trip]).0.text("Trip.md")
        #expect(text.utf8.count < 16 << 10)
        #expect(
            MarkdownNote.parse(try ForeignFile(path: Array("Trip.md".utf8), modified: 0, content: Array(text.utf8)))
                .title == "Trip")
    }

    @Test func notebooksNeverLeaveTheTarget() throws {
        let (target, losses) = try markdown([
            note(1, "x", notebook: "../../etc"), note(2, "x", notebook: "/abs//b/"), note(3, "../x", notebook: "work"),
            note(4, "x", notebook: "Work"),
            note(5, "x", notebook: (0..<100).map { "n\($0)" }.joined(separator: "/")),
        ])
        for path in target.names + target.folders {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.count <= 25 && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasPrefix(" ") })
        }
        #expect(
            target.names.contains("work/_x.md") && target.names.contains("Work (2)/x.md")
                && target.names.contains("abs/b/x.md"))
        #expect(losses == [ExportLoss(.renamedNotebooks, count: 4)])
    }

    @Test func aNotebookAndANoteOfOneNameDoNotMeet() throws {
        var trip = note(1, "a", "x")
        trip.attachments = [attachment(1, "p.png")]
        let (target, _) = try markdown([trip, note(2, "y", notebook: "A.FILES"), note(3, "z", notebook: "a.md")])
        #expect(target.folders == ["a.files", "A.FILES_", "a.md (2)"])
    }

    @Test func historyProtectionAndLockedNotesAreCounted() throws {
        var secret = note(1, "s")
        secret.isPrivate = true
        secret.revisionCount = 7
        secret.created = .max
        let target = MemoryTarget()
        let export = MarkdownExport(to: target, content: contents)
        export.leaveOut(privateNotes: 3)
        try export.add(secret)
        #expect(
            try export.finish() == [
                ExportLoss(.privateNotes, count: 3), ExportLoss(.protection, count: 1), ExportLoss(.history, count: 7),
                ExportLoss(.dates, count: 1),
            ])
    }

    @Test func identifiersThatAreNoneAreRefused() {
        for id in ["", "short", "../../../../etc/", "AAAAAAAAAAAAAAAA", "aaaaaaaaaaaaaaa1"] {
            var bad = note(1, "x")
            bad.id = id
            #expect(throws: ExportError(.badIdentifier)) { try markdown([bad]) }
        }
    }
}

/// What the import makes of an export: the same note.
struct MarkdownRoundTripTests {
    private func imported(_ note: ExportedNote) throws -> ParsedNote {
        let (target, _) = try markdown([note])
        let name = try #require(target.names.first { $0.hasSuffix(".md") })
        return MarkdownNote.parse(
            try ForeignFile(path: Array(name.utf8), modified: 0, content: target.files[name] ?? []))
    }

    /// The body without the properties that an import keeps in it because it has no place for them.
    private func body(_ note: ParsedNote) -> String {
        guard note.body.hasPrefix("---\ntags:"), let end = note.body.range(of: "\n---\n")
        else { return note.body }
        return String(note.body[end.upperBound...])
    }

    private static let hostile = [
        "plain", "a: b", "\"quoted\" 'twice'", "back\\slash \\n", "# no comment", "x #y", "---", "...", "- item",
        "[list]", "{map: 1}",
        "&anchor *alias",
        "Tom &Jerry", "!!binary x", "%TAG", "@at `tick`", "yes", "null", "~", "1.0", "2024-01-01", "tab\there",
        String(repeating: "[", count: 500),
        String(repeating: "{[", count: 400), "ünï 文字 🎉", "</script><script>alert(1)</script>",
        "x\"\npinned: true\n---\nevil", "|", ">", "? x",
        "=cmd|' /C calc'!A0",
    ]

    @Test(arguments: hostile)
    func titlesAndTagsCannotBecomeProperties(text: String) throws {
        var source = note(1, text, "Body\n")
        source.tags = ["first", "t" + text]
        let result = try imported(source)
        let oneLine = text.replacing("\n", with: " ").replacing("\t", with: " ")
        #expect(result.title == oneLine && body(result) == "Body\n")
        #expect(result.created == source.created && result.updated == source.modified)
        #expect(!result.losses.contains { $0.code == .frontMatterInvalid || $0.code == .frontMatterComment })
        // A line feed or a tab is no part of a tag to the import; and it stays one value.
        let isOneLine = oneLine == text && ("t" + text).unicodeScalars.count <= 100
        #expect(result.tags == (isOneLine ? ["first", "t" + text] : ["first"]))
    }

    @Test(arguments: [
        "", "\n", "\n\nx", "---\ntitle: Z\n---\nx", "x\n---\n", "a\u{FEFF}b", "  indented", "# Head\n", "\u{0}x",
        "x\n\n\n",
    ])
    func bodiesComeBackAsTheyWere(text: String) throws {
        #expect(body(try imported(note(1, "T", text))) == text)
    }

    @Test func everyControlCharacterIsTaken() throws {
        for value in (UInt32(0)...0xA0) + [
            0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF, 0x1F_FFFE, 0x10_FFFF, 0x202E, 0xE000,
        ] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let result = try imported(note(1, "a\(scalar)b", "x"))
            #expect(!result.losses.contains { $0.code == .frontMatterInvalid } && result.created != nil, "\(value)")
        }
    }

    @Test func flagsAreTakenAndIdentifiersLeaveNothingBehind() throws {
        var source = note(1, "T", "x")
        source.flags = [.pinned, .archived, .trashed]
        let result = try imported(source)
        #expect(result.flags == [.pinned, .archived, .trashed] && result.body == "x" && result.losses.isEmpty)
        (source.flags, source.source) = (source.flags.union(.template), "somewhere: else")
        let named = try imported(source)
        #expect(named.body == "x" && named.flags.contains(.template) && named.losses.map(\.detail) == ["imported-from"])
    }

    @Test func everyFlagThatIsExportedIsImported() throws {
        #expect(Set(NoteFlag.allCases.map(\.name)) == Set(ParsedNote.Flags.named.keys))
        for flag in NoteFlag.allCases {
            var source = note(1, "T", "x")
            source.flags.set(flag, true)
            #expect(try imported(source).flags == ParsedNote.Flags.named[flag.name], "\(flag)")
        }
    }

    @Test(arguments: [
        "id: 12", "id: abcdefghijklmnop", "id: \"short\"", "pinned: false", "pinned: [true]", "template: post",
        "imported-from: web", "archived: yes",
    ])
    func othersPropertiesOfTheseNamesStay(line: String) throws {
        let file = try ForeignFile(path: Array("a.md".utf8), modified: 0, content: Array("---\n\(line)\n---\nx".utf8))
        let result = MarkdownNote.parse(file)
        #expect(
            result.body == "---\n\(line)\n---\nx" && result.flags.isEmpty
                && result.losses.map(\.code) == [.unknownFrontMatterKey])
    }

    @Test func notebooksAreFoldersAgain() throws {
        #expect(try imported(note(1, "T", "x", notebook: "Work/Plans 2")).notebook == "Work/Plans 2")
    }
}
