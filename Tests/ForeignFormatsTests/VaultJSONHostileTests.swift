// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignFormats
import ParserProtocol
import Testing
import VaultTesting

/// Documents that the exporter never writes: each is refused or told about, and none is trusted.
struct VaultJSONHostileTests {
    @Test func everyTruncationGivesWhatIsWholeAndIsToldToBeIncomplete() {
        let note = VaultJSON.text(["attachments": "[\(VaultJSON.described(content: "\"base64\":\"YWJj\""))]"])
        let text = Array(VaultJSON.document([VaultJSON.text(["id": "\"\(VaultJSON.noteB)\""]), note]).utf8)
        #expect(VaultJSON.imported(String(decoding: text, as: UTF8.self)).refused.isEmpty)
        // The line's end behind the last bracket may be missing.
        for count in 0..<(text.count - 1) {
            let result = Imported(.json, MemorySource([("e.json", Array(text[..<count]))]))
            #expect(result.isWellFormed && result.summary?.isComplete == false && result.notes.count <= 2, "\(count)")
            #expect(result.reasons.filter { $0 != .unknownKind } == [.malformedContainer], "\(count)")
        }
    }

    @Test func changedBytesNeverTrap() {
        var generator = SeededGenerator(66)
        let note = VaultJSON.text([
            "body": "\"x [[T]] \\ud83d\\ude00\"",
            "attachments": "[\(VaultJSON.described(content: "\"base64\":\"YWJj\""))]",
        ])
        let original = Array(VaultJSON.document([note]).utf8)
        for _ in 0..<2000 {
            var bytes = original
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let result = Imported(.json, MemorySource([("e.json", bytes)]))
            #expect(result.isWellFormed && result.summary != nil && result.notes.allSatisfy(isWithinCaps))
        }
    }

    @Test(arguments: [
        "", "[]", "{", "{}", "NaN", "{\"schema\":1}", "{\"format\":\"other\",\"schema\":1,\"part\":1,\"notes\":[]}",
        "{\"format\":1}",
        "{\"format\":\"vault-export\"}", "{\"format\":\"vault-export\",\"schema\":1,\"notes\":[]}",
        "{\"format\":\"vault-export\",\"schema\":1,\"part\":0,\"notes\":[]}",
        "{\"format\":\"vault-export\",\"schema\":1,\"part\":-1,\"notes\":[]}",
        "{\"format\":\"vault-export\",\"schema\":1,\"part\":1,\"part\":1,\"notes\":[]}",
        "{\"format\":\"vault-export\",\"schema\":1,\"part\":18446744073709551616,\"notes\":[]}",
        "\u{FEFF}{\"format\":\"vault-export\"",
    ])
    func whatIsNoExportIsRefusedAsAWhole(text: String) {
        let result = VaultJSON.imported(text)
        #expect(
            result.notes.isEmpty && result.summary?.isComplete == false
                && result.refused.last?.reason == .malformedContainer)
    }

    @Test(arguments: ["2", "0", "1.0", "1e0", "\"1\"", "null", "-1", "NaN", "99999999999999999999999999"])
    func anotherSchemaIsRefusedBeforeANoteIsRead(schema: String) {
        let text = VaultJSON.document([VaultJSON.text()]).replacing("\"schema\":1", with: "\"schema\":\(schema)")
        let result = VaultJSON.imported(text)
        let reason: RefusedEntry.Reason = schema == "NaN" ? .malformedContainer : .unknownVersion
        #expect(result.notes.isEmpty && result.reasons == [reason] && result.summary?.isComplete == false)
    }

    @Test(arguments: [
        "\"noteCount\":2,\"last\":true,\"totalNoteCount\":1,\"privateNotesLeftOut\":0",
        "\"noteCount\":1,\"last\":true,\"totalNoteCount\":2,\"privateNotesLeftOut\":0", "\"noteCount\":1,\"last\":true",
        "\"noteCount\":1,\"last\":false,\"totalNoteCount\":1,\"privateNotesLeftOut\":0", "\"noteCount\":1",
        "\"last\":true",
        "\"noteCount\":1,\"last\":true,\"totalNoteCount\":1,\"totalNoteCount\":1,\"privateNotesLeftOut\":0",
        "\"noteCount\":1,\"last\":true,\"totalNoteCount\":1,\"privateNotesLeftOut\":0}{",
        "\"noteCount\":1e0,\"last\":true",
    ])
    func countsThatDoNotFitAreTold(end: String) {
        let result = VaultJSON.imported(VaultJSON.document([VaultJSON.text()], end: end))
        #expect(
            result.notes.count == 1 && result.summary?.isComplete == false && result.reasons == [.malformedContainer])
    }

    @Test func anExportWithoutItsLastPartIsTold() {
        let result = VaultJSON.imported(
            VaultJSON.document([VaultJSON.text()], part: 1, end: "\"noteCount\":1,\"last\":false"))
        #expect(result.notes.count == 1 && result.summary?.isComplete == false)
        #expect(result.refused == [RefusedEntry(.partMissing, path: "notes-000002.json".utf8)])
    }

    @Test(arguments: [
        VaultJSON.text(["id": "\"../../etc/passwd\""]), VaultJSON.text(["id": "\"AAAAAAAAAAAAAAAA\""]),
        VaultJSON.text(["id": "5"]),
        VaultJSON.text(["title": "null"]), VaultJSON.text(["body": nil]), VaultJSON.text(["tags": "[1]"]),
        VaultJSON.text(["tags": "{}"]),
        VaultJSON.text(["pinned": "1"]), VaultJSON.text(["attachments": "{}"]), VaultJSON.text(["revisions": "0"]),
        VaultJSON.text(["private": nil]),
        VaultJSON.text(more: ",\"body\":\"other\""), VaultJSON.text(more: ",\"attachments\":[]"), "[]", "1", "null",
        "\"x\"",
    ])
    func aNoteThatIsNoneIsRefusedAndTheOthersStay(text: String) {
        let other = VaultJSON.text(["id": "\"\(VaultJSON.noteB)\""])
        let result = VaultJSON.imported(VaultJSON.document([text, other]), pieceByteCount: 7)
        #expect(
            result.notes.map(\.sourceKey) == [VaultJSON.noteB] && result.reasons == [.damaged]
                && result.summary?.isComplete == true)
        #expect(result.summary?.found.notes == 2)
    }

    @Test func membersThatAreNotKnownArePassedOver() {
        let more = ",\"x\":{\"a\":[1,-0.5e+3,true,null,\"\\u00e9\",{\"b\":[[]]}]},\"y\":[]"
        let text = VaultJSON.document([VaultJSON.text(more: more)]).replacing(
            "\"schema\"", with: "\"new\":{\"z\":[{}]},\"schema\"")
        let result = VaultJSON.imported(text, pieceByteCount: 3)
        #expect(result.notes.count == 1 && result.refused.isEmpty && result.summary?.isComplete == true)
    }

    @Test(arguments: [
        "[NaN]", "[Infinity]", "[+1]", "[01]", "[1.]", "[.5]", "[1e]", "[--1]", "[1 2]", "[,]", "[1,]", "{\"a\"}",
        "{a:1}", "{\"a\":1,}", "[\"\\x\"]",
        "[\"\\u12g4\"]", "[\"\n\"]", "[tru]", "[nulll]", "[}", "{]",
    ])
    func whatIsNoJSONEndsTheDocument(value: String) {
        let first = VaultJSON.text(["id": "\"\(VaultJSON.noteB)\""])
        let result = VaultJSON.imported(
            VaultJSON.document([first, VaultJSON.text(more: ",\"x\":\(value)"), VaultJSON.text()]))
        #expect(result.notes.map(\.sourceKey) == [VaultJSON.noteB] && result.reasons == [.malformedContainer])
    }

    @Test func deepNestingAndHugeNumbersAreRefusedQuickly() {
        let deep = String(repeating: "[", count: 1_000_000)
        let number = String(repeating: "9", count: 1_000_000)
        for value in [deep, deep + String(repeating: "]", count: 1_000_000), number, "-" + number + ".5e9"] {
            let result = VaultJSON.imported(VaultJSON.document([VaultJSON.text(more: ",\"x\":\(value)")]))
            #expect(result.notes.isEmpty && result.reasons == [.malformedContainer])
        }
        let allowed = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(VaultJSON.imported(VaultJSON.document([VaultJSON.text(more: ",\"x\":\(allowed)")])).notes.count == 1)
    }

    @Test func loneSurrogatesAndBadBytesBecomeMarksAndAreTold() throws {
        let body = "\"a\\ud83d b\\ude00 c\\ud83d\\ud83d\\ude00 d\\ud83d\\n\\ud83d\""
        for pieceByteCount in [1, 5, 1000] {
            let note = try #require(
                VaultJSON.imported(VaultJSON.document([VaultJSON.text(["body": body])]), pieceByteCount: pieceByteCount)
                    .notes.first)
            #expect(note.body == "a\u{FFFD} b\u{FFFD} c\u{FFFD}😀 d\u{FFFD}\n\u{FFFD}" && codes(note) == [.textDamaged])
        }
        var bytes = Array(VaultJSON.document([VaultJSON.text(["body": "\"a?b\""])]).utf8)
        bytes[bytes.firstIndex(of: UInt8(ascii: "?")) ?? 0] = 0xFF
        let note = try #require(Imported(.json, MemorySource([("e.json", bytes)])).notes.first)
        #expect(note.body == "a\u{FFFD}b" && codes(note) == [.textDamaged])
    }

    @Test func twoNotesOfOneIdentifierAreOne() {
        let result = VaultJSON.imported(VaultJSON.document([VaultJSON.text(), VaultJSON.text(["body": "\"other\""])]))
        #expect(
            result.notes.map(\.body) == ["b"]
                && result.refused == [RefusedEntry(.duplicate, path: "export.json: note \(VaultJSON.noteA)".utf8)])
    }

    @Test func longTextsAreCutAndTold() throws {
        let changes: [String: String?] = [
            "title": "\"" + String(repeating: "ü", count: 100_000) + "\"",
            "notebook": "\"" + String(repeating: "n", count: 9000) + "\"",
            "tags": "[" + (0..<400).map { "\"t\($0)\"" }.joined(separator: ",") + "]",
            "body": "\"" + String(repeating: "é", count: 8 << 20 + 1) + "\"",
        ]
        let result = VaultJSON.imported(VaultJSON.document([VaultJSON.text(changes)]))
        let note = try #require(result.notes.first)
        #expect(
            result.isWellFormed && note.tags.count == ParsedNote.tagCountMax
                && note.body.utf8.count == ParsedNote.bodyByteCountMax)
        #expect(Set(codes(note)) == [.titleTooLong, .notebookTooLong, .tooManyTags, .bodyTooLong])
    }

    @Test func manyBrokenDocumentsAreCountedQuickly() {
        let files = (1...5000).map {
            ("\($0).json", "{\"format\":\"vault-export\",\"schema\":1,\"part\":\($0),\"notes\":[")
        }
        let result = Imported(.json, MemorySource(files))
        #expect(
            result.notes.isEmpty && result.summary?.refusedCount == 5000 && result.refused.count == 1001
                && result.summary?.isComplete == false)
    }
}
