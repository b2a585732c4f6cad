// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ArchiveReading
import ExportFormats
import ForeignFormats
import ParserProtocol
import Testing
import VaultFormat

/// What the exporter writes comes back.
struct VaultJSONRoundTripTests {
    static let strange = "ünï 🎉 \u{2028}\u{FEFF}<b> \\u0041 \"q\" \u{1} \u{10FFFF}\r\n\ttab"

    static let notes: [ExportedNote] = {
        var full = VaultJSON.note(
            VaultJSON.noteA, "Plan", strange + "\n![p](att:p.png) [[Other]] [[\(VaultJSON.noteB)|there]] [[nowhere]]")
        full.tags = ["a", "b/c d", "ü"]
        full.notebook = "Work/Plans"
        full.flags = [.pinned, .archived, .trashed, .template]
        full.attachments = [
            VaultJSON.attachment("a", "p.png", kind: "photo", caption: "A caption"),
            VaultJSON.attachment("b", "big ü.BIN"),
        ]
        var other = VaultJSON.note(VaultJSON.noteB, "Other", "first line\nsecond")
        other.titleIsSet = false
        return [full, other]
    }()

    private func check(_ result: Imported) throws {
        #expect(
            result.isWellFormed && result.refused.isEmpty && result.summary?.isComplete == true
                && result.summary?.lossCount == 0)
        let note = try #require(result.note(VaultJSON.noteA))
        #expect(note.title == "Plan" && note.body.unicodeScalars.elementsEqual(Self.notes[0].body.unicodeScalars))
        #expect(
            note.tags == ["a", "b/c d", "ü"] && note.notebook == "Work/Plans"
                && note.flags == [.pinned, .archived, .trashed, .template])
        #expect(note.created == 1_706_659_200_000 && note.updated == 1_706_778_000_250)
        #expect(note.attachments.map(\.name) == ["p.png", "big ü.BIN"])
        #expect(note.attachments.map(\.key) == [VaultJSON.attachmentID("a"), VaultJSON.attachmentID("b")])
        #expect(
            Set(note.links.map(\.target)) == ["Other", VaultJSON.noteB]
                && note.links.allSatisfy { $0.sourceKey == VaultJSON.noteB })
        #expect(result.attachments[VaultJSON.attachmentID("a")] == Array("content_a".utf8))
        #expect(result.attachments[VaultJSON.attachmentID("b")] == VaultJSON.large && result.damaged.isEmpty)
        let other = try #require(result.note(VaultJSON.noteB))
        #expect(
            other.title == nil && other.body == "first line\nsecond" && other.flags.isEmpty && result.notes.count == 2)
        #expect(result.summary?.found == result.summary?.delivered)
    }

    @Test(arguments: [64 << 10, 1000, 1]) func oneDocumentComesBackInPiecesOfAnySize(pieceByteCount: Int) throws {
        let bytes = try VaultJSON.exported(Self.notes)
        let source = MemorySource([("export.json", bytes)], pieceByteCount: pieceByteCount)
        try check(Imported(.json, PackedSource.opening(source)))
        #expect(source.readingCount == 2)
    }

    @Test func documentsAndFilesComeBackInAnyOrder() throws {
        let files = try VaultJSON.files(Self.notes)
        #expect(files.map(\.0) == ["attachments/cd/\(VaultJSON.attachmentID("b")).BIN", "notes-000001.json"])
        for order in [files, files.reversed()] {
            let source = MemorySource(order, pieceByteCount: 777)
            try check(Imported(.json, source))
            #expect(source.readingCount == 3)
        }
    }

    @Test func aTarOfThemComesBack() throws {
        var bytes: [UInt8] = []
        let target = TarStream { piece in for at in piece.indices { bytes.append(piece[at]) } }
        let export = try JSONFilesExport(to: target, content: VaultJSON.contents)
        for note in Self.notes { try export.add(note) }
        _ = try export.finish()
        try check(Imported(.json, PackedSource.opening(MemorySource([("export.tar", bytes)]))))
    }

    @Test func severalDocumentsAreOneExport() throws {
        let notes = ["a", "b", "c"].map {
            VaultJSON.text(["id": "\"" + String(repeating: $0, count: 16) + "\"", "title": "\"\($0)\""])
        }
        let end = "\"noteCount\":1,\"last\":true,\"totalNoteCount\":3,\"privateNotesLeftOut\":0"
        let files = [
            ("notes-000001.json", VaultJSON.document([notes[0], notes[1]], end: "\"noteCount\":2,\"last\":false")),
            ("notes-000002.json", VaultJSON.document([notes[2]], part: 2, end: end)),
        ]
        let whole = Imported(.json, MemorySource(files))
        #expect(
            whole.isWellFormed && whole.notes.map(\.title) == ["a", "b", "c"] && whole.summary?.isComplete == true
                && whole.refused.isEmpty)
        let rest = Imported(.json, MemorySource([files[1]]))
        #expect(
            rest.notes.count == 1 && rest.summary?.isComplete == false
                && rest.refused == [RefusedEntry(.partMissing, path: "notes-000001.json".utf8)]
        )
        let start = Imported(.json, MemorySource([files[0]]))
        #expect(start.notes.count == 2 && start.summary?.isComplete == false)
        #expect(start.refused == [RefusedEntry(.partMissing, path: "notes-000002.json".utf8)])
        let twice = Imported(.json, MemorySource(files + [("copy.json", files[0].1), ("readme.txt", "hello")]))
        #expect(
            twice.reasons == [.duplicate, .unknownKind] && twice.notes == whole.notes
                && twice.summary?.isComplete == true)
    }

    @Test func whatIsNotCarriedIsNamedOnce() throws {
        var note = VaultJSON.note(VaultJSON.noteA, "T", "b")
        let old = ExportedRevision(
            id: VaultJSON.attachmentID("z"), modified: 0, operation: "edit", title: "t", body: "b", tags: ["x"],
            notebook: "")
        (note.isPrivate, note.source, note.revisions, note.revisionCount) = (true, "folder/x.md", [old, old], 2)
        note.created = -9_999_999_999_999
        let result = Imported(.json, MemorySource([("e.json", try VaultJSON.exported([note], leftOut: 3))]))
        let read = try #require(result.notes.first)
        #expect(
            read.flags == .isPrivate && read.created == nil && read.updated == 1_706_778_000_250
                && read.sourceKey == VaultJSON.noteA)
        #expect(
            Set(read.losses) == [
                Loss(.historyNotCarried, detail: "2"), Loss(.flagNotCarried, detail: "source"),
                Loss(.dateReplaced, detail: "created"),
            ])
        #expect(
            result.refused == [RefusedEntry(.encrypted, path: "locked private notes: 3".utf8)]
                && result.summary?.isComplete == true)
    }

    @Test func anEmptyExportIsWhole() throws {
        let result = Imported(.json, MemorySource([("e.json", try VaultJSON.exported([]))]))
        #expect(result.notes.isEmpty && result.refused.isEmpty && result.summary?.isComplete == true)
    }

    @Test func anAttachmentKeepsItsTraits() throws {
        final class Box { var starts: [AttachmentStart] = [] }
        let box = Box()
        let output = ImportOutput { if case .attachmentStart(let start) = $0 { box.starts.append(start) } }
        ImportFormat.json.run(MemorySource([("e.json", try VaultJSON.exported(Self.notes))]), output)
        let traits = try AttachmentTraits(kind: .photo, mediaType: "image/png", caption: "A caption")
        #expect(
            box.starts.first?.traits == traits && box.starts.first?.name == "p.png"
                && box.starts.first?.modified == 1_706_659_200_000)
        #expect(box.starts.map(\.traits?.kind) == [.photo, .file])
    }
}
