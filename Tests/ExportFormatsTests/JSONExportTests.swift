// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat
import VaultTesting

@testable import ExportFormats

struct JSONExportTests {
    private struct Document: Decodable {
        struct Note: Decodable {
            let id, title, body, notebook, created, modified: String
            let titleIsSet, pinned, archived, trashed, template: Bool
            let tags: [String]
            let source: String?
            let revisions: [Revision]
            let attachments: [Attachment]
        }
        struct Revision: Decodable { let id, modified, operation, title, body, notebook: String }
        struct Attachment: Decodable {
            let id, name, mediaType, kind, caption, created: String
            let byteCount: UInt64
            let base64, file: String?
        }
        let format: String
        let schema, part, noteCount: Int
        let last: Bool
        let totalNoteCount, privateNotesLeftOut: Int?
        let notes: [Note]
    }

    private func decode(_ bytes: [UInt8]) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(bytes))
    }

    private func export(_ notes: [ExportedNote], leftOut: Int = 0) throws -> (
        collected: Collected, losses: [ExportLoss]
    ) {
        let collected = Collected()
        let export = try JSONExport(to: { collected.add($0) }, content: contents)
        for note in notes { try export.add(note) }
        export.leaveOut(privateNotes: leftOut)
        return (collected, try export.finish())
    }

    @Test func theSmallestDocumentIsThis() throws {
        #expect(
            try export([]).collected.text == """
                {"format":"vault-export","schema":1,"part":1,"notes":[

                ],"noteCount":0,"last":true,"totalNoteCount":0,"privateNotesLeftOut":0}

                """)
    }

    @Test func aNoteIsWrittenLikeThis() throws {
        var plan = note(1, "Plan", "a \"b\"\n")
        plan.tags = ["x"]
        plan.attachments = [attachment(1, "p.png")]
        #expect(
            try export([plan]).collected.text == """
                {"format":"vault-export","schema":1,"part":1,"notes":[
                {"id":"\(noteID(1))","title":"Plan","titleIsSet":true,"body":"a \\"b\\"\\n","tags":["x"],"notebook":"",\
                "created":"2024-01-31T00:00:00.000Z","modified":"2024-02-01T09:00:00.250Z","pinned":false,"archived":false,"trashed":false,\
                "template":false,"private":false,"revisions":[],"attachments":[{"id":"\(attachmentID(1))","name":"p.png","mediaType":"image/png",\
                "kind":"file","caption":"","byteCount":9,"created":"2024-01-31T00:00:00.000Z","base64":"Y29udGVudGFl"}]}
                ],"noteCount":1,"last":true,"totalNoteCount":1,"privateNotesLeftOut":0}

                """)
    }

    @Test func everyFieldComesBack() throws {
        var full = note(2, "T", "body", notebook: "Work/Plans", isSet: false)
        full.tags = ["a", "b c"]
        (full.flags, full.source) = ([.pinned, .archived, .trashed, .template], "x/y.md")
        full.revisions = [
            ExportedRevision(
                id: attachmentID(9), modified: -1, operation: "edit", title: "old", body: "was", tags: ["z"],
                notebook: "N")
        ]
        full.attachments = [attachment(1, "a.bin"), attachment(2, "b.bin")]
        full.attachments[1].caption = "Caption"
        full.revisionCount = 1
        let (collected, losses) = try export([full, note(3, "second")], leftOut: 2)
        let document = try decode(collected.bytes)
        let read = document.notes[0]
        #expect(
            losses == [ExportLoss(.privateNotes, count: 2)] && document.privateNotesLeftOut == 2
                && document.totalNoteCount == 2)
        #expect(
            read.pinned && read.archived && read.trashed && read.template && read.source == "x/y.md" && !read.titleIsSet
        )
        #expect(read.tags == full.tags && read.notebook == "Work/Plans" && document.notes[1].source == nil)
        #expect(read.revisions[0].modified == "1969-12-31T23:59:59.999Z" && read.revisions[0].body == "was")
        #expect(read.attachments[1].caption == "Caption")
        for (place, attachment) in read.attachments.enumerated() {
            #expect(
                Data(base64Encoded: attachment.base64 ?? "")
                    == Data(("content" + full.attachments[place].id.suffix(2)).utf8))
        }
    }

    @Test func pythonAndFoundationReadTheSameTexts() throws {
        var text = "</script> <!-- \u{2028}\u{2029}\u{FEFF}\u{85} ünï 🎉 \u{10FFFF} \u{FFFF} \\u0041 "
        for value in UInt32(0)..<0x20 { text.unicodeScalars.append(Unicode.Scalar(value) ?? " ") }
        let (collected, _) = try export([note(1, text, text)])
        #expect(try decode(collected.bytes).notes[0].body.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(!collected.text.contains("</script") && !collected.text.unicodeScalars.contains("\u{2028}"))
        let folder = TemporaryFolder()
        try Data(collected.bytes).write(to: URL(fileURLWithPath: folder.path + "/a.json"))
        let program =
            "import json,sys; print(' '.join('%x' % ord(c) for c in json.load(open(sys.argv[1], encoding='utf-8'))['notes'][0]['title']))"
        let read = try output(of: "python3", ["-c", program, folder.path + "/a.json"])
        #expect(read == text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") + "\n")
    }

    @Test(arguments: 0...10) func base64IsRightInAnyPieces(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 250 + $0) }
        let collected = Collected()
        let output = ByteOutput { collected.add($0) }
        var text = Base64Text()
        for byte in bytes { try text.add([byte].span, to: output) }
        try text.end(to: output)
        try output.flush()
        #expect(collected.text == Data(bytes).base64EncodedString())
    }

    @Test func largeExportsAreSeveralDocumentsWithFilesBeside() throws {
        let target = MemoryTarget()
        let export = try JSONFilesExport(to: target) { id, sink in
            if id == attachmentID(1) {
                try sink([UInt8](repeating: 7, count: 70_000).span)
            } else {
                try contents(id, sink)
            }
        }
        for number in 0..<5 {
            var large = note(number, "n\(number)", String(repeating: "x", count: 2 << 20))
            if number == 0 {
                large.attachments = [attachment(1, "big.PNG"), attachment(2, "small.png")]
                large.attachments[0].byteCount = 70_000
            }
            try export.add(large)
        }
        #expect(try export.finish().isEmpty)
        let file = "attachments/cd/\(attachmentID(1)).PNG"
        #expect(
            target.names == [file, "notes-000001.json", "notes-000002.json", "notes-000003.json"]
                && target.files[file]?.count == 70_000)
        let documents = try target.names.dropFirst().map { try decode(target.files[$0] ?? []) }
        #expect(documents.map(\.part) == [1, 2, 3] && documents.map(\.last) == [false, false, true])
        #expect(documents.map(\.noteCount) == [2, 2, 1] && documents[2].totalNoteCount == 5)
        #expect(documents[0].notes[0].attachments.map(\.file) == [file, nil])
        #expect(target.folders == ["attachments", "attachments/cd"])
    }

    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (.max, "9999-12-31T23:59:59.999Z"), (.min, "0000-01-01T00:00:00.000Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    ])
    func datesAreRFC3339(time: Int64, text: String) { #expect(RFC3339.text(time) == text) }
}
