// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ExportFormats
import ForeignFormats
import ParserProtocol

/// Exports for tests: written by the exporter itself, or by hand.
enum VaultJSON {
    static let noteA = "aaaaaaaaaaaaaaaa"
    static let noteB = "bbbbbbbbbbbbbbbb"
    static func attachmentID(_ letter: Character) -> String { "cd" + String(repeating: letter, count: 24) }

    /// A target that only remembers, in the order of writing.
    final class Files: ExportTarget {
        private(set) var list: [(String, [UInt8])] = []

        func addFolder(_ path: [String], modified: Int64) throws {}
        func addFile(_ path: [String], byteCount: UInt64, modified: Int64, content: (ByteSink) throws -> Void) throws {
            var bytes: [UInt8] = []
            try content { piece in for at in piece.indices { bytes.append(piece[at]) } }
            list.append((path.joined(separator: "/"), bytes))
        }
        func finish() throws {}
    }

    static func exported(_ notes: [ExportedNote], leftOut: Int = 0, content: @escaping AttachmentContent = contents)
        throws -> [UInt8]
    {
        var bytes: [UInt8] = []
        let export = try JSONExport(
            to: { piece in for at in piece.indices { bytes.append(piece[at]) } }, content: content)
        for note in notes { try export.add(note) }
        export.leaveOut(privateNotes: leftOut)
        _ = try export.finish()
        return bytes
    }

    static func files(_ notes: [ExportedNote], content: @escaping AttachmentContent = contents) throws -> [(
        String, [UInt8]
    )] {
        let target = Files()
        let export = try JSONFilesExport(to: target, content: content)
        for note in notes { try export.add(note) }
        _ = try export.finish()
        return target.list
    }

    /// As many bytes as the identifier's last letter says: "b" is 70,000, any other one is 9.
    @Sendable static func contents(_ id: String, _ sink: ByteSink) throws {
        if id.hasSuffix("b") {
            try sink(large.span)
        } else {
            try sink(Array("content_".utf8 + [UInt8(id.utf8.last ?? 0)]).span)
        }
    }
    static let large = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    static func attachment(_ letter: Character, _ name: String, kind: String = "file", caption: String = "")
        -> ExportedAttachment
    {
        var attachment = ExportedAttachment(
            id: attachmentID(letter), name: name, mediaType: "image/png", kind: kind,
            byteCount: letter == "b" ? 70_000 : 9,
            created: 1_706_659_200_000)
        attachment.caption = caption
        return attachment
    }

    static func note(_ id: String, _ title: String, _ body: String) -> ExportedNote {
        var note = ExportedNote(
            id: id, title: title, body: body, created: 1_706_659_200_000, modified: 1_706_778_000_250)
        note.titleIsSet = true
        return note
    }

    /// A note by hand; what is in `changes` takes the place of a member, and nil leaves it out.
    static func text(_ changes: [String: String?] = [:], more: String = "") -> String {
        var members: [(String, String)] = [
            ("id", "\"\(noteA)\""), ("title", "\"T\""), ("titleIsSet", "true"), ("body", "\"b\""), ("tags", "[]"),
            ("notebook", "\"\""),
            ("created", "\"2024-01-31T00:00:00.000Z\""), ("modified", "\"2024-02-01T00:00:00.000Z\""),
            ("pinned", "false"), ("archived", "false"),
            ("trashed", "false"), ("template", "false"), ("private", "false"), ("revisions", "[]"),
            ("attachments", "[]"),
        ]
        members = members.compactMap { key, value in
            guard let change = changes[key] else { return (key, value) }
            return change.map { (key, $0) }
        }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + more + "}"
    }

    static func document(_ texts: [String], part: Int = 1, end: String? = nil) -> String {
        let last =
            "\"noteCount\":\(texts.count),\"last\":true,\"totalNoteCount\":\(texts.count),\"privateNotesLeftOut\":0"
        return "{\"format\":\"vault-export\",\"schema\":1,\"part\":\(part),\"notes\":[\n"
            + texts.joined(separator: ",\n") + "\n],\(end ?? last)}\n"
    }

    static func described(_ letter: Character = "a", name: String = "n.txt", byteCount: String = "3", content: String)
        -> String
    {
        "{\"id\":\"\(attachmentID(letter))\",\"name\":\"\(name)\",\"mediaType\":\"text/plain\",\"kind\":\"file\",\"caption\":\"\","
            + "\"byteCount\":\(byteCount),\"created\":\"2024-01-31T00:00:00.000Z\",\(content)}"
    }

    static func imported(_ text: String, pieceByteCount: Int = 64 << 10) -> Imported {
        Imported(.json, MemorySource([("export.json", text)], pieceByteCount: pieceByteCount))
    }
}
