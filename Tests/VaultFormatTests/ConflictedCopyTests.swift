// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultTesting
import VaultFormat

struct ConflictedCopyTests {
    private static let object = String(repeating: "0a1b2c3d", count: 8)

    @Test(
        arguments: [
            ("header (Ann's conflicted copy 2026-01-01)", "header", .dropbox),
            ("index-1 (laptop's conflicted copy 2026-01-01).db", "index-1.db", .dropbox),
            ("index-12.sync-conflict-20260101-120000-ABCDEFG.db-wal", "index-12.db-wal", .syncthing),
            ("manifest.sync-conflict-20260101-120000-ABCDEFG", "manifest", .syncthing),
            ("header (conflicted copy 2026-01-01 120000).2", "header.2", .nextcloud),
            ("manifest (conflicted copy 2026-01-01 120000)", "manifest", .nextcloud),
            ("index-1-DESKTOP-7G2.db", "index-1.db", .oneDrive), ("header-laptop", "header", .oneDrive),
            ("manifest (1)", "manifest", .googleDrive), ("index-1 (2).db", "index-1.db", .googleDrive),
            ("index-1 2.db", "index-1.db", .iCloud), ("header 2", "header", .iCloud),
            (object + " (1)", object, .googleDrive),
            (object + ".sync-conflict-20260101-120000-ABCDEFG", object, .syncthing),
            ("manifest (1).2", "manifest.2", .googleDrive),
        ] as [(String, String, ConflictedCopy.Program)])
    func aCopyIsOfItsFileAndItsProgram(name: String, original: String, program: ConflictedCopy.Program) {
        let copy = ConflictedCopy(name)
        #expect(copy?.original == original && copy?.program == program, "\(String(describing: copy))")
    }

    @Test(arguments: [
        "header", "header.2", "manifest", "manifest.2", "manifest.next", "manifest.new", "lock", "lease", "reserve",
        "index-1.db", "index-1.db-wal", "index-1.rescued", "index-1.rescued.2", "index-1.db.new", "drafts", "objects",
        object, "", "index-", "index-x 2.db", "notes (1).txt", "header.3", "index-1.db-shm",
    ])
    func aNameOfAnythingElseIsNone(name: String) { #expect(ConflictedCopy(name) == nil) }

    @Test func whateverTheBytesOfANameAreNothingTraps() {
        var random = SeededGenerator(7)
        for _ in 0..<5000 {
            let noise = String(decoding: random.bytes(12), as: UTF8.self)
            _ = ConflictedCopy("index-" + noise)
            _ = ConflictedCopy("header" + noise)
            _ = ConflictedCopy("index-1" + noise + ".db")
        }
    }

    @Test func onlyWhereLocksAreUncertainALeaseIsNeeded() {
        for number in [0x6969, 0x6573_5546, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997] as [Int64] {
            let kind = FileSystemKind(number: number)
            #expect(kind.needsLease && kind.warning?.contains(kind.name) == true)
        }
        for number in [0xEF53, 0x5846_5342, 0x9123_683E, 0x794C_7630, 0x0102_1994, 1, -1] as [Int64] {
            let kind = FileSystemKind(number: number)
            #expect(!kind.needsLease && kind.warning == nil)
        }
        #expect(FileSystemKind(number: 0x0102_1994).isMemory && !FileSystemKind(number: 0xEF53).isMemory)
        // As a 32-bit system gives it.
        #expect(FileSystemKind(number: Int64(Int32(bitPattern: 0xFF53_4D42))).needsLease)
    }
}
