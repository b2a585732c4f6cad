// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing

struct JoplinImportTests {
    static let (noteA, noteB, folder, inner, picture, tag, join) = (
        id("a"), id("b"), id("c"), id("d"), id("e"), id("f"), id("1")
    )

    static func id(_ digit: String) -> String { String(repeating: digit, count: 32) }

    static func item(_ id: String, _ type: Int, title: String? = nil, body: String? = nil, _ properties: [String] = [])
        -> (String, String)
    {
        let tail = (["id: \(id)"] + properties + ["type_: \(type)"]).joined(separator: "\n")
        return (id + ".md", [title, body, tail].compactMap { $0 }.joined(separator: "\n\n"))
    }

    /// Notes stand before what they need, as the order of a directory may be.
    static let export: [(String, String)] = [
        item(
            noteA, 1, title: "Trip",
            body: "![map](:/\(picture)) and [plan](:/\(noteB)#part)\n\nkey: value\n\n`[x](:/\(noteB))`",
            [
                "parent_id: \(inner)", "created_time: 2020-01-02T03:04:05.678Z",
                "updated_time: 2021-01-01T00:00:00.000Z",
                "user_created_time: 2019-01-02T03:04:05.678Z", "user_updated_time: 2021-01-01T00:00:00.000Z",
                "source_url: https://a.example/it's",
                "latitude: 0.00000000", "is_todo: 0", "encryption_applied: 0", "deleted_time: 0",
            ]),
        ("resources/\(picture).png", "PNG bytes"),
        item(
            noteB, 1, title: "Plan", body: "- [ ] pack",
            ["parent_id: \(folder)", "is_todo: 1", "todo_completed: 1600000000000", "deleted_time: 5"]),
        item(inner, 2, title: "Inner/part", ["parent_id: \(folder)"]),
        item(folder, 2, title: "Travel", ["parent_id: "]),
        item(picture, 4, title: "map.png", ["mime: image/png", "file_extension: png"]),
        item(tag, 5, title: "summer"),
        item(join, 6, nil, ["note_id: \(noteA)", "tag_id: \(tag)"]),
    ]

    private static func item(_ id: String, _ type: Int, _ title: String?, _ properties: [String]) -> (String, String) {
        item(id, type, title: title, body: nil, properties)
    }

    @Test func aNoteKeepsItsFolderTagsDatesFilesAndLinks() throws {
        let result = Imported(.joplin, MemorySource(Self.export, pieceByteCount: 7))
        #expect(result.isWellFormed && result.notes.count == 2 && result.refused.isEmpty)
        let note = try #require(result.note(Self.noteA))
        #expect(note.title == "Trip" && note.notebook == "Travel/Inner-part" && note.tags == ["summer"])
        #expect(note.created == 1_546_398_245_678 && note.updated == 1_609_459_200_000)
        #expect(
            note.body
                == "---\nsource_url: 'https://a.example/it''s'\n---\n![map](att:map.png) and [[Plan|plan]]\n\nkey: value\n\n`[x](:/\(Self.noteB))`"
        )
        #expect(note.links == [try NoteReference(target: "Plan", sourceKey: Self.noteB)])
        #expect(note.attachments.map(\.name) == ["map.png"])
        #expect(result.attachments[note.attachments[0].key] == Array("PNG bytes".utf8))
        #expect(Set(codes(note)) == [.unknownFrontMatterKey, .linkPartLost])
    }

    @Test func aTaskAndTheTrashAreKept() throws {
        let note = try #require(Imported(.joplin, MemorySource(Self.export)).note(Self.noteB))
        #expect(note.flags == .trashed && note.body.hasSuffix("- [x] Plan\n\n- [ ] pack"))
        #expect(note.losses == [Loss(.unknownFrontMatterKey, detail: "todo_completed")])
    }

    @Test func aNoteWithoutATitleIsNotCalledByItsFence() throws {
        let export = [
            Self.item(
                Self.noteA, 1, title: "", body: "# By the sea\n\nand more",
                ["latitude: 52.52", "encryption_applied: 0"])
        ]
        let note = try #require(Imported(.joplin, MemorySource(export)).note(Self.noteA))
        #expect(note.body.hasPrefix("---\nlatitude: '52.52'\n---\n# By the sea") && note.title == "By the sea")
    }

    /// Joplin looks for a file by its ending, so our own export gives it one (JEXResource).
    @Test func aFileOfOurOwnExportIsCalledWhatItWas() throws {
        let export = [
            Self.item(Self.noteA, 1, title: "Trip", body: "[notes](:/\(Self.picture)) [map](:/\(Self.tag))"),
            Self.item(Self.picture, 4, title: "notes", ["mime: text/plain", "filename: notes", "file_extension: bin"]),
            Self.item(Self.tag, 4, title: "map", ["mime: image/png", "filename: ", "file_extension: png"]),
            ("resources/\(Self.picture).bin", "one"), ("resources/\(Self.tag).png", "two"),
        ]
        let note = try #require(Imported(.joplin, MemorySource(export)).note(Self.noteA))
        #expect(note.attachments.map(\.name) == ["notes", "map.png"])
    }

    @Test func countsBeforeAndAfterAreTold() throws {
        let summary = try #require(Imported(.joplin, MemorySource(Self.export)).summary)
        #expect(summary.isComplete && summary.found.notes == 2 && summary.delivered.notes == 2)
        #expect(
            summary.found.attachments == 1 && summary.delivered.attachments == 1 && summary.found.tags == 1
                && summary.delivered.tags == 1)
        #expect(summary.found.notebooks == 2 && summary.delivered.links == 1)
        #expect(summary.lossCount == 1)
    }

    @Test func theOrderOfTheFilesDoesNotMatter() {
        let (one, two) = (
            Imported(.joplin, MemorySource(Self.export)), Imported(.joplin, MemorySource(Self.export.reversed()))
        )
        #expect(Set(one.notes.map(\.encoded)) == Set(two.notes.map(\.encoded)) && one.attachments == two.attachments)
        #expect(two.isWellFormed && two.notes.count == 2)
    }

    @Test func encryptedItemsAreNamedAndNotLost() throws {
        let result = Imported(
            .joplin,
            MemorySource([Self.item(Self.noteA, 1, nil, ["encryption_cipher_text: JED0100", "encryption_applied: 1"])]))
        #expect(result.notes.isEmpty && result.reasons == [.encrypted] && result.refused[0].name == Self.noteA + ".md")
        #expect(result.summary?.found.notes == 1 && result.summary?.delivered.notes == 0)
    }

    @Test func sameTitlesGetAPlaceholderAndEachIsTheRightNote() throws {
        let items = [
            Self.item(Self.noteA, 1, title: "Same", body: "[other](:/\(Self.noteB))"),
            Self.item(Self.noteB, 1, title: "same", body: "x"),
        ]
        let note = try #require(Imported(.joplin, MemorySource(items)).note(Self.noteA))
        #expect(note.body == "[[\(Self.noteB)|other]]" && note.links.first?.isPlaceholder == true)
    }

    @Test func missingFilesAndNotesAreLossesAndTheWordsStay() throws {
        let body = "![x](:/\(Self.picture)) [y](:/\(Self.noteB))"
        let note = try #require(
            Imported(.joplin, MemorySource([Self.item(Self.noteA, 1, title: "T", body: body)])).notes.first)
        #expect(note.body == body && Set(codes(note)) == [.attachmentMissing, .linkTargetMissing])
    }

    @Test(arguments: ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "NaN", "-1", "2024-13-45", "1e400"])
    func absurdDatesAreReplacedAndTold(date: String) throws {
        let item = Self.item(Self.noteA, 1, title: "T", body: "b", ["created_time: \(date)", "updated_time: \(date)"])
        let note = try #require(Imported(.joplin, MemorySource([item])).notes.first)
        #expect(note.created == nil && note.updated == nil)
        #expect(
            note.losses == [Loss(.dateReplaced, detail: "created_time"), Loss(.dateReplaced, detail: "updated_time")])
    }

    @Test func twoFilesOfOneNameGetTwoNames() throws {
        let other = Self.id("9")
        let items = [
            Self.item(Self.noteA, 1, title: "T", body: "![](:/\(Self.picture)) ![](:/\(other))"),
            Self.item(Self.picture, 4, title: "../a.png"), Self.item(other, 4, title: "A.png"),
            ("resources/\(Self.picture).png", "1"), ("resources/\(other).png", "2"),
        ]
        let note = try #require(Imported(.joplin, MemorySource(items)).notes.first)
        #expect(note.attachments.map(\.name) == ["a.png", "A 2.png"] && codes(note) == [.attachmentRenamed])
        #expect(note.body == "![a.png](att:a.png) ![A 2.png](att:A 2.png)")
    }

    @Test func aFolderInItselfAndSecondItemsDoNoHarm() throws {
        let items = [
            Self.item(Self.folder, 2, title: "Loop", ["parent_id: \(Self.folder)"]),
            Self.item(Self.noteA, 1, title: "T", body: "b", ["parent_id: \(Self.folder)"]),
            ("sub/" + Self.noteA + ".md", "Other\n\nx\n\nid: \(Self.noteA)\ntype_: 1"), ("readme.md", "no item"),
        ]
        let result = Imported(.joplin, MemorySource(items))
        #expect(result.notes.count == 1 && result.notes[0].title == "T" && result.notes[0].notebook.hasPrefix("Loop"))
        #expect(Set(result.reasons) == [.duplicate, .unknownKind] && result.isWellFormed)
    }
}
