// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultTesting
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Salvages of one damaged vault into a folder of its own.
struct Salvaging {
    let full: RotatingVault
    let before: RotatingVault.Contents
    let target: String

    init(notes: Int = 6) throws {
        full = try RotatingVault(notes: notes)
        let store = try full.vault.open()
        before = try Self.contents(store, full)
        try store.end()
        target = full.vault.folder.path + "-pins/salvaged"
    }

    /// - Parameter damaged: a copy of the vault's files.
    func salvage(
        _ damaged: TestVault, goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws -> SalvageReport {
        let folder = unsafe Glibc.open(damaged.folder.path, O_RDONLY | O_DIRECTORY)
        let vault = try DamagedVault(taking: folder, .recoveryKey(secret(TestVault.recoveryKey)))
        let owner = NewOwner(
            password: secret(Array("new".utf8)), recoveryKey: secret(TestVault.recoveryKey), cost: .recommended,
            targetMilliseconds: 0)
        return try VaultSalvage.run(vault, to: Array(target.utf8), owner, pins: full.vault.pins, goesOn: goesOn)
    }

    /// Texts, attachments and drafts; the private note may be among what is lost.
    private static func contents(_ store: OpenVault, _ full: RotatingVault) throws -> RotatingVault.Contents {
        var contents = RotatingVault.Contents()
        try? store.privateNotes.unlock(full.privateNote, with: full.opened)
        for place in [NoteFilter(), .inTrash] {
            for note in try store.notes.list(place, offset: 0, limit: 1000) {
                contents.notes[note.id] = try store.history.revisions(of: note.id).map {
                    String(decoding: try store.history.text(of: $0.id, note.id), as: UTF8.self)
                }
                for attachment in (try? store.attachments.all(of: note.id)) ?? [] {
                    contents.attachments[attachment.id] = try? store.content(attachment)
                }
            }
        }
        for draft in try store.drafts.all() {
            contents.drafts[draft.id] = try store.drafts.withText(draft).text.map { Array($0.body) } ?? []
        }
        store.privateNotes.relock(full.privateNote)
        return contents
    }

    /// Opens the new vault, reads all of it and removes it.
    ///
    /// - Parameter allowed: what a check may find.
    func take(allowing allowed: Set<CheckProblem.Kind> = []) throws -> RotatingVault.Contents {
        defer { try? FileManager.default.removeItem(atPath: target) }
        let store = try OpenVault(
            VaultProbe(path: Array(target.utf8), pins: full.vault.pins), .recoveryKey(secret(TestVault.recoveryKey)))
        let check = VaultCheck(store)
        while try check.step() {}
        #expect(check.report.problems.allSatisfy { allowed.contains($0.kind) }, "\(check.report.problems)")
        let contents = try Self.contents(store, full)
        try store.end()
        return contents
    }

    /// Every file of a vault with its bytes and its last change.
    static func files(_ vault: TestVault) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: vault.folder.path) {
            let place = vault.folder.appending(path: name)
            let changed = try FileManager.default.attributesOfItem(atPath: place.path)[.modificationDate] as? Date
            files[name] = ((try? Data(contentsOf: place)) ?? Data()) + Data("\(changed as Any)".utf8)
        }
        return files
    }
}

/// `VaultSalvage` over vaults that were damaged in every way.
struct SalvageTests {
    @Test func anIntactVaultIsSalvagedWhole() throws {
        let salvaging = try Salvaging()
        let files = try Salvaging.files(salvaging.full.vault)
        let report = try salvaging.salvage(salvaging.full.vault)
        #expect(report.isWhole && report.wholeCount == 7 && report.damagedPageCount == 0, "\(report)")
        #expect(report.counts.attachments == 3 && report.counts.drafts == 1 && report.counts.noteKeyslots == 1)
        #expect(try salvaging.take() == salvaging.before)
        #expect(try Salvaging.files(salvaging.full.vault) == files, "the damaged vault was changed")
    }

    @Test func aPrivateNoteOpensWithItsOwnPasswordAfterwards() throws {
        let salvaging = try Salvaging()
        _ = try salvaging.salvage(salvaging.full.vault)
        let store = try OpenVault(
            VaultProbe(path: Array(salvaging.target.utf8), pins: salvaging.full.vault.pins),
            .recoveryKey(secret(TestVault.recoveryKey)))
        let note = salvaging.full.privateNote
        expect(.noteLocked) { try store.notes.note(note).body }
        try store.openPrivate(note)
        #expect(try store.notes.note(note).body == "note 2 quokka")
        let damaged = try salvaging.full.vault.probe().vaultID
        #expect(store.header.copyID != nil && store.header.vaultID == damaged)
        try store.end()
    }

    /// Whatever page is damaged: what is there afterwards is what was there before, the rest is told, and the new vault
    /// is whole in itself.
    @Test func A01aDamagedPageCostsOnlyWhatItHeld() throws {
        let salvaging = try Salvaging(notes: 4)
        let vault = salvaging.full.vault
        let pages = try vault.bytes("index-1.db").count / 4096
        var costs = 0
        for page in stride(from: 1, to: pages, by: 2) {
            let damaged = try TestVault(copying: vault, sharingPins: true)
            try damaged.change("index-1.db") { $0[page * 4096 + 2048] ^= 1 }
            let files = try Salvaging.files(damaged)
            let report = try salvaging.salvage(damaged)
            #expect(try Salvaging.files(damaged) == files, "page \(page)")
            let after = try salvaging.take()
            compare(after, isLeftOf: salvaging.before, report, "page \(page)")
            costs += report.isWhole ? 0 : 1
        }
        // Most pages hold lists and search words, which are made anew.
        #expect(costs > 0 && costs < pages / 4, "\(costs) of \(pages / 2) pages cost something")
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6]) func manyDamagedPagesLeaveAVaultThatIsWholeInItself(seed: UInt64) throws {
        let salvaging = try Salvaging(notes: 8)
        let vault = salvaging.full.vault
        var generator = SeededGenerator(seed)
        try vault.change("index-1.db") { bytes in
            for page in 0..<bytes.count / 4096 where Int.random(in: 0..<7, using: &generator) < Int(seed) {
                bytes[page * 4096 + Int.random(in: 0..<4096, using: &generator)] ^= 0x10
            }
        }
        do {
            let report = try salvaging.salvage(vault)
            #expect(!report.isWhole || report.wholeCount == 8)
            compare(try salvaging.take(), isLeftOf: salvaging.before, report, "seed \(seed)")
        } catch let error as VaultError {
            #expect(error.code == .integrity)
            #expect(!FileManager.default.fileExists(atPath: salvaging.target))
        }
    }

    /// Everything that is there is of before, and everything that is not is told.
    private func compare(
        _ after: RotatingVault.Contents, isLeftOf before: RotatingVault.Contents, _ report: SalvageReport,
        _ comment: Comment
    ) {
        let told = Dictionary(report.notes.map { ($0.id, $0.state) }) { first, _ in first }
        for (note, texts) in before.notes {
            guard let left = after.notes[note] else {
                #expect(told[note] == .lost || !report.knowsEnd || report.missingEntryCount > 0, comment)
                continue
            }
            #expect(Set(left).isSubset(of: texts), comment)
            #expect(left.first == texts.first || told[note] == .older, comment)
        }
        #expect(Set(after.notes.keys).isSubset(of: before.notes.keys), comment)
        for (attachment, bytes) in after.attachments { #expect(before.attachments[attachment] == bytes, comment) }
        for (draft, text) in after.drafts { #expect(before.drafts[draft] == text, comment) }
        #expect(!report.isWhole || (after.notes == before.notes && after.attachments == before.attachments), comment)
    }
}

/// Salvages without files that a vault should have, and with damaged files beside the index.
struct SalvageFileTests {
    @Test(arguments: [
        ["manifest"], ["header"], ["header.2"], ["lock"], ["reserve"], ["manifest", "manifest.2", "header", "lock"],
    ])
    func filesThatAreNotNeededAreNotMissed(names: [String]) throws {
        let salvaging = try Salvaging()
        for name in names {
            try? FileManager.default.removeItem(at: salvaging.full.vault.folder.appending(path: name))
        }
        #expect(try salvaging.salvage(salvaging.full.vault).isWhole)
        #expect(try salvaging.take() == salvaging.before)
    }

    @Test func aHeaderWhoseMACDoesNotHoldStillOpensItsSlots() throws {
        let salvaging = try Salvaging()
        try salvaging.full.vault.changeBothHeaders { $0[$0.count - 1] ^= 1 }
        #expect(try salvaging.salvage(salvaging.full.vault).isWhole)
        #expect(try salvaging.take() == salvaging.before)
    }

    @Test func aVaultWithoutIndexOrWithoutHeaderGivesNothing() throws {
        let salvaging = try Salvaging()
        let vault = salvaging.full.vault
        let headless = try TestVault(copying: vault, sharingPins: true)
        try FileManager.default.removeItem(at: vault.folder.appending(path: "index-1.db"))
        expect(.integrity) { try salvaging.salvage(vault) }
        for name in HeaderFile.names { try FileManager.default.removeItem(at: headless.folder.appending(path: name)) }
        expect(.noVault) { try salvaging.salvage(headless) }
        #expect(!FileManager.default.fileExists(atPath: salvaging.target))
    }

    @Test func whatIsInTheLogCounts() throws {
        let salvaging = try Salvaging()
        let store = try salvaging.full.vault.open()
        let note = try store.notes.create(NoteDraft(body: "only in the log")).id
        let crashed = try TestVault(copying: salvaging.full.vault, sharingPins: true)
        try store.end()
        #expect(try crashed.bytes("index-1.db-wal").count > 4096)
        #expect(try salvaging.salvage(crashed).isWhole)
        #expect(try salvaging.take().notes[note] == ["only in the log"])
        // Without its salt no frame opens, and what the log had is missing.
        let names = try FileManager.default.contentsOfDirectory(atPath: crashed.folder.path)
        for name in names where name.hasPrefix("manifest") {
            try FileManager.default.removeItem(at: crashed.folder.appending(path: name))
        }
        let report = try salvaging.salvage(crashed)
        #expect(report.frameCount == 0)
        #expect(try salvaging.take().notes == salvaging.before.notes)
    }

    @Test(arguments: ["flipped", "cut", "gone"])
    func anObjectThatDoesNotOpenIsNamedAndItsNoteIsKept(damage: String) throws {
        let salvaging = try Salvaging()
        let vault = salvaging.full.vault
        let objects = try FileManager.default.subpathsOfDirectory(atPath: vault.folder.path + "/objects")
            .filter { $0.count > 64 }
        let sizes = try objects.map { try vault.bytes("objects/" + $0).count }
        let largest = try #require(zip(objects, sizes).max { $0.1 < $1.1 }?.0)
        let path = "objects/" + largest
        switch damage {
        case "flipped": try vault.change(path) { $0[40_000] ^= 1 }
        case "cut": try vault.change(path) { $0.removeLast(5000) }
        default: try FileManager.default.removeItem(at: vault.folder.appending(path: path))
        }
        let report = try salvaging.salvage(vault)
        #expect(report.lostAttachments.count == 1 && report.lostAttachments.first?.name == "a.bin" && !report.isWhole)
        #expect(report.wholeCount == 7 && report.counts.attachments == 2)
        let after = try salvaging.take()
        #expect(after.notes == salvaging.before.notes && after.attachments.count == 2)
    }

    @Test func aPrivateNoteKeepsTheNameOfAFileThatIsLost() throws {
        let salvaging = try Salvaging()
        let vault = salvaging.full.vault
        let objects = try FileManager.default.subpathsOfDirectory(atPath: vault.folder.path + "/objects")
            .filter { $0.count > 64 }
        // Ordinary and private files are of other sizes: the private one is the second largest.
        let sorted = try objects.sorted { try vault.bytes("objects/" + $0).count > vault.bytes("objects/" + $1).count }
        try FileManager.default.removeItem(at: vault.folder.appending(path: "objects/" + sorted[1]))
        let report = try salvaging.salvage(vault)
        #expect(report.lostAttachments.map(\.note) == [salvaging.full.privateNote])
        let after = try salvaging.take(allowing: [.attachmentMissing])
        #expect(after.notes == salvaging.before.notes && after.attachments.count == 2)
    }

    @Test func aDraftThatDoesNotOpenIsNamed() throws {
        let salvaging = try Salvaging()
        let vault = salvaging.full.vault
        let draft = try #require(
            FileManager.default.contentsOfDirectory(atPath: vault.folder.path + "/drafts").first)
        try vault.change("drafts/" + draft) { $0[100] ^= 1 }
        let report = try salvaging.salvage(vault)
        #expect(report.lostDrafts.map(\.hex) == [draft] && !report.isWhole)
        #expect(try salvaging.take().notes == salvaging.before.notes)
    }

    @Test func aSalvageThatIsStoppedLeavesNothing() throws {
        let salvaging = try Salvaging()
        for limit in 0...2 {
            var asked = 0
            expect(.cancelled) {
                try salvaging.salvage(salvaging.full.vault) { _ in
                    asked += 1
                    return asked <= limit
                }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: salvaging.full.vault.folder.path + "-pins")
            #expect(!left.contains { $0.hasPrefix("salvaged") }, "\(left)")
        }
    }

    @Test func aVaultThatIsOpenAndAPlaceThatIsTakenAreRefused() throws {
        let salvaging = try Salvaging()
        let store = try salvaging.full.vault.open()
        expect(.busy) { try salvaging.salvage(salvaging.full.vault) }
        try store.end()
        try FileManager.default.createDirectory(atPath: salvaging.target + "/x", withIntermediateDirectories: true)
        expect(.exists) { try salvaging.salvage(salvaging.full.vault) }
        #expect(FileManager.default.fileExists(atPath: salvaging.target + "/x"))
    }
}
