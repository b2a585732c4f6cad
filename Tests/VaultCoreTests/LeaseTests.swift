// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultFormat

@testable import VaultCore

/// Two machines that reach one folder, where none sees the other's lock: two descriptors of it, and two names.
struct LeaseTests {
    private let vault: TestVault
    private let here = ThisMachine(id: "a", boot: "1", host: "here")
    private let there = ThisMachine(id: "b", boot: "2", host: "there")

    init() throws { vault = try TestVault() }

    private func directory() throws -> VaultDirectory { try VaultDirectory(path: vault.path) }

    private func open(as machine: ThisMachine, takesOver: Bool = false) throws -> OpenVault {
        let probe = try vault.probe()
        probe.leasing = Leasing(machine: machine, isWritten: true)
        probe.takesOver = takesOver
        return try OpenVault(probe, .recoveryKey(secret(TestVault.recoveryKey)))
    }

    private func makeOld(seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
            ofItemAtPath: vault.folder.path + "/" + Lease.name)
    }

    @Test func D07aVaultThatAnotherMachineHasOpenIsRefusedWithItsName() throws {
        let theirs = try Lease(directory(), there, takesOver: false)
        do {
            _ = try open(as: here)
            Issue.record("it was opened")
        } catch let error as VaultError {
            #expect(error.code == .heldElsewhere && error.host == "there" && (error.found ?? 99) < 60)
        }
        // Also where this machine would have written none.
        expect(.heldElsewhere) { try vault.open() }
        theirs.release()
        try vault.open().end()
    }

    @Test func D07aRefusedUnlockLeavesTheLeaseAndGivesTheLockBack() throws {
        let theirs = try Lease(directory(), there, takesOver: false)
        let before = try vault.bytes(Lease.name)
        expect(.heldElsewhere) { try open(as: here) }
        #expect(try vault.bytes(Lease.name) == before)
        #expect(theirs.successor() == nil)
        try open(as: here, takesOver: true).end()
        #expect(theirs.successor() != nil, "somebody has had the vault since, and closed it")
    }

    @Test func D07whoseLeaseWasTakenOverWritesNothingMore() throws {
        let store = try open(as: here)
        _ = try store.notes.create(NoteDraft(body: "acknowledged"))
        let theirs = try Lease(directory(), there, takesOver: true)
        let files = ["index-1.db", "index-1.db-wal", "manifest", "header", Lease.name]
        let before = try files.map { try vault.bytes($0) }
        do {
            _ = try store.notes.create(NoteDraft(body: "never acknowledged"))
            Issue.record("it was written")
        } catch { #expect(error.code == .takenOver && error.host == "there") }
        store.keepPlace()
        try store.end()
        #expect(try files.map { try vault.bytes($0) } == before, "not even at its end")
        theirs.release()
        let again = try vault.open()
        #expect(try again.notes.counts().notes[.live] == 1)
        try again.end()
    }

    @Test func D07aWrongPasswordTakesNothingOver() throws {
        let theirs = try Lease(directory(), there, takesOver: false)
        let probe = try vault.probe()
        probe.leasing = Leasing(machine: here, isWritten: true)
        probe.takesOver = true
        expect(.wrongPassword) { try OpenVault(probe, .recoveryKey(secret([UInt8](repeating: 1, count: 20)))) }
        #expect(theirs.successor() == nil)
    }

    @Test func D07whoHadTheVaultOpenBeforeAnotherOneDidWritesNothingMore() throws {
        let store = try open(as: here)
        let theirs = try Lease(directory(), there, takesOver: true)
        theirs.release()
        expect(.takenOver) { try store.notes.create(NoteDraft(body: "over what the other one wrote")) }
        try store.end()
    }

    @Test func D07aLeaseThatNobodyRenewsIsNobodys() throws {
        _ = try Lease(directory(), there, takesOver: false)
        try makeOld(seconds: 100)
        expect(.heldElsewhere) { try open(as: here) }
        try makeOld(seconds: 125)
        try open(as: here).end()
        #expect(!FileManager.default.fileExists(atPath: vault.folder.path + "/" + Lease.name))
    }

    @Test func D07aLeaseOfAnAbsurdTimeIsOldOrOfTheFuture() throws {
        #expect(Lease.seconds(from: .min, to: Machine.now) == .max)
        #expect(Lease.seconds(from: .max, to: .min) == .min && Lease.seconds(from: 1000, to: 4000) == 3)
        #expect(VaultDirectory.milliseconds(.min) == .min && VaultDirectory.milliseconds(.max) == .max)
        #expect(VaultDirectory.milliseconds(-2) == -2000)
        for seconds in [Int.min, Int.max, Int.min / 1000, Int.max / 1000] {
            _ = try Lease(directory(), there, takesOver: true)
            // A file system may bring it nearer.
            let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
            #expect(unsafe utimensat(AT_FDCWD, vault.folder.path + "/" + Lease.name, times, 0) == 0)
            if seconds < 0 {
                try open(as: here).end()
            } else {
                expect(.heldElsewhere) { try open(as: here) }
            }
        }
    }

    @Test func D07aLeaseOfThisMachineSinceItsStartIsOfAnAgentThatIsGone() throws {
        _ = try Lease(directory(), here, takesOver: false)
        try open(as: here).end()
        // After another start its number says nothing: two machines may share a home.
        _ = try Lease(directory(), ThisMachine(id: "a", boot: "0", host: "here"), takesOver: false)
        expect(.heldElsewhere) { try open(as: here) }
    }

    /// The marks of Syncthing, Dropbox and Nextcloud, in the folder that is carried or below it.
    @Test(arguments: [".stfolder", ".dropbox.cache", ".sync_1a2b3c.db", ".nextcloudsync.log"])
    func D07aVaultInASyncedFolderHasALease(_ mark: String) throws {
        func place(_ name: String) throws {
            let path = vault.folder.path + "/" + name
            if name.hasSuffix("folder") || name.hasSuffix("cache") {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            } else {
                #expect(FileManager.default.createFile(atPath: path, contents: nil))
            }
        }
        #expect(try directory().sharingWarning == nil)
        try FileManager.default.createDirectory(
            atPath: vault.folder.path + "/.dropbox", withIntermediateDirectories: false)
        #expect(try directory().sharingWarning == nil, "settings in a home are no mark")
        try place(mark)
        try #expect(#require(directory().sharingWarning).contains("to other machines"))
        let content = LeaseContent(machine: there, session: "a")
        try Data(content.encoded).write(
            to: vault.folder.appending(path: Lease.name + ".sync-conflict-20261124-101010-ABCDEFG"))
        let store = try vault.open()
        #expect(try Lease.read(directory()) != nil)
        #expect(try !directory().names().contains { $0.contains("sync-conflict") })
        try store.end()
        #expect(try Lease.read(directory()) == nil)
        _ = try Lease(directory(), there, takesOver: false)
        expect(.heldElsewhere) { try vault.open() }
    }

    /// The other machine has files of its own, which are about to be put in the place of these.
    @Test func D07whoLosesItsLeaseInASyncedFolderRescuesWhatWasAcknowledged() throws {
        try FileManager.default.createDirectory(
            atPath: vault.folder.path + "/.stfolder", withIntermediateDirectories: false)
        let store = try vault.open()
        _ = try store.notes.create(NoteDraft(body: "acknowledged"))
        let theirs = try Lease(directory(), there, takesOver: true)
        expect(.filesExchanged) { try store.notes.create(NoteDraft(body: "never acknowledged")) }
        try store.end()
        let number = try #require(
            directory().names().lazy.compactMap { RescuedName.number(of: $0, epoch: 1) }.first)
        for (from, to) in [(RescuedName.index(epoch: 1), "index-1.db"), (RescuedName.manifest, "manifest")] {
            let place = vault.folder.appending(path: to)
            try FileManager.default.removeItem(at: place)
            try FileManager.default.moveItem(
                at: vault.folder.appending(path: RescuedName.numbered(from, number)), to: place)
        }
        try FileManager.default.removeItem(at: vault.folder.appending(path: "index-1.db-wal"))
        try FileManager.default.removeItem(at: vault.folder.appending(path: "manifest.2"))
        theirs.release()
        let again = try vault.open()
        #expect(try again.notes.counts().notes[.live] == 1)
        try again.end()
    }

    /// Such a program gives a file the time of the machine that wrote it, whose clock may be behind.
    @Test func D07theTimeThatASyncProgramGivesALeaseSaysNothing() throws {
        try FileManager.default.createDirectory(
            atPath: vault.folder.path + "/.stfolder", withIntermediateDirectories: false)
        _ = try Lease(directory(), there, takesOver: false)
        try makeOld(seconds: 100_000)
        expect(.heldElsewhere) { try vault.open() }
    }

    /// What somebody else calls so is not ours to remove.
    @Test func D07onlyACopyOfALeaseIsRemoved() throws {
        let names = ["lease-2026", "lease (1)", "lease 2"]
        for name in names { try Data("a list of houses".utf8).write(to: vault.folder.appending(path: name)) }
        try open(as: here).end()
        let left = try directory().names()
        #expect(names.allSatisfy(left.contains))
    }

    @Test func D07aLeaseIsRenewedAndRemovedAtTheEnd() throws {
        let store = try open(as: here)
        let first = try #require(LeaseContent(parsing: vault.bytes(Lease.name)))
        store.keepPlace()
        let second = try #require(LeaseContent(parsing: vault.bytes(Lease.name)))
        #expect(second.beat == first.beat + 1 && second.session == first.session && second.host == "here")
        try store.end()
        #expect(!FileManager.default.fileExists(atPath: vault.folder.path + "/" + Lease.name))
    }

    @Test func D07whatIsNoLeaseKeepsNobodyOut() throws {
        let whole = LeaseContent(machine: there, session: "s").encoded
        for count in 0..<whole.count {
            #expect(LeaseContent(parsing: Array(whole[..<count])) == nil)
        }
        for bytes in [[], Array("vault lease 1\n".utf8), [UInt8](repeating: 0x1B, count: 5000)] as [[UInt8]] {
            try Data(bytes).write(to: vault.folder.appending(path: Lease.name))
            try vault.open().end()
        }
        let hostile = String(decoding: whole, as: UTF8.self).replacingOccurrences(of: "there", with: "\u{1B}[2J")
        #expect(LeaseContent(parsing: Array(hostile.utf8)) == nil)
    }

    @Test func D07aDiskOfThisMachineNeedsNone() throws {
        let store = try vault.open()
        #expect(!FileManager.default.fileExists(atPath: vault.folder.path + "/" + Lease.name))
        try store.end()
    }

    @Test func aMachineKeepsItsNumber() throws {
        let first = try #require(vault.pins.machineID())
        #expect(vault.pins.machineID() == first && first.utf8.count == 32)
        #expect(PinStore(folder: "/dev/null").machineID() == nil)
    }
}
