// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ExportFormats
import Foundation
import VaultTesting

/// Takes what an export writes.
final class Collected {
    private(set) var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func add(_ piece: Span<UInt8>) {
        for at in piece.indices { bytes.append(piece[at]) }
    }
}

/// A target that only remembers, by path.
final class MemoryTarget: ExportTarget {
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var folders: [String] = []

    func addFolder(_ path: [String], modified: Int64) throws { folders.append(path.joined(separator: "/")) }
    func addFile(_ path: [String], byteCount: UInt64, modified: Int64, content: (ByteSink) throws -> Void) throws {
        let collected = Collected()
        try content { collected.add($0) }
        let name = path.joined(separator: "/")
        precondition(
            files[name] == nil && UInt64(collected.bytes.count) == byteCount, "written twice, or of another size")
        files[name] = collected.bytes
    }
    func finish() throws {}

    var names: [String] { files.keys.sorted() }
    func text(_ name: String) -> String { files[name].map { String(decoding: $0, as: UTF8.self) } ?? "(none)" }
}

/// Runs a program found in the system's folders, and gives what it prints.
func output(of program: String, _ arguments: [String]) throws -> String {
    let run = try ProgramRun(URL(filePath: "/usr/bin/env"), [program] + arguments)
    struct Failed: Error { let exitCode: Int32, errors: String }
    guard run.exitCode == 0 && !run.wasKilled else { throw Failed(exitCode: run.exitCode, errors: run.errors) }
    return run.text
}

/// Identifiers of the right form: the number in the last two characters.
func noteID(_ number: Int) -> String { "aaaaaaaaaaaaaa" + digits(number) }
func attachmentID(_ number: Int) -> String { "cdcdcdcdcdcdcdcdcdcdcdcd" + digits(number) }
private func digits(_ number: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
    return String(letters[number / 8 % 32]) + String(letters[number % 8 * 4])
}

func note(_ number: Int, _ title: String, _ body: String = "", notebook: String = "", isSet: Bool = true)
    -> ExportedNote
{
    var note = ExportedNote(
        id: noteID(number), title: title, body: body, created: 1_706_659_200_000, modified: 1_706_778_000_250)
    note.titleIsSet = isSet
    note.notebook = notebook
    return note
}

/// Its content is its own name, as `contents` gives it.
func attachment(_ number: Int, _ name: String, _ mediaType: String = "image/png") -> ExportedAttachment {
    ExportedAttachment(
        id: attachmentID(number), name: name, mediaType: mediaType, kind: "file", byteCount: 9,
        created: 1_706_659_200_000)
}

/// Nine bytes, in two pieces: "content" and the number's two characters.
func contents(_ id: String, _ sink: ByteSink) throws {
    let bytes = Array(("content" + id.suffix(2)).utf8)
    try sink(Array(bytes[..<4]).span)
    try sink(Array(bytes[4...]).span)
}

func markdown(_ notes: [ExportedNote]) throws -> (target: MemoryTarget, losses: [ExportLoss]) {
    let target = MemoryTarget()
    let export = MarkdownExport(to: target, content: contents)
    for note in notes { try export.add(note) }
    return (target, try export.finish())
}
