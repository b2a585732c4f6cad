// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ArchiveReading
import ForeignFormats
import ParserProtocol
import Testing
import VaultTesting

struct ArchiveImportTests {
    private func importing(_ format: ImportFormat, _ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits())
        -> Imported
    {
        Imported(
            format, PackedSource.opening(MemorySource([("export.txt", bytes)], pieceByteCount: 1000), limits: limits))
    }

    @Test func aTarIsTheSameAsItsFolder() {
        let (packed, plain) = (
            importing(.joplin, ArchiveWriter.tar(JoplinImportTests.export)),
            Imported(.joplin, MemorySource(JoplinImportTests.export))
        )
        #expect(
            packed.isWellFormed && packed.notes == plain.notes && packed.attachments == plain.attachments
                && packed.notes.count == 2)
    }

    @Test(arguments: [
        ("../evil.md", RefusedEntry.Reason.unsafePath), ("/etc/passwd", .unsafePath), ("a/../../b.md", .unsafePath),
        ("..\\evil.md", .unsafePath),
        ("C:\\x.md", .unsafePath), ("a//b.md", .unsafePath), ("\\\\host\\x", .unsafePath), ("d/d/d/d/d/x.md", .tooDeep),
    ])
    func pathsThatLeaveTheArchiveAreRefusedAndNamed(path: String, reason: RefusedEntry.Reason) {
        var limits = ArchiveLimits()
        limits.depthMax = 4
        let result = importing(.joplin, ArchiveWriter.tar([(path, "x")] + JoplinImportTests.export), limits: limits)
        #expect(result.reasons == [reason] && result.notes.count == 2 && result.summary?.isComplete == true)
    }

    @Test func linksAndDevicesAreRefusedAndNamed() {
        let name = JoplinImportTests.noteA + ".md"
        let bytes = ArchiveWriter.tar([
            (path: name, type: "2", link: "/etc/passwd", content: []),
            (path: "resources/h", type: "1", link: "/etc/shadow", content: []),
            (path: "pipe", type: "6", link: "", content: []), (path: "device", type: "3", link: "", content: []),
        ])
        let result = importing(.joplin, bytes)
        #expect(
            result.reasons == [.symbolicLink, .hardLink, .specialFile, .specialFile] && result.refused[0].name == name)
        #expect(result.notes.isEmpty && result.attachments.isEmpty)
    }

    @Test func aBombEndsTheImportBeforeAnythingIsDelivered() {
        let bomb = ArchiveWriter.deflatedZeros(blockCount: 400_000)
        let bytes = ArchiveWriter.zip([
            (path: "backup.txt", content: bomb.content, method: 8, byteCount: bomb.byteCount, crc: 0)
        ])
        #expect(bomb.byteCount > 150 * bomb.content.count)
        let result = importing(.joplin, bytes)
        #expect(
            result.reasons.last == .bomb && result.summary?.isComplete == false && result.notes.isEmpty
                && result.attachments.isEmpty)
    }

    @Test func tooManyEntriesAndBytesEndTheImport() {
        var limits = ArchiveLimits()
        limits.entryCountMax = 5
        let bytes = ArchiveWriter.tar(JoplinImportTests.export)
        #expect(importing(.joplin, bytes, limits: limits).reasons == [.tooManyEntries])
        limits = ArchiveLimits()
        limits.byteCountMax = 100
        #expect(importing(.joplin, bytes, limits: limits).reasons == [.tooManyBytes])
    }

    @Test func everyPrefixOfAnArchiveEndsWithASummary() {
        let bytes = ArchiveWriter.tar(JoplinImportTests.export)
        for count in stride(from: 0, to: bytes.count, by: 97) {
            let result = importing(.joplin, Array(bytes[..<count]))
            #expect(result.summary != nil && result.isWellFormed)
        }
    }

    @Test func changedBytesNeverTrap() {
        var generator = SeededGenerator(6)
        for original in [
            ArchiveWriter.tar(JoplinImportTests.export),
            ArchiveWriter.zip([("backup.txt", StandardNotesImportTests.backup)]),
        ] {
            for _ in 0..<100 {
                var bytes = original
                for _ in 0...Int.random(in: 0...3, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                for format in [ImportFormat.joplin, .standardnotes] {
                    #expect(importing(format, bytes).summary != nil)
                }
            }
        }
    }

    @Test func aBackupInAZipIsTheSameAsAlone() {
        let packed = importing(
            .standardnotes,
            ArchiveWriter.zip([
                ("Standard Notes Backup and Import File.txt", StandardNotesImportTests.backup),
                ("Items/Note/a.txt", "x"),
            ]))
        let alone = importing(.standardnotes, Array(StandardNotesImportTests.backup.utf8))
        #expect(packed.notes.count == 3 && packed.notes == alone.notes && packed.isWellFormed)
        #expect(packed.refused == alone.refused && packed.summary == alone.summary, "\(packed.refused)")
    }
}
