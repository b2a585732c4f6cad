// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultCrypto
import VaultFormat

@testable import VaultCore

/// Archives that were made without any of our code, read and restored as a person's would be. Vectors:
/// Vectors/archive.json.
struct ArchiveVectorTests {
    /// A folder for one archive and what is made of it.
    private final class Place {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archive-vector-\(UUID().uuidString)")
        let descriptor: Int32

        init(_ vector: ArchiveVector) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(vector.file).write(to: folder.appending(path: "archive"))
            descriptor = unsafe Glibc.open(folder.path + "/archive", O_RDONLY)
        }

        deinit {
            close(descriptor)
            try? FileManager.default.removeItem(at: folder)
        }

        var pins: PinStore { PinStore(folder: folder.path + "/pins") }
        var target: [UInt8] { Array((folder.path + "/restored").utf8) }
        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }
    }

    private static let refusals: Set<VaultError.Code> = [
        .integrity, .notAnArchive, .newerFormat, .costOutOfRange, .wrongPassword,
    ]

    private static func refusal(_ body: () throws -> Void) -> VaultError.Code? {
        do { try body() } catch let error as VaultError { return error.code } catch {
            Issue.record("another error: \(error)")
        }
        return nil
    }

    private static func restore(_ vector: ArchiveVector, _ place: Place) throws -> RestoredVault {
        let reader = try vector.reader(place.descriptor)
        let owner = NewOwner(
            password: secret(Array("new".utf8)), recoveryKey: secret(RotatingVault.nextKey), cost: .recommended,
            targetMilliseconds: 0)
        return try ArchiveRestore.run(reader, to: place.target, owner, pins: place.pins)
    }

    @Test func thereAreVectors() {
        #expect(ArchiveVector.all("ArchiveTest").count > 150 && ArchiveVector.all("ArchiveContentTest").count > 50)
    }

    @Test(arguments: ArchiveVector.all("ArchiveTest").filter(\.isValid))
    func anArchiveBecomesAVaultInWhichACheckFindsNothing(vector: ArchiveVector) throws {
        let place = try Place(vector)
        let counts = try Self.restore(vector, place).counts
        let numbers = [
            counts.entries, counts.noteKeyslots, counts.revisions, counts.attachments, counts.drafts, counts.changes,
        ]
        #expect(numbers == vector.numbers)
        let store = try OpenVault(
            VaultProbe(path: place.target, pins: place.pins), .recoveryKey(secret(RotatingVault.nextKey)))
        let check = VaultCheck(store)
        while try check.step() {}
        #expect(check.report.problems.isEmpty)
        try store.end()
    }

    @Test(arguments: ArchiveVector.all("ArchiveTest").filter { !$0.isValid })
    func A01anArchiveThatIsNotRightIsNotReadToItsEnd(vector: ArchiveVector) throws {
        let place = try Place(vector)
        let refused = Self.refusal {
            let reader = try vector.reader(place.descriptor)
            while true {
                let item = try reader.next()
                if case .end = item { return }
                guard case .attachment(let attachment) = item else { continue }
                try unsafe reader.content(attachment.byteCount) { _ in }
            }
        }
        let code = try #require(refused)
        #expect(Self.refusals.contains(code))
        #expect((vector.stage == "cost") == (code == .costOutOfRange))
        #expect(["unwrap", "recoveryKey"].contains(vector.stage) == (code == .wrongPassword))
    }

    /// The run of all vectors has every one of them restored; here some are looked at for what they leave.
    @Test(arguments: ArchiveVector.all("ArchiveContentTest").enumerated().filter { $0.offset % 6 == 0 }.map(\.element))
    func A01noVaultIsMadeOfItemsThatDoNotFit(vector: ArchiveVector) throws {
        let place = try Place(vector)
        #expect(Self.refusal { _ = try Self.restore(vector, place) } == .integrity)
        #expect(place.names == ["archive"])
    }
}
