// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing
import VaultTesting

@testable import VaultAudit

/// A directory of its own for each test.
struct VaultInspectionTests {
    private let folder = TemporaryFolder()

    private func write(_ name: String, _ bytes: [UInt8]) { folder.write(bytes, to: name) }

    /// The worked header of docs/format.md §5.
    private func header() throws -> [UInt8] {
        let file = try VectorFile(parsing: VectorFolder.bytes("header.json"))
        return try #require(try file.tests.first?.bytes("header"))
    }

    @Test func aHeaderTellsItsPublicFields() throws {
        try write("header", header())
        let found = try #require(try VaultInspection(path: folder.path).headers.first)
        #expect(found.problem == nil && found.version == 1 && found.epoch == 1 && found.counter == 1)
        #expect(found.vaultID == "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")
        #expect(found.sha256 == "1517ff077a34db4fa8e015b5ef0cc259d4a90e4b4c4006f0560b4e1cb8d3364f")
        #expect(found.slots.map(\.kind) == ["password", "recoveryKey"])
        #expect(found.slots.map(\.memoryKiB) == [65536, 0] && found.slots.allSatisfy(\.isCostAcceptable))
    }

    @Test func aCostBelowTheFloorIsMarked() throws {
        var bytes = try header()
        bytes.replaceSubrange(56..<60, with: [0, 0, 0, 8])
        write("header", bytes)
        let inspection = try VaultInspection(path: folder.path)
        #expect(inspection.headers.first?.slots.first?.isCostAcceptable == false)
        #expect(inspection.text.contains("REFUSED: cost out of range"))
    }

    @Test func aHeaderThatDoesNotParseIsNamedWithItsFirstBadByte() throws {
        var bytes = try header()
        bytes[5] = 2
        write("header.2", bytes)
        #expect(try VaultInspection(path: folder.path).headers.map(\.problem) == ["unknownVersion at byte 4"])
        write("header.2", [UInt8](repeating: 0x56, count: 1 << 20))
        #expect(try VaultInspection(path: folder.path).headers.map(\.problem) == ["badMagic at byte 0"])
    }

    @Test func filesAreListedWithSizesAndNothingElse() throws {
        write("index-1.db", [UInt8](repeating: 0, count: 8192))
        write("manifest", [1, 2, 3])
        let files = try VaultInspection(path: folder.path).files
        #expect(files.map(\.name) == ["index-1.db", "manifest"] && files.map(\.byteCount) == [8192, 3])
        #expect(files.allSatisfy { $0.kind == "file" && $0.modified.hasSuffix("Z") })
    }

    @Test func draftsAndAttachmentsAreCountedFileByFile() throws {
        for (folder, names) in [
            ("drafts", ["d1"]), ("objects/ab", ["o1", "o2"]), ("objects/cd", ["o3"]), ("objects/quarantine", ["q"]),
        ] {
            self.folder.make(folder)
            for name in names { write(folder + "/" + name, [UInt8](repeating: 1, count: name == "o3" ? 700 : 300)) }
        }
        try FileManager.default.createSymbolicLink(
            at: folder.file("objects/ef"), withDestinationURL: folder.file("drafts"))
        write("index-1.db", [UInt8](repeating: 0, count: 8192))
        write("index-1.db-wal", [UInt8](repeating: 0, count: 4192))
        let inspection = try VaultInspection(path: folder.path)
        let totals = inspection.totals
        #expect(totals.objectCount == 3 && totals.objectSizes == [300, 300, 700] && totals.objectByteCount == 1300)
        #expect(
            totals.draftCount == 1 && totals.quarantinedCount == 1 && totals.indexPageCount == 2
                && totals.logByteCount == 4192)
        #expect(totals.lastWritten?.hasSuffix("Z") == true)
        #expect(
            inspection.folders.map(\.path) == ["drafts", "objects", "objects/ab", "objects/cd", "objects/quarantine"])
        #expect(inspection.folders.allSatisfy(\.isReadable) && totals.unreadableCount == 0)
        #expect(inspection.text.contains("attachments  3, of 300 to 700 bytes as padded, 1300 in all"))
        #expect(inspection.json.contains("\"path\":\"objects/cd\""))
    }

    @Test func H04filesThatClaimAnySizeAreAdded() throws {
        folder.make("objects/ab")
        for name in ["a", "b", "c"] {
            let path = folder.file("objects/ab/" + name).path
            write("objects/ab/" + name, [])
            // The largest that this file system takes.
            for bits in stride(from: 62, to: 40, by: -1) where unsafe truncate(path, 1 << bits) == 0 { break }
        }
        #expect(try VaultInspection(path: folder.path).totals.objectByteCount > 1 << 40)
        #expect(InspectedTotals.sum([.max, 1, .max]) == .max)
    }

    @Test func H03linksAreNamedAndNeverFollowed() throws {
        try write("elsewhere", header())
        try FileManager.default.createSymbolicLink(
            at: folder.file("header"), withDestinationURL: folder.file("elsewhere"))
        let inspection = try VaultInspection(path: folder.path)
        #expect(inspection.headers.isEmpty)
        #expect(inspection.files.first { $0.name == "header" }?.kind == "link")
    }

    @Test(arguments: ["", "/", "//"])
    func H03aLinkToADirectoryIsRefused(ending: String) throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        #expect(throws: InspectionError(.notADirectory)) { try VaultInspection(path: link.path + ending) }
    }

    @Test func H04aPipeInTheHeadersPlaceDoesNotHang() throws {
        #expect(unsafe mkfifo(folder.file("header").path, 0o600) == 0)
        let inspection = try VaultInspection(path: folder.path)
        #expect(inspection.headers.isEmpty && inspection.files.map(\.kind) == ["other"])
    }

    @Test func G01namesAreMadeSafeToPrint() throws {
        write("a\u{1B}]52;c\u{7}\u{202E}\\", [])
        let name = try VaultInspection(path: folder.path).files.first?.name
        #expect(name == #"a\x1b]52;c\x07\xe2\x80\xae\x5c"#)
    }

    @Test func whatIsNoDirectoryIsRefused() throws {
        write("file", [])
        for name in ["file", "missing"] {
            let path = folder.file(name).path
            #expect(throws: InspectionError(.notADirectory)) { try VaultInspection(path: path) }
        }
    }
}
