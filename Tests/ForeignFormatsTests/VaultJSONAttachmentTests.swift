// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ArchiveReading
import ForeignFormats
import ParserProtocol
import Testing

struct VaultJSONAttachmentTests {
    private static let id = VaultJSON.attachmentID("a")
    private static let path = "attachments/cd/\(id).txt"

    private func note(_ attachments: String...) -> String {
        VaultJSON.text(["attachments": "[\(attachments.joined(separator: ","))]"])
    }
    private func imported(_ attachments: String...) -> Imported {
        VaultJSON.imported(
            VaultJSON.document([VaultJSON.text(["attachments": "[\(attachments.joined(separator: ","))]"])]),
            pieceByteCount: 50)
    }

    @Test(arguments: [
        ("YWJj", "3"), ("YWI=", "2"), ("YQ==", "1"), ("", "0"), ("YWJ\\u006a", "3"), ("\\/\\/\\/\\/", "3"),
    ])
    func aContentInTheDocumentArrives(base64: String, byteCount: String) throws {
        let result = imported(VaultJSON.described(byteCount: byteCount, content: "\"base64\":\"\(base64)\""))
        let content = try #require(result.attachments[Self.id])
        #expect(result.isWellFormed && result.damaged.isEmpty && String(content.count) == byteCount)
        #expect(
            result.notes.first?.attachments.map(\.key) == [Self.id] && result.summary?.lossCount == 0
                && result.refused.isEmpty)
    }

    @Test(arguments: [
        ("YWJj", "2"), ("YWJj", "4"), ("YWJj", "0"), ("YW Jj", "3"), ("YWI", "2"), ("YWJ=", "2"), ("YW=Jj", "3"),
        ("YWI==", "2"), ("YWJj====", "3"),
        ("Y", "0"), ("Y#Jj", "3"), ("YWJj\\n", "3"), ("-_-_", "3"), ("\\ud800", "0"), ("YQ==YQ==", "2"),
    ])
    func aContentThatDoesNotFitIsTold(base64: String, byteCount: String) throws {
        let result = imported(VaultJSON.described(byteCount: byteCount, content: "\"base64\":\"\(base64)\""))
        #expect(
            try result.isWellFormed && result.damaged == [Self.id]
                && codes(#require(result.notes.first)) == [.attachmentDamaged])
        #expect((result.attachments[Self.id]?.count ?? 0) <= Int(byteCount) ?? 0)
    }

    @Test(arguments: [
        "\"base64\":5", "\"base64\":null", "\"x\":1", "\"file\":7", "\"byteCount\":1,\"base64\":\"YWJj\"",
        "\"name\":\"other\",\"base64\":\"YWJj\"",
    ])
    func anAttachmentThatIsNoneIsRefused(content: String) throws {
        let result = imported(VaultJSON.described(content: content))
        #expect(result.isWellFormed && result.attachments.isEmpty && result.reasons == [.damaged])
        #expect(try codes(#require(result.notes.first)) == [.attachmentMissing])
    }

    @Test(arguments: ["-1", "3.0", "1099511627777", "18446744073709551616", "1e400", "\"3\"", "null"])
    func aSizeThatCannotBeIsRefused(byteCount: String) {
        let result = imported(VaultJSON.described(byteCount: byteCount, content: "\"base64\":\"YWJj\""))
        #expect(result.attachments.isEmpty && result.reasons == [.damaged] && result.notes.count == 1)
    }

    @Test(arguments: [
        "../../etc/passwd", "/etc/passwd", "attachments/cd/../../x", "attachments/aa/\(id).txt",
        "attachments/cd/\(id)/x", "attachments/cd/\(id).t/x",
        "attachments/cd/\(id).", "attachments/cd/\(id).toolongending", "attachments\\\\cd\\\\\(id)",
        "file:///etc/passwd", "",
        "notes-000001.json", "./attachments/cd/\(id).txt", "attachments/cd/\(id).t\\u0000",
    ])
    func aPathOfAnotherFormIsRefusedEvenIfTheFileIsThere(path: String) throws {
        let document = VaultJSON.document([note(VaultJSON.described(content: "\"file\":\"\(path)\""))])
        let result = Imported(
            .json, MemorySource([("notes-000001.json", document), ("attachments/cd/x", "abc"), ("etc/passwd", "abc")]))
        #expect(
            result.isWellFormed && result.attachments.isEmpty && result.reasons == [.unsafePath, .notUsed, .notUsed])
        #expect(try codes(#require(result.notes.first)) == [.attachmentMissing])
    }

    @Test(arguments: [("abc", false), ("ab", true), ("abcd", true), ("", true)])
    func aFileIsComparedWithItsSize(content: String, isDamaged: Bool) throws {
        let document = VaultJSON.document([note(VaultJSON.described(content: "\"file\":\"\(Self.path)\""))])
        let result = Imported(
            .json, MemorySource([("notes-000001.json", document), (Self.path, content), (Self.path, "twin")]))
        #expect(result.isWellFormed && result.damaged.isEmpty == !isDamaged && result.refused.isEmpty)
        #expect(try codes(#require(result.notes.first)) == (isDamaged ? [.attachmentDamaged] : []))
        #expect((result.attachments[Self.id]?.count ?? 9) <= 3)
    }

    @Test func aFileThatIsNotThereIsToldAndOneThatNobodyNamesToo() throws {
        let document = VaultJSON.document([note(VaultJSON.described(content: "\"file\":\"\(Self.path)\""))])
        let result = Imported(
            .json, MemorySource([("notes-000001.json", document), ("attachments/cd/other.txt", "x")]))
        #expect(
            try result.isWellFormed && result.attachments.isEmpty
                && codes(#require(result.notes.first)) == [.attachmentMissing])
        #expect(result.refused == [RefusedEntry(.notUsed, path: "attachments/cd/other.txt".utf8)])
    }

    @Test func aLinkInTheArchiveIsNoFile() throws {
        let document = VaultJSON.document([note(VaultJSON.described(content: "\"file\":\"\(Self.path)\""))])
        let bytes = ArchiveWriter.tar([
            (path: "notes-000001.json", type: "0", link: "", content: Array(document.utf8)),
            (path: Self.path, type: "2", link: "/etc/passwd", content: []),
        ])
        let result = Imported(.json, PackedSource.opening(MemorySource([("e.tar", bytes)])))
        #expect(
            try result.reasons == [.symbolicLink] && codes(#require(result.notes.first)) == [.attachmentMissing]
                && result.attachments.isEmpty)
    }

    @Test func oneIdentifierIsOneAttachment() throws {
        let content = "\"base64\":\"YWJj\""
        let result = imported(
            VaultJSON.described(content: content), VaultJSON.described(name: "m.txt", content: content))
        #expect(
            result.isWellFormed && result.reasons == [.duplicate]
                && result.notes.first?.attachments.map(\.name) == ["n.txt"])
        let two = imported(VaultJSON.described(content: content + ",\"base64\":\"WFla\""))
        #expect(two.attachments[Self.id] == Array("abc".utf8))
    }

    @Test func aNameThatIsNotSafeIsChangedInTheTextToo() throws {
        let content = "\"base64\":\"YWJj\""
        let text = VaultJSON.text([
            "body": "\"![x](att:../a (1).sh) [y](att:N.txt) ](att: ](att:../a (1).sh\"",
            "attachments": "["
                + [
                    VaultJSON.described("a", name: "../a (1).sh", content: content),
                    VaultJSON.described("b", name: "n.txt", content: content),
                    VaultJSON.described("c", name: "N.txt", content: content),
                ].joined(separator: ",") + "]",
        ])
        let note = try #require(VaultJSON.imported(VaultJSON.document([text])).notes.first)
        #expect(
            note.attachments.map(\.name) == ["a (1).sh", "n.txt", "N 2.txt"] && codes(note) == [.attachmentRenamed])
        #expect(note.body == "![x](att:a (1).sh) [y](att:N 2.txt) ](att: ](att:../a (1).sh")
    }

    @Test func moreAttachmentsThanANoteCarriesAreTold() throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        let list = (0..<8000).map { number -> String in
            let end = String([letters[number / 1024], letters[number / 32 % 32], letters[number % 32]])
            let text = VaultJSON.described(name: "\(number)", byteCount: "0", content: "\"base64\":\"\"")
            return text.replacing(Self.id, with: "cd" + String(repeating: "a", count: 21) + end)
        }
        let result = VaultJSON.imported(
            VaultJSON.document([VaultJSON.text(["attachments": "[\(list.joined(separator: ","))]"])]))
        let note = try #require(result.notes.first)
        #expect(
            result.isWellFormed && codes(note) == [.tooManyExtras] && (2000..<8000).contains(note.attachments.count))
        #expect(result.summary?.found.attachments == 8000)
    }

    @Test func aKindThatIsNotKnownIsAFile() throws {
        let text = VaultJSON.described(content: "\"base64\":\"YWJj\"").replacing(
            "\"kind\":\"file\"", with: "\"kind\":\"hologram\"")
        let note = try #require(imported(text).notes.first)
        #expect(note.attachments.count == 1 && note.losses == [Loss(.flagNotCarried, detail: "kind")])
    }
}
