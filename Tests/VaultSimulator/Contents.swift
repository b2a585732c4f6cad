// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import GRDB
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// `Contents` is all that a vault holds: entries, heads, and what its owner is shown.
struct Contents {
    /// As each device has them, without what it has thinned out.
    private(set) var entries: Set<[UInt8]> = []
    private(set) var heads: [NoteID: [RevisionID]] = [:]
    /// Keyslots of notes with a password of their own.
    private(set) var passwords: [NoteID: [UInt8]] = [:]
    /// Of each head: all fields.
    private(set) var records: [NoteID: [NoteRecord]] = [:]
    private(set) var files: [AttachmentID: [UInt8]] = [:]
    /// Attachments that a head names and of which nothing is known.
    private(set) var unknown: Set<AttachmentID> = []
    /// Keys that open the vault.
    private(set) var keyslots: Set<[UInt8]>
    private(set) var problems: [CheckProblem] = []
    private var graphs = NoteHeads()
    /// What purges have named.
    private var purged: [NoteID: [RevisionID]] = [:]

    init(of store: OpenVault) throws {
        keyslots = Set(store.header.keyslots.map(\.slotID))
        try store.read { index in
            for row in try Row.fetchAll(index.database, sql: "SELECT bytes FROM entry") {
                let bytes = try row.bytes("bytes")
                let entry = try Entry(parsing: bytes)
                graphs.add(entry)
                // What was said of a note's password may be said by several; what counts is the keyslot.
                let isOfPassword = entry.operation == .statement && entry.noteID != .none
                if entry.operation != .drop, !isOfPassword { entries.insert(bytes) }
                if entry.operation == .purge { purged[entry.noteID, default: []] += entry.parents }
            }
        }
        for note in graphs.notes {
            guard try store.read({ try $0.isPresent(note) }) else { continue }
            try store.read { index in
                if try index.isPrivate(note) { passwords[note] = try index.keyslot(note).encoded }
                heads[note] = try index.otherHeadIDs(of: note) + [index.headID(of: note)]
                records[note] = try (heads[note] ?? []).map { try index.revision($0, of: note) }
            }
            for id in Set((records[note] ?? []).flatMap(\.attachments)) {
                guard let attachment = try? store.read({ try $0.attachment(id, of: note) }) else {
                    unknown.insert(id)
                    continue
                }
                // What is not here is an empty digest: a check names it.
                files[id] = (try? store.attachments.bytes(of: attachment)).flatMap { try? Digest.sha256($0) } ?? []
            }
        }
        let check = VaultCheck(store)
        while try check.step() {}
        problems = check.report.problems
    }

    /// Says what became of an edit that was acknowledged; nil when nothing is missing.
    func loss(of edit: Device.Edit) -> String? {
        guard let graph = graphs.graph(of: edit.note) else { return "nothing of its note is there" }
        if (purged[edit.note] ?? []).contains(where: { graph.ancestors(of: $0).contains(edit.revision) }) { return nil }
        let reached = Set(graph.heads.flatMap { graph.ancestors(of: $0) })
        guard reached.contains(edit.revision) else { return "no head comes from it" }
        guard let records = records[edit.note] else { return heads[edit.note] == nil ? "its note is not there" : nil }
        if let line = edit.line, !records.contains(where: { $0.body.contains(line) }) { return "no head has its line" }
        if let file = edit.attachment, !records.contains(where: { $0.attachments.contains(file) }) {
            return "no head has its file"
        }
        return nil
    }
}

extension World {
    /// Compares what devices hold with each other, and with what was acknowledged.
    func compare(_ all: [Contents], _ devices: [Int]) throws {
        guard let first = all.first else { return }
        for (contents, device) in zip(all, devices) {
            if !contents.problems.isEmpty { fail("check finds on device \(device): \(contents.problems.map(\.kind))") }
            for id in contents.unknown {
                let maker = edits.first { $0.attachment == id }.map { "device \($0.device)" } ?? "nobody"
                fail("device \(device) knows nothing of an attachment of \(maker)")
            }
            let kept = contents.keyslots.intersection(removedSlots.keys)
            if !kept.isEmpty { fail("\(kept.count) removed keys open device \(device)") }
            for edit in edits {
                guard let loss = contents.loss(of: edit) else { continue }
                fail("device \(device) has lost an edit of device \(edit.device): \(loss)")
                break
            }
        }
        for (contents, device) in zip(all, devices).dropFirst() {
            let pair = "devices \(devices[0]) and \(device)"
            let (more, less) = (
                first.entries.subtracting(contents.entries), contents.entries.subtracting(first.entries)
            )
            if !more.isEmpty || !less.isEmpty {
                let kinds = [more, less].map { $0.compactMap { try? "\(Entry(parsing: $0).operation)" }.sorted() }
                fail("\(pair) have other entries: \(kinds[0]) are on the one, \(kinds[1]) on the other")
            }
            if first.heads != contents.heads {
                let notes = first.heads.keys.filter { first.heads[$0] != contents.heads[$0] }
                fail("\(pair) have other heads of \(notes.count) notes")
            } else if first.records != contents.records {
                fail("\(pair) show something else")
            }
            if first.files != contents.files {
                let missing = [first, contents].map { side in side.files.values.count(where: \.isEmpty) }
                fail("\(pair) have other files: \(missing[0]) and \(missing[1]) are missing")
            }
            if first.passwords != contents.passwords { fail("\(pair) have other passwords of notes") }
            if first.keyslots != contents.keyslots { fail("\(pair) are opened by other keys") }
        }
    }
}
