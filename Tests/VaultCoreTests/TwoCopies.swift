// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultFormat

@testable import VaultCore

/// Two copies of one vault, each of which goes its own way; then one takes over what the other has.
final class TwoCopies {
    let ours: TestVault
    let theirs: TestVault

    /// - Parameter common: what both begin with.
    init(_ common: (OpenVault) throws -> Void) throws {
        ours = try TestVault()
        let store = try ours.open()
        try common(store)
        try store.end()
        theirs = try TestVault(copying: ours)
    }

    init(_ ours: TestVault, _ theirs: TestVault) { (self.ours, self.theirs) = (ours, theirs) }

    /// Works on one copy and locks it.
    func here(_ body: (OpenVault) throws -> Void) throws { try Self.work(ours, body) }
    func there(_ body: (OpenVault) throws -> Void) throws { try Self.work(theirs, body) }

    private static func work(_ vault: TestVault, _ body: (OpenVault) throws -> Void) throws {
        let store = try vault.open()
        try body(store)
        try store.end()
    }

    static func folder(_ vault: TestVault) -> Int32 { unsafe Glibc.open(vault.folder.path, O_RDONLY | O_DIRECTORY) }

    /// Reads the other copy with our key.
    func other(_ store: OpenVault) throws -> OtherCopy {
        let other = try OtherCopy(taking: Self.folder(theirs), store.otherCopyAccess)
        try other.read { _ in true }
        return other
    }

    /// All of it, as the agent does.
    static func run(_ adoption: Adoption, steps: Int = .max) throws -> AdoptionReport {
        var left = steps
        while !adoption.isDone, left > 0 {
            if case .copying(let files) = try adoption.step() { files.run { _ in true } }
            left -= 1
        }
        return adoption.report
    }

    /// Takes over what the other copy has. It must be left as it was, ours must be sound, and a second time must change
    /// nothing.
    func adopt(_ store: OpenVault) throws -> AdoptionReport {
        let before = try Salvaging.files(theirs)
        let report = try Self.run(Adoption(store, other(store), dryRun: false))
        let entries = try store.history.entryCount()
        let again = try Self.run(Adoption(store, other(store), dryRun: false))
        #expect(!again.hasChanges && again.revisionCount == 0, "\(again.notes)")
        #expect(try store.history.entryCount() == entries)
        #expect(try Salvaging.files(theirs) == before, "the other copy is only read")
        let problems = try check(store).problems
        #expect(problems.isEmpty, "\(problems)")
        return report
    }
}

extension OpenVault {
    func body(_ note: NoteID) throws -> String { try notes.note(note).body }

    /// The texts of all heads, the one that is shown last.
    func versions(_ note: NoteID) throws -> [String] {
        try read { index in
            try index.otherHeads(of: note).map(\.record.body) + [try index.head(of: note).record.body]
        }
    }

    func purge(_ note: NoteID) throws {
        _ = try notes.setTrashed(note, true)
        #expect(try notes.purgeTrash(limit: 100) > 0)
    }
}
