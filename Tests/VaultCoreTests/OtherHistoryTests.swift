// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import Testing
import VaultFormat

@testable import VaultCore

/// Two copies of one vault that were written apart: neither is older, and the pin's entry tells them.
struct OtherHistoryTests {
    /// A vault with one note, closed, that this account has seen, and a copy of its files.
    private func pair() throws -> (vault: TestVault, fork: TestVault) {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "of both"))
        try store.end()
        return (vault, try TestVault(copying: vault))
    }

    @discardableResult
    private func write(_ bodies: String..., in vault: TestVault) throws -> UInt64 {
        let store = try vault.open()
        for body in bodies { _ = try store.notes.create(NoteDraft(body: body)) }
        let generation = store.recordedGeneration
        try store.end()
        return generation
    }

    private func bodies(_ store: OpenVault) throws -> Set<String> {
        try Set(store.notes.list(NoteFilter(), offset: 0, limit: 100).map { try store.notes.note($0.id).body })
    }

    private func pin(of vault: TestVault) throws -> Pin {
        try #require(
            vault.pins.pin(of: VaultIdentity(vaultID: UnverifiedHeader(parsing: vault.bytes("header")).vaultID)))
    }

    @Test func J03twoCopiesOfEqualGenerationAreToldApart() throws {
        let (vault, fork) = try pair()
        #expect(try write("mine", in: vault) == write("theirs", in: fork))
        let mine = try TestVault(copying: vault)
        let before = try pin(of: vault)
        try vault.putBack(fork)
        expect(.otherHistory) { try vault.open() }
        #expect(try pin(of: vault) == before, "a refusal changes nothing")
        try vault.putBack(mine)
        let store = try vault.open()
        #expect(try bodies(store) == ["of both", "mine"])
        try store.end()
    }

    /// What is refused may be what a sync program has just brought: each byte that is changed of it goes to the other
    /// machine.
    @Test func J03aRefusedOpeningWritesNothing() throws {
        let (vault, fork) = try pair()
        try write("mine", in: vault)
        let store = try fork.open()
        _ = try store.notes.create(NoteDraft(body: "theirs, in the log"))
        try store.recordProgress()
        let open = try TestVault(copying: fork)
        try store.end()
        try vault.putBack(open)
        let names = ["header", "header.2", "manifest", "manifest.2", "index-1.db", "index-1.db-wal", "index-1.map"]
        let before = names.map { try? vault.bytes($0) }
        #expect(try !vault.bytes("index-1.db-wal").isEmpty)
        expect(.otherHistory) { try vault.open() }
        #expect(names.map { try? vault.bytes($0) } == before)
    }

    @Test func J03aCopyThatIsAheadIsToldToo() throws {
        let (vault, fork) = try pair()
        try write("mine", in: vault)
        try write("theirs", "and more", "and still more", in: fork)
        try vault.putBack(fork)
        expect(.otherHistory) { try vault.open() }
    }

    @Test func J03aCopyWithAsManyTransactionsAndFewerEntriesIsToldToo() throws {
        let (vault, fork) = try pair()
        try write("mine", in: vault)
        let store = try fork.open()
        for _ in 0..<5 { try store.write { _ in } }
        try store.end()
        try vault.putBack(fork)
        expect(.otherHistory) { try vault.open() }
    }

    @Test func J03theOtherCopyIsTakenOnTheOwnersWordAndCountsFromThen() throws {
        let (vault, fork) = try pair()
        try write("mine", in: vault)
        try write("theirs", in: fork)
        let mine = try TestVault(copying: vault)
        try vault.putBack(fork)
        let store = try vault.open(acceptRollback: true)
        #expect(try bodies(store) == ["of both", "theirs"])
        try store.end()
        let again = try vault.open()
        let state = try again.read { try IndexState.fetch($0.database) }
        try again.end()
        #expect(try pin(of: vault).chain == state.chain && pin(of: vault).sequence == state.sequence)
        try vault.putBack(mine)
        expect(.rollback) { try vault.open() }
    }

    @Test func J03aVaultThatWentOnElsewhereIsTheSame() throws {
        let (vault, fork) = try pair()
        try write("one", "two", in: fork)
        try vault.putBack(fork)
        let store = try vault.open()
        #expect(try bodies(store) == ["of both", "one", "two"] && !store.chain.isDamaged)
        try store.end()
        #expect(try pin(of: vault).sequence == 3)
    }

    @Test func J03aCrashAheadOfThePinOpens() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "in the pin"))
        try store.recordProgress()
        #expect(try pin(of: vault).sequence == 1)
        _ = try store.notes.create(NoteDraft(body: "ahead of it"))
        let crashed = try TestVault(copying: vault, sharingPins: true)
        let opened = try crashed.open()
        #expect(try bodies(opened) == ["in the pin", "ahead of it"])
        try opened.end()
        #expect(try pin(of: vault).sequence == 2)
    }

    @Test func J03onlyTheEntryThatWasSeenCounts() throws {
        let (vault, _) = try pair()
        try write("two", "three", in: vault)
        var seen = try pin(of: vault)
        let path = try vault.probe().directory.canonicalPath
        let store = try vault.open()
        let first = try store.read {
            try Row.fetchOne($0.database, sql: "SELECT bytes FROM entry WHERE sequence = 2")?.bytes("bytes")
        }
        try store.end()
        // The third entry has the digest of the second in it.
        seen.sequence = 1
        seen.chain = Array(try #require(first).suffix(32))
        #expect(vault.pins.record(seen, canonicalPath: path))
        try vault.open().end()
        seen.chain[0] ^= 1
        #expect(vault.pins.record(seen, canonicalPath: path))
        expect(.otherHistory) { try vault.open() }
        // A pin of before says nothing of entries, and learns of them.
        let old = Array("VPN1".utf8) + seen.encoded[4..<72]
        try Data(old).write(to: URL(filePath: vault.pins.folder + "/" + VaultIdentity(vaultID: seen.vaultID).hex))
        try vault.open().end()
        #expect(try pin(of: vault).sequence == 3)
    }

    @Test func J03aVaultThatIsRestoredInItsPlaceOpens() throws {
        let (vault, _) = try pair()
        let store = try vault.open()
        let place = try BackupPlace()
        let name = try #require(SnapshotName(try place.write(store).name))
        _ = try store.notes.create(NoteDraft(body: "after the backup"))
        try store.end()
        try place.restore(name, as: .original, pins: vault.pins)
        let restored = try place.openRestored(pins: vault.pins)
        #expect(try bodies(restored) == ["of both"])
        _ = try restored.notes.create(NoteDraft(body: "in what was restored"))
        try restored.end()
        try place.openRestored(pins: vault.pins).end()
        // From then on that one counts.
        expect(.rollback) { try vault.open() }
    }

    @Test func J03aLossThatIsAcceptedIsNoOtherHistory() throws {
        let vault = try TestVault()
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "emptied into the database"))
        try store.startNewLog(isOpen: true)
        _ = try store.notes.create(NoteDraft(body: "in the log"))
        try store.recordProgress()
        #expect(try pin(of: vault).sequence == 2)
        let cut = try TestVault(copying: vault, sharingPins: true)
        try cut.change("index-1.db-wal") { $0 = [] }
        expect(.integrity) { try cut.open() }
        var opened = try cut.open(acceptLoss: true)
        #expect(try bodies(opened) == ["emptied into the database"] && opened.loss?.hasLostChanges == true)
        try opened.end()
        #expect(try pin(of: vault).sequence == 1)
        opened = try cut.open()
        try opened.end()
    }

    @Test func J03aRestoredCopyHasAChainOfItsOwnInItsPin() throws {
        let (vault, _) = try pair()
        let store = try vault.open()
        let place = try BackupPlace()
        let name = try #require(SnapshotName(try place.write(store).name))
        try store.end()
        try place.restore(name, as: .copy, pins: vault.pins)
        let copy = try place.openRestored(pins: vault.pins)
        _ = try copy.notes.create(NoteDraft(body: "in the copy"))
        try copy.end()
        #expect(vault.pins.pin(of: copy.header.identity)?.sequence == 2)
        #expect(try pin(of: vault).sequence == 1)
        try vault.open().end()
    }

    @Test func J03theWholeChainIsReadAfterAnUnlock() throws {
        let fixture = try CheckFixture()
        func finding() -> Bool {
            let check = ChainCheck(fixture.store)
            while check.step() {}
            return fixture.store.chain.isDamaged
        }
        #expect(!finding())
        let sql = "UPDATE entry SET bytes = (SELECT bytes FROM entry WHERE sequence = 3) WHERE sequence = 2"
        try fixture.change(sql)
        #expect(finding())
    }

    /// An entry that is one by itself, with its number, and not the one that the next follows from.
    @Test func J03theWholeChainIsReadLinkByLink() throws {
        let fixture = try CheckFixture()
        let row = try fixture.store.read {
            try Row.fetchOne($0.database, sql: "SELECT bytes FROM entry WHERE sequence = 2")
        }
        var bytes = try #require(row).bytes("bytes")
        // Of its revision's name.
        bytes[40] ^= 1
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try fixture.change("UPDATE entry SET bytes = x'\(hexadecimal)' WHERE sequence = 2")
        let check = ChainCheck(fixture.store)
        while check.step() {}
        #expect(fixture.store.chain.isDamaged)
    }

    @Test func J03entriesAreReadInStepsWhileTheVaultIsWritten() throws {
        let vault = try TestVault()
        let store = try vault.open()
        try store.write { transaction in
            for number in 0..<1200 {
                let record = NoteRecord(
                    noteID: try NoteID([UInt8](repeating: 1, count: 8) + [UInt8(number >> 8), UInt8(number & 255)]),
                    created: 1, modified: 1, body: "\(number)")
                try transaction.apply(record, .create, replacing: nil)
            }
        }
        let check = ChainCheck(store)
        #expect(check.step())
        _ = try store.notes.create(NoteDraft(body: "meanwhile"))
        #expect(check.step() && !check.step() && !store.chain.isDamaged)
        try store.end()
    }

    @Test(arguments: ["sequence = sequence + 1", "live = 99", "live = -1"])
    func J03countersThatDoNotFitAreToldAtTheOpening(assignment: String) throws {
        let vault = try TestVault()
        var store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "a note"))
        #expect(!store.chain.isDamaged)
        try store.write { try $0.database.execute(sql: "UPDATE state SET \(assignment)") }
        try store.end()
        store = try vault.open()
        #expect(store.chain.isDamaged)
        try store.end()
    }

    @Test func J03theFingerprintIsThatOfTheEntriesTheKeyAndTheIdentity() throws {
        let (vault, fork) = try pair()
        var store = try vault.open()
        let other = try fork.open()
        let begin = try store.fingerprint()
        #expect(try begin == other.fingerprint())
        #expect(begin.split(separator: "-").map(\.count) == [4, 4, 4, 4])
        _ = try store.notes.create(NoteDraft(body: "more"))
        let next = try store.fingerprint()
        #expect(try next != begin && begin == other.fingerprint())
        try RotatingVault.begin(store)
        try RotatingVault.finish(store)
        let rotated = try store.fingerprint()
        #expect(rotated != next)
        try store.end()
        store = try vault.open(key: RotatingVault.nextKey)
        #expect(try store.fingerprint() == rotated)
        let made = try CopyID([UInt8](repeating: 9, count: 16))
        try store.changeHeader { $0.copyID = made }
        #expect(try store.fingerprint() != rotated)
        try store.end()
        try other.end()
    }

    /// Worked bytes of docs/format.md §10.
    @Test func J03theFingerprintHasTheLettersOfItsSpecification() throws {
        let identity = VaultIdentity(vaultID: try VaultID(Array(0xA0...0xAF)))
        let text = try Fingerprint.text(identity, epoch: 3, sequence: 7, chain: Array(0x60...0x7F))
        #expect(text == "ssud-ulzc-xwuy-sp53")
    }
}
