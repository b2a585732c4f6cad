// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultCrypto
import VaultFormat
import VaultTesting

@testable import VaultCore

/// `docs/decrypt.py`, which shares no code with vault, on a remote that the product's seals have written: a folder, a
/// password, and nothing else.
struct DecryptRemoteTests {
    private let vault: TestVault
    private let store: OpenVault
    private let remote: RemoteFolder
    private let secrets = TemporaryFolder()

    init() throws {
        vault = try TestVault()
        store = try vault.open()
        remote = try RemoteFolder(store)
        secrets.write(Array(TestVault.password.utf8), to: "password")
        secrets.write(Array("another password".utf8), to: "wrong")
        secrets.write(Array("rosebud".utf8), to: "note-password")
    }

    private struct Report: Decodable {
        struct File: Decodable {
            var name: String?
            var size: Int?
            var sha256: String?
        }
        struct Note: Decodable {
            var id: String
            var title: String?
            var body: String?
            var tags: [String]
            var flags: Int
            var state: String
            var attachments: [File]
            var revisions: [Older]
        }
        struct Older: Decodable {
            var body: String?
            var isHead: Bool
        }
        struct Device: Decodable {
            var name: String?
            var segments: Int
        }
        struct Lost: Decodable { var id: String }
        struct Gap: Decodable {
            var device: String
            var numbers: ClosedRange<Int>
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                device = try list.decode(String.self)
                numbers = try list.decode(Int.self)...list.decode(Int.self)
            }
        }
        var notes: [Note]
        var devices: [Device]
        var missingSegments: [Gap]
        var forked: [String]
        var lostAttachments: [Lost]
        var epochHasEnded: Bool
    }

    private func run(_ options: [String] = [], password: String = "password", at path: String? = nil) throws
        -> ProgramRun
    {
        let python = Repository.root.appending(path: "bench-out/venv/bin/python")
        try #require(
            FileManager.default.isExecutableFile(atPath: python.path),
            "Scripts/setup.sh test installs cryptography and argon2-cffi")
        let script = Repository.root.appending(path: "docs/decrypt.py").path
        return try ProgramRun(
            python,
            ["-B", script, path ?? remote.path, "--password-file", secrets.file(password).path, "--json"] + options)
    }

    private func read(_ options: [String] = [], code: Int32 = 0) throws -> Report {
        let ended = try run(options)
        #expect(ended.exitCode == code, "\(ended.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(ended.output))
    }

    private func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) } }

    private func hex(_ bytes: [UInt8]) throws -> String {
        try Digest.sha256(bytes).map { String(format: "%02x", $0) }.joined()
    }

    /// A vault with everything that a remote can hold, said by one device in two segments.
    private func everything() throws -> RemoteDevice {
        var draft = NoteDraft(body: "first zebra")
        draft.tags = ["a/b"]
        let first = try store.notes.create(draft)
        _ = try store.notes.edit(first.id) { $0.body += "\nand more" }
        _ = try store.addAttachment("stripes.bin", noise(17_000_000), to: first.id)
        let hidden = try store.notes.create(NoteDraft(body: "hidden zebra"))
        _ = try store.addAttachment("small.bin", noise(70_000), to: hidden.id)
        try store.makePrivate(hidden.id)
        _ = try store.notes.setTrashed(store.notes.create(NoteDraft(body: "purged zebra")).id, true)
        #expect(try store.notes.purgeTrash(limit: 10) == 1)
        _ = try store.notes.setTrashed(store.notes.create(NoteDraft(body: "thrown away")).id, true)
        for record in try remote.records() { try remote.putParts(of: record, in: vault.folder) }
        let device = try RemoteDevice(remote.ownDevice(), in: remote)
        let bodies = try remote.bodies()
        try device.say(Array(bodies.prefix(3))) { $0.isPart = true }
        try device.say(Array(bodies.dropFirst(3))) { $0.isWholeState = true }
        return device
    }

    @Test func aFolderAndAPasswordAreEnough() throws {
        _ = try everything()
        let report = try read(["--note-password-file", secrets.file("note-password").path])
        #expect(report.notes.count == 3 && report.notes.allSatisfy { $0.state == "whole" })
        let first = try #require(report.notes.first { $0.body == "first zebra\nand more" })
        #expect(first.tags == ["a/b"] && first.revisions.contains { $0.body == "first zebra" })
        #expect(first.attachments.map(\.name) == ["stripes.bin"])
        #expect(try first.attachments[0].sha256 == hex(noise(17_000_000)), "an object of two parts")
        let hidden = try #require(report.notes.first { $0.body == "hidden zebra" })
        #expect(try hidden.attachments[0].sha256 == hex(noise(70_000)))
        #expect(report.notes.contains { $0.body == "thrown away" && $0.flags == 1 })
        #expect(report.devices.map(\.name) == ["laptop"] && report.devices.map(\.segments) == [2])
        let locked = try read()
        #expect(locked.notes.count == 3 && !locked.notes.contains { $0.body == "hidden zebra" })
        // The folder of the vault, and the one above it, will do as well.
        #expect(try run(at: remote.path + "/" + remote.sealer.names.root).exitCode == 0)
        #expect(try run(at: remote.path + "/notevault-1").exitCode == 0)
        #expect(try run(password: "wrong").exitCode == 4)
    }

    @Test func whatIsNotThereIsNamedAndTheRestIsRead() throws {
        let device = try everything()
        let record = try #require(try remote.records().max { $0.fileByteCount < $1.fileByteCount })
        let part = try remote.sealer.names.name(ofPart: 1, of: record.object).path
        let whole = try remote.bytes(at: part)
        try remote.change(part) { $0.removeLast() }
        #expect(try read(code: 12).lostAttachments.map(\.id) == [record.id.text])
        try remote.change(part) { $0 = whole }
        #expect(try read().lostAttachments.isEmpty)
        // A second device quotes the first one, whose last segment is then cut: it counts as not there.
        let other = try RemoteDevice(2, in: remote)
        other.vector = [device.mark]
        try other.say([])
        try remote.change(device.path(2)) { $0.removeLast(16) }
        let report = try read(code: 12)
        #expect(report.missingSegments.map(\.numbers) == [2...2])
        #expect(report.notes.contains { $0.body?.hasPrefix("first zebra") ?? false })
    }

    @Test func J21noByteOfASegmentCanBeChangedUnseen() throws {
        let device = try everything()
        let whole = try remote.bytes(at: device.path(1))
        for at in [0, 30, 56, 700, whole.count - 1] {
            try remote.change(device.path(1)) { $0[at] ^= 4 }
            let ended = try run()
            #expect(ended.exitCode == 12, "byte \(at)")
            try remote.change(device.path(1)) { $0 = whole }
        }
        #expect(try run().exitCode == 0)
    }

    @Test func spansHoldWhatSegmentsSaid() throws {
        let note = try store.notes.create(NoteDraft(body: "many times"))
        let device = try RemoteDevice(1, in: remote)
        try device.say(remote.bodies()) { $0.isWholeState = true }
        var parent = note.revision
        for round in 2...130 {
            let revision = try RevisionID(SecureRandom.bytes(16))
            let record = NoteRecord(noteID: note.id, created: 1, modified: Int64(round), body: "round \(round)")
            try device.say([
                RemoteFolder.body(record, .edit, by: device.id, UInt64(round), over: [parent], as: revision)
            ])
            parent = revision
        }
        try device.bundle(1)
        try device.bundle(2)
        #expect(!FileManager.default.fileExists(atPath: remote.path + "/" + (try device.path(7))))
        let report = try read()
        #expect(report.notes.map(\.body) == ["round 130"] && report.notes[0].revisions.count == 129)
        #expect(report.devices.map(\.segments) == [130])
        // Without the first span there is nothing but a gap before what follows.
        try remote.remove(remote.sealer.names.name(of: device.span(1)).path)
        let other = try RemoteDevice(2, in: remote)
        other.vector = [device.mark]
        try other.say([])
        #expect(try read(code: 12).missingSegments.map(\.numbers) == [1...64])
    }

    @Test func whatWasThinnedOutIsNotMissed() throws {
        let note = try store.notes.create(NoteDraft(body: "one"))
        for text in ["two", "three"] { _ = try store.notes.edit(note.id) { $0.body = text } }
        var retention = Retention()
        (retention.keepAllMilliseconds, retention.keepDailyMilliseconds) = (0, 0)
        let thinning = Thinning(store, retention, dryRun: false, now: Machine.now + 1000)
        while try thinning.step() {}
        #expect(thinning.revisions == 2)
        try RemoteDevice(remote.ownDevice(), in: remote).say(remote.bodies()) { $0.isWholeState = true }
        let report = try read()
        #expect(report.notes.map(\.body) == ["three"] && report.notes[0].revisions.isEmpty)
        #expect(report.notes[0].state == "whole")
    }

    /// What was lost of one chain another has said once more.
    @Test func aWholeStateStandsForWhatItsVectorNames() throws {
        let note = try store.notes.create(NoteDraft(body: "said twice"))
        let (one, two) = (try RemoteDevice(1, in: remote), try RemoteDevice(2, in: remote))
        try one.say(remote.bodies())
        two.vector = [one.mark]
        try two.say(remote.bodies()) { $0.isPart = true }
        try remote.remove(one.path(1))
        #expect(try read(code: 12).missingSegments.map(\.numbers) == [1...1])
        try two.say([]) { $0.isWholeState = true }
        let report = try read()
        #expect(report.notes.map(\.id) == [note.id.text] && report.missingSegments.isEmpty)
    }

    @Test func twoHeadsStayTwoHeads() throws {
        let note = try store.notes.create(NoteDraft(body: "base"))
        let (one, two) = (try RemoteDevice(1, in: remote), try RemoteDevice(2, in: remote))
        try one.say(remote.bodies()) { $0.isWholeState = true }
        for (device, text) in [(one, "left"), (two, "right")] {
            let record = NoteRecord(noteID: note.id, created: 1, modified: 2, body: text)
            let revision = try RevisionID(SecureRandom.bytes(16))
            try device.say([RemoteFolder.body(record, .edit, by: device.id, 1, over: [note.revision], as: revision)])
        }
        let report = try read()
        #expect(report.notes.count == 1)
        let heads = [report.notes[0].body] + report.notes[0].revisions.filter(\.isHead).map(\.body)
        #expect(Set(heads) == ["left", "right"])
    }

    @Test func J24anOlderHeaderIsRefusedBesideNewerSegments() throws {
        _ = try store.notes.create(NoteDraft(body: "text"))
        let old = store.header
        try store.changeHeader { _ in }
        try remote.putHeader(store.header)
        let device = try RemoteDevice(1, in: remote)
        try device.say(remote.bodies()) { $0.isWholeState = true }
        #expect(try run().exitCode == 0)
        try remote.remove(RemoteHeaders.name(of: store.header).path)
        let refused = try run()
        #expect(refused.exitCode == 13 && refused.output.isEmpty && refused.errors.contains("header"))
        try remote.remove(RemoteHeaders.name(of: old).path)
        #expect(try run().exitCode == 13)
    }

    @Test func J24aKeyslotThatWasRemovedOpensNothing() throws {
        _ = try store.notes.create(NoteDraft(body: "text"))
        let device = try RemoteDevice(1, in: remote)
        try device.say(remote.bodies()) { $0.isWholeState = true }
        let slot = try #require(store.header.keyslots.first { $0.kind == .password })
        let place = Entry(
            device: device.id.bytes, sequence: 1, operation: .create, noteID: try store.notes.newID(),
            revisionID: try RevisionID(SecureRandom.bytes(16)), parents: [], previous: Entry.firstPrevious)
        var epoch = ByteWriter()
        epoch.u32(store.header.epoch)
        try device.say([
            try RemoteFolder.body(fact: 3, epoch.bytes + slot.slotID, [UInt8](repeating: 0, count: 10), place)
        ])
        let refused = try run()
        #expect(refused.exitCode == 4 && refused.output.isEmpty)
    }

    @Test func J31whatIsSaidAfterTheCutCountsForNothing() throws {
        let note = try store.notes.create(NoteDraft(body: "before the cut"))
        let (one, thief) = (try RemoteDevice(1, in: remote), try RemoteDevice(2, in: remote))
        try one.say(remote.bodies()) { $0.isWholeState = true }
        try one.say([]) { $0.nextHeader = HeaderStamp(counter: 9, digest: [UInt8](repeating: 7, count: 32)) }
        let record = NoteRecord(noteID: note.id, created: 1, modified: 2, body: "a thief's word")
        for device in [one, thief] {
            let revision = try RevisionID(SecureRandom.bytes(16))
            try device.say([RemoteFolder.body(record, .edit, by: device.id, 9, over: [note.revision], as: revision)])
        }
        let report = try read(code: 12)
        #expect(report.epochHasEnded && report.notes.map(\.body) == ["before the cut"])
        #expect(report.notes[0].revisions.isEmpty)
    }

    @Test func J29aChainThatSaysTwoThingsIsNamed() throws {
        _ = try store.notes.create(NoteDraft(body: "text"))
        let device = try RemoteDevice(1, in: remote)
        try device.say(remote.bodies()) { $0.isWholeState = true }
        let other = try RemoteDevice(2, in: remote)
        other.vector = [ChainMark(device: device.id, number: 1, digest: [UInt8](repeating: 3, count: 32))]
        try other.say([])
        #expect(try read(code: 12).forked == [String(repeating: "01", count: 16)])
    }
}
