// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import Testing

/// `vault-parse archive` and `vault-parse folder`, confined as they are in use.
@Suite(.serialized)
struct ContainerProcessTests {
    private func frames(_ files: [(String, [UInt8])]) -> [UInt8] {
        var frames: [ContainerFrame] = []
        for (path, content) in files {
            frames.append(.fileStart(path: Array(path.utf8), modified: nil))
            for at in stride(from: 0, to: content.count, by: 64 << 10) {
                frames.append(.fileBytes(Array(content[at..<min(at + 64 << 10, content.count)])))
            }
            frames.append(.fileEnd(isWhole: true))
        }
        return (frames + [.end]).flatMap { RecordFrame.enclosing($0.encoded) }
    }

    private func run(_ arguments: [String], _ files: [(String, [UInt8])], readings: Int) throws -> (Imported, Int32) {
        let input = Array(repeating: frames(files), count: readings).flatMap { $0 }
        let result = try ParseProcess.run(input: input, arguments: arguments)
        var records: [ImportRecord] = []
        var at = 0
        while at + 4 <= result.output.count {
            let count = try RecordFrame.contentByteCount(
                header: Array(result.output[at..<at + 4]), max: ImportRecord.byteCountMax)
            records.append(try ImportRecord(parsing: Array(result.output[(at + 4)..<(at + 4 + count)])))
            at += 4 + count
        }
        #expect(result.errors.isEmpty, "\(result.errors)")
        return (Imported(records), result.exitCode)
    }

    @Test func aTarIsReadInConfinement() throws {
        let named = ArchiveWriter.tar(JoplinImportTests.export + [("Größe/ü.md", "x")])
        let (result, code) = try run(["archive", "joplin"], [("n.jex", named)], readings: 3)
        #expect(code == 0 && result.isWellFormed && result.notes.count == 2 && result.summary?.isComplete == true)
    }

    @Test func aZipIsReadInConfinement() throws {
        let zip = ArchiveWriter.zip([("Größe.txt", StandardNotesImportTests.backup)])
        let (result, code) = try run(["archive", "standardnotes"], [("b.zip", zip)], readings: 2)
        #expect(code == 0 && result.isWellFormed && result.notes.count == 3)
    }

    @Test(arguments: ["enex", "jrnl", "obsidian", "pass", "goodreads", "storygraph", "calibre", "kindle"])
    func theOthersAreReadInConfinement(format: String) throws {
        let files: [String: [(String, [UInt8])]] = [
            "enex": [("B.enex", EvernoteImportTests.export(EvernoteImportTests.note("T", "<b>x</b>")))],
            "jrnl": [("2024/01/31.txt", Array("[2024-01-31 09:05] T\nx".utf8))],
            "obsidian": ObsidianImportTests.vault.map { ($0.0, Array($0.1.utf8)) },
            "pass": [("a.gpg", Array("s".utf8))],
            "goodreads": [("b.csv", Array(GoodreadsImportTests.table("1,T,A,,,5,read").utf8))],
            "storygraph": [("b.csv", Array(StoryGraphImportTests.table("T,A,,read,4.25,,,").utf8))],
            "calibre": [("A/T (1)/metadata.opf", Array(CalibreImportTests.opf("<dc:title>T</dc:title>").utf8))],
            "kindle": [("My Clippings.txt", Array(KindleImportTests.entry("T (A)", "words").utf8))],
        ]
        let readings = ["enex": 2, "obsidian": 4][format, default: 1]
        let (result, code) = try run(["folder", format], files[format] ?? [], readings: readings)
        #expect(code == 0 && result.isWellFormed && !result.notes.isEmpty && result.summary?.isComplete == true)
    }

    @Test(arguments: ["archive", "folder"]) func anExportOfOurOwnIsReadInConfinement(kind: String) throws {
        let notes = VaultJSONRoundTripTests.notes
        let files = kind == "folder" ? try VaultJSON.files(notes) : [("export.json", try VaultJSON.exported(notes))]
        let (result, code) = try run([kind, "json"], files, readings: kind == "folder" ? 3 : 2)
        #expect(
            code == 0 && result.isWellFormed && result.notes.count == 2 && result.attachments.count == 2
                && result.damaged.isEmpty)
        #expect(result.summary?.isComplete == true && result.refused.isEmpty)
    }

    @Test func anAttachmentPassesInPiecesAndArrivesWhole() throws {
        let content = [UInt8](repeating: 7, count: 16 << 20)
        let id = JoplinImportTests.picture
        let (result, code) = try run(
            ["folder", "joplin"],
            [
                (
                    "\(JoplinImportTests.noteA).md",
                    Array("T\n\n![](:/\(id))\n\nid: \(JoplinImportTests.noteA)\ntype_: 1".utf8)
                ),
                ("resources/\(id).bin", content),
            ],
            readings: 3)
        #expect(code == 0 && result.attachments["resource/\(id)"]?.count == content.count && result.notes.count == 1)
    }

    @Test func framesOutOfOrderEndItWith13() throws {
        for frame in [ContainerFrame.fileBytes([1]), .fileEnd(isWhole: true)] {
            let result = try ParseProcess.run(
                input: RecordFrame.enclosing(frame.encoded), arguments: ["folder", "pass"])
            #expect(result.exitCode == 13 && result.output.isEmpty)
        }
        #expect(try ParseProcess.run(input: [], arguments: ["folder", "jrnl"]).exitCode == 13)
    }

    @Test func wrongCommandLinesAreRefused() throws {
        for words in [["archive"], ["archive", "x"], ["folder", "joplin", "x"]] {
            #expect(try ParseProcess.run(input: [], arguments: words).exitCode == 2)
        }
    }
}
