// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// What is put into the vault's directory, or changed about its files, by who owns the disk.
struct ForeignFileTests {
    @Test func A10APlainDatabaseInPlaceOfTheIndexIsRefusedAndLeftAlone() throws {
        let vault = try TestVault()
        let path = vault.folder.appending(path: IndexFile.name(epoch: 1)).path
        let size = try vault.bytes(IndexFile.name(epoch: 1)).count
        try FileManager.default.removeItem(atPath: path)
        let plain = try DatabaseQueue(path: path)
        try plain.write { try $0.execute(sql: "CREATE TABLE note(id); CREATE TABLE state(id)") }
        try plain.close()
        try vault.change(IndexFile.name(epoch: 1)) { $0 += [UInt8](repeating: 0, count: max(0, size - $0.count)) }
        let before = try vault.bytes(IndexFile.name(epoch: 1))
        expect(.integrity) { try vault.open() }
        #expect(try vault.bytes(IndexFile.name(epoch: 1)) == before)
    }

    @Test func A10AFileThatIsNotOursIsNotRead() throws {
        let vault = try TestVault()
        for name in ["index-2.db", "config", "hooks", "header.3"] {
            try Data("editor = evil".utf8).write(to: vault.folder.appending(path: name))
        }
        let store = try vault.open()
        #expect(try store.notes.counts().notes[.live] == 0)
        try store.end()
        #expect(try Data(contentsOf: vault.folder.appending(path: "config")) == Data("editor = evil".utf8))
    }

    @Test func A14TimesAndModesOfFilesChangeNothing() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let note = try store.notes.create(NoteDraft(body: "as it was"))
        try store.end()
        for name in ["header", "header.2", "manifest", "manifest.2", IndexFile.name(epoch: 1)] {
            let attributes: [FileAttributeKey: Any] = [
                .modificationDate: Date(timeIntervalSince1970: 1), .posixPermissions: 0o400,
            ]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: vault.folder.appending(path: name).path)
        }
        let again = try vault.open()
        #expect(try again.notes.note(note.id).body == "as it was")
        try again.end()
    }

    @Test func I03EqualTextsAreSealedApartAndEachTakesItsRoom() throws {
        let vault = try TestVault()
        let store = try vault.open()
        let body = String(repeating: "the same words again ", count: 50)
        for _ in 0..<2 { _ = try store.notes.create(NoteDraft(body: body)) }
        let sealed = try store.read {
            try Row.fetchAll($0.database, sql: "SELECT sealed FROM revision").map { try $0.bytes("sealed") }
        }
        #expect(sealed.count == 2 && sealed[0] != sealed[1] && sealed[0].count == sealed[1].count)
        // Not a run of eight bytes in common.
        let runs = Set((0..<sealed[0].count - 8).map { Array(sealed[0][$0..<$0 + 8]) })
        #expect(!(0..<sealed[1].count - 8).contains { runs.contains(Array(sealed[1][$0..<$0 + 8])) })
        try store.end()
    }

    @Test func I05ADamagedSlotCostsADerivationToo() throws {
        let vault = try TestVault()
        let wrong = try fastest { try vault.open(password: "not the password at all") }
        // The wrapped key of the first slot, in both copies; a fresh account has no pin that would notice first.
        try vault.changeBothHeaders { $0[39 + 61 + 60] ^= 1 }
        let stranger = try TestVault(copying: vault)
        let damaged = try fastest { try stranger.open(password: TestVault.password) }
        #expect(damaged > wrong / 3 && damaged < wrong * 3, "\(damaged) and \(wrong)")
    }

    /// The shortest of three refusals, which must all say the same.
    private func fastest(_ body: () throws -> OpenVault) throws -> Duration {
        var best = Duration.seconds(60)
        for _ in 0..<3 {
            let begin = ContinuousClock.now
            expect(.wrongPassword) { try body() }
            best = min(best, begin.duration(to: .now))
        }
        return best
    }
}
