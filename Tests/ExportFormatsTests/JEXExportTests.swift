// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import ExportFormats

struct JEXExportTests {
    /// Reads an item as Joplin does: properties from the last blank line on; before it the title, a blank line and the
    /// body.
    private func item(_ target: MemoryTarget, _ id: String) -> (
        title: String, body: String, properties: [String: String]
    ) {
        var lines = target.text(id + ".md").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var properties: [String: String] = [:]
        while let line = lines.popLast(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            properties[parts[0]] = parts.count > 1 ? parts[1].trimmingPrefix(" ").description : ""
        }
        return (lines.first ?? "", lines.dropFirst(2).joined(separator: "\n"), properties)
    }

    private func export(_ notes: [ExportedNote]) throws -> (target: MemoryTarget, losses: [ExportLoss]) {
        let target = MemoryTarget()
        let export = JEXExport(to: target, content: contents)
        for note in notes { try export.add(note) }
        return (target, try export.finish())
    }

    private func ids(_ target: MemoryTarget, ofType type: String) -> [String] {
        target.names.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.filter {
            item(target, $0).properties["type_"] == type
        }
    }

    @Test func anItemIsWrittenLikeThis() throws {
        var plan = note(1, "Plan", "Text\n")
        plan.tags = ["work"]
        let (target, _) = try export([plan])
        let tag = JEXIdentity.named("work", kind: "tag", taken: &Self.none)
        #expect(
            target.text(JEXIdentity.noteTag(noteID(1), place: 0) + ".md") == """
                id: \(JEXIdentity.noteTag(noteID(1), place: 0))
                note_id: \(JEXIdentity.note(noteID(1)))
                tag_id: \(tag)
                created_time: 2024-02-01T09:00:00.250Z
                user_created_time: 2024-02-01T09:00:00.250Z
                updated_time: 2024-02-01T09:00:00.250Z
                user_updated_time: 2024-02-01T09:00:00.250Z
                encryption_cipher_text: 
                encryption_applied: 0
                is_shared: 0
                type_: 6
                """)
        #expect(item(target, tag).title == "work")
    }
    private static var none: Set<String> {
        get { [] }
        set {}
    }

    @Test(arguments: ["", "\n", "x", "x\n", "a\n\nid: evil\ntype_: 4", "a\n\n", "\n\n\nb\n\n\n", "type_: 2"])
    func bodiesAndTitlesComeBackAsTheyWere(text: String) throws {
        let (target, _) = try export([note(1, "T\n\nid: x\ntype_: 9", text)])
        let read = item(target, JEXIdentity.note(noteID(1)))
        #expect(read.title == "T  id: x type_: 9" && read.body == text && read.properties["type_"] == "1")
        #expect(
            read.properties["id"] == JEXIdentity.note(noteID(1))
                && read.properties["created_time"] == "2024-01-31T00:00:00.000Z")
    }

    @Test func aBackslashBeforeALetterIsNoLineEnd() throws {
        // What Joplin makes of it: "\\n" becomes a line feed, then a backslash before one becomes "\\n" again.
        let title = item(try export([note(1, "C:\\new\\rare\\x")]).target, JEXIdentity.note(noteID(1))).title
        let read = title.replacing("\\n", with: "\n").replacing("\\r", with: "\r").replacing("\\\n", with: "\\n")
            .replacing("\\\r", with: "\\r")
        #expect(read == "C:\\new\\rare\\x")
    }

    @Test func attachmentsBecomeResourcesAndEveryOneIsLinked() throws {
        var trip = note(1, "Trip", "![a](att:p.png) [b](att:gone.pdf)")
        trip.attachments = [
            attachment(1, "p.png"), attachment(2, "q]1\nid: x.pdf", "application/pdf"), attachment(3, "noending"),
        ]
        trip.attachments[1].caption = "c"
        let (target, losses) = try export([trip])
        let ids = trip.attachments.map { JEXIdentity.attachment($0.id) }
        let body = item(target, JEXIdentity.note(noteID(1))).body
        #expect(
            body == "![a](:/\(ids[0])) [b](att:gone.pdf)\n\n[q\\]1 id: x.pdf](:/\(ids[1]))\n\n![noending](:/\(ids[2]))")
        #expect(
            target.names.filter { $0.hasPrefix("resources/") } == [
                "resources/\(ids[0]).png", "resources/\(ids[1]).pdf", "resources/\(ids[2]).bin",
            ])
        let resource = item(target, ids[1])
        #expect(
            resource.title == "q]1 id: x.pdf" && resource.properties["mime"] == "application/pdf"
                && resource.properties["size"] == "9")
        #expect(resource.properties["file_extension"] == "pdf" && resource.properties["id"] == ids[1])
        #expect(losses == [ExportLoss(.captions, count: 1)])
    }

    @Test func notebooksAndTagsAreWrittenOnceAndStayTheSame() throws {
        var (first, second) = (note(1, "a", notebook: "Work/Plans"), note(2, "b [[a]]", "[[a]]", notebook: "Work"))
        (first.tags, second.tags, second.flags) = (["Work", "x"], ["work"], .pinned)
        let (target, losses) = try export([first, second])
        let folders = ids(target, ofType: "2")
        #expect(
            Set(folders.map { item(target, $0).title }) == ["Work", "Plans"] && ids(target, ofType: "5").count == 2)
        #expect(
            ids(target, ofType: "6").count == 3
                && losses == [ExportLoss(.flags, count: 1), ExportLoss(.noteLinks, count: 1)])
        let work = try #require(folders.first { item(target, $0).title == "Work" })
        let plans = try #require(folders.first { item(target, $0).title == "Plans" })
        #expect(item(target, plans).properties["parent_id"] == work && item(target, work).properties["parent_id"] == "")
        #expect(item(target, JEXIdentity.note(noteID(1))).properties["parent_id"] == plans)
        #expect(try export([second, first]).target.names == target.names)
        for name in target.names {
            #expect(name.utf8.count == 35 && name.dropLast(3).utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        }
    }

    @Test func namesThatMeetGetIdentifiersOfTheirOwn() {
        var taken: Set<String> = []
        let first = JEXIdentity.named("a", kind: "tag", taken: &taken)
        #expect(JEXIdentity.named("a", kind: "tag", taken: &taken) != first)
        #expect(JEXIdentity.named("a", kind: "folder", taken: &taken) != first)
        // FNV-1a of 128 bits of one NUL, computed apart.
        var none: Set<String> = []
        #expect(JEXIdentity.named("", kind: "", taken: &none) == "d228cb69101a8caf78912b704e4a147f")
    }
}
