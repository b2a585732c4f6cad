// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting

@testable import ExportFormats

struct TarStreamTests {
    private let paths: [[String]] = [
        ["a.md"], ["Größe", "文字 🎉.md"], [String(repeating: "d", count: 90), String(repeating: "f", count: 90)],
        [String(repeating: "d", count: 200), String(repeating: "f", count: 100)], (0..<30).map { "part \($0)" },
        [String(repeating: "x", count: 60), String(repeating: "y", count: 39)], [String(repeating: "z", count: 101)],
    ]

    private func archive() throws -> Collected {
        let collected = Collected()
        let tar = TarStream { collected.add($0) }
        try tar.addFolder(["Größe"], modified: 1_706_659_200_999)
        for (number, path) in paths.enumerated() {
            try tar.addFile(
                path, modified: 1_706_659_200_999, bytes: [UInt8](repeating: UInt8(number), count: number * 300))
        }
        try tar.addFile(["old"], modified: -1, bytes: Array("x".utf8))
        try tar.addFile(["far"], modified: 253_402_300_799_999, bytes: [])
        try tar.finish()
        return collected
    }

    @Test func everyByteIsWhereTheFormatSays() throws {
        let collected = Collected()
        let tar = TarStream { collected.add($0) }
        try tar.addFile(["hello"], modified: 1000, bytes: Array("hi".utf8))
        try tar.finish()
        #expect(collected.bytes.count == 10_240)
        let header = String(decoding: collected.bytes[..<265], as: UTF8.self).replacing("\0", with: "|")
        #expect(
            header == "hello" + String(repeating: "|", count: 95)
                + "0000600|0000000|0000000|00000000002|00000000001|006754| 0"
                + String(repeating: "|", count: 100) + "ustar|00")
        #expect(
            Array(collected.bytes[512..<515]) == [0x68, 0x69, 0] && collected.bytes[1024...].allSatisfy { $0 == 0 })
    }

    @Test func pythonReadsEveryEntry() throws {
        let folder = TemporaryFolder()
        try Data(try archive().bytes).write(to: URL(fileURLWithPath: folder.path + "/a.tar"))
        let program = """
            import sys, tarfile
            with tarfile.open(sys.argv[1], "r:", errors="strict") as tar:
                for m in tar.getmembers():
                    content = tar.extractfile(m).read() if m.isfile() else b""
                    print(m.name, m.isdir(), oct(m.mode), int(m.mtime), m.size, len(set(content)), m.uname == "" and m.uid == 0, sep="|")
            """
        let lines = try output(of: "python3", ["-c", program, folder.path + "/a.tar"]).split(separator: "\n").map(
            String.init)
        var expected = ["Größe|True|0o700|1706659200|0|0|True"]
        for (number, path) in paths.enumerated() {
            expected.append(
                "\(path.joined(separator: "/"))|False|0o600|1706659200|\(number * 300)|\(number == 0 ? 0 : 1)|True")
        }
        #expect(lines == expected + ["old|False|0o600|-1|1|1|True", "far|False|0o600|253402300799|0|0|True"])
    }

    @Test func tarExtractsEveryEntry() throws {
        let folder = TemporaryFolder()
        try Data(try archive().bytes).write(to: URL(fileURLWithPath: folder.path + "/a.tar"))
        _ = try output(of: "tar", ["-C", folder.path, "--exclude=far", "-xf", folder.path + "/a.tar"])
        for (number, path) in paths.enumerated() {
            #expect(
                FileManager.default.contents(atPath: folder.path + "/" + path.joined(separator: "/"))?.count == number
                    * 300)
        }
    }

    @Test func aSizeAboveEightGiBHasARecord() throws {
        struct Enough: Error {}
        let collected = Collected()
        let tar = TarStream { collected.add($0) }
        #expect(throws: Enough.self) {
            try tar.addFile(["big"], byteCount: 1 << 40, modified: 0) { _ in throw Enough() }
        }
        try? tar.finish()
        #expect(collected.text.contains("22 size=1099511627776\n"))
    }

    @Test(arguments: [8, 10]) func contentOfAnotherSizeIsRefused(byteCount: UInt64) {
        let tar = TarStream { _ in }
        #expect(throws: ExportError(.sizeChanged)) {
            try tar.addFile(["x"], byteCount: byteCount, modified: 0) { sink in try contents(attachmentID(1), sink) }
        }
    }

    @Test(arguments: [
        [], [""], ["."], [".."], ["a", "..", "b"], ["a/b"], ["a\0b"], [String(repeating: "x", count: 256)],
    ])
    func pathsThatLeadElsewhereAreRefused(path: [String]) throws {
        let folder = TemporaryFolder()
        let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        for target in [TarStream { _ in }, try FolderTarget(folder: descriptor)] as [any ExportTarget] {
            #expect(throws: ExportError(.badPath)) { try target.addFile(path, modified: 0, bytes: []) }
            #expect(throws: ExportError(.badPath)) { try target.addFolder(path, modified: 0) }
        }
    }
}

/// ThreatModel H01, H02, H03, H09.
struct FolderTargetTests {
    private let folder: TemporaryFolder
    private let descriptor: Int32
    private let target: FolderTarget

    init() throws {
        folder = TemporaryFolder()
        descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        target = try FolderTarget(folder: descriptor)
        close(descriptor)
    }

    private func attributes(_ path: String) throws -> (mode: Int, modified: Date) {
        let found = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + path)
        return (found[.posixPermissions] as? Int ?? 0, found[.modificationDate] as? Date ?? .distantPast)
    }
    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
    }

    @Test func filesAndFoldersAreOursAlone() throws {
        try target.addFolder(["Work"], modified: 0)
        try target.addFile(["Work", "a.md"], modified: 1_706_659_200_250, bytes: Array("text".utf8))
        try target.addFile(["b.md"], modified: -1, bytes: [])
        try target.addFile(["c.md"], modified: .max, bytes: [])
        try target.finish()
        #expect(FileManager.default.contents(atPath: folder.path + "/Work/a.md") == Data("text".utf8))
        #expect(
            try attributes("Work").mode == 0o700 && attributes("Work/a.md").mode == 0o600
                && attributes("b.md").mode == 0o600)
        #expect(abs(try attributes("Work/a.md").modified.timeIntervalSince1970 - 1_706_659_200.25) < 0.001)
        #expect(abs(try attributes("b.md").modified.timeIntervalSince1970 + 0.001) < 0.001)
    }

    @Test func filesCanBecomeDurableTogether() throws {
        let other = TemporaryFolder()
        let opened = unsafe open(other.path, O_RDONLY | O_DIRECTORY)
        defer { close(opened) }
        let target = try FolderTarget(folder: opened, durability: .atEnd)
        try target.addFolder(["Work"], modified: 0)
        try target.addFile(["Work", "a.md"], modified: 0, bytes: [1])
        try target.finish()
        #expect(FileManager.default.contents(atPath: other.path + "/Work/a.md") == Data([1]))
    }

    @Test func aPlantedLinkInPlaceOfAFileIsNeverWrittenThrough() throws {
        let outside = TemporaryFolder()
        try link("a.md", to: outside.path + "/victim")
        #expect(throws: ExportError(.exists, systemNumber: EEXIST)) {
            try target.addFile(["a.md"], modified: 0, bytes: [1])
        }
        #expect(!FileManager.default.fileExists(atPath: outside.path + "/victim"))
    }

    @Test func aPlantedLinkInPlaceOfAFolderIsNeverEntered() throws {
        let outside = TemporaryFolder()
        try link("Work", to: outside.path)
        #expect(throws: ExportError(.exists, systemNumber: EEXIST)) { try target.addFolder(["Work"], modified: 0) }
        #expect { try target.addFile(["Work", "a.md"], modified: 0, bytes: [1]) } throws: {
            ($0 as? ExportError)?.code == .notOurs
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
    }

    @Test func aFolderSwappedForALinkIsNeverEntered() throws {
        let outside = TemporaryFolder()
        for name in ["One", "Two"] { try target.addFolder([name], modified: 0) }
        try target.addFile(["Two", "a.md"], modified: 0, bytes: [1])
        try FileManager.default.moveItem(atPath: folder.path + "/One", toPath: folder.path + "/Away")
        try link("One", to: outside.path)
        #expect { try target.addFile(["One", "a.md"], modified: 0, bytes: [1]) } throws: {
            ($0 as? ExportError)?.code == .notOurs
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
    }

    @Test func nothingIsReplaced() throws {
        try target.addFile(["a.md"], modified: 0, bytes: [1, 2, 3])
        #expect(throws: ExportError(.exists, systemNumber: EEXIST)) {
            try target.addFile(["a.md"], modified: 0, bytes: [4])
        }
        #expect(FileManager.default.contents(atPath: folder.path + "/a.md") == Data([1, 2, 3]))
    }

    @Test func aFolderThatOthersMayUseIsRefused() throws {
        _ = unsafe chmod(folder.path, 0o750)
        let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #expect(throws: ExportError(.notOurs)) { _ = try FolderTarget(folder: descriptor) }
    }

    @Test func aSiblingWithALongerNameIsNotTheFolder() throws {
        // "/out" and "/out-evil" share a beginning; nothing here compares paths.
        let sibling = folder.path + "-evil"
        try FileManager.default.createDirectory(atPath: sibling, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: sibling) }
        let name = "../" + URL(fileURLWithPath: sibling).lastPathComponent
        #expect(throws: ExportError(.badPath)) { try target.addFile([name + "/a.md"], modified: 0, bytes: []) }
        let export = MarkdownExport(to: target, content: contents)
        try export.add(note(1, name + "/a", "x", notebook: name))
        _ = try export.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: sibling).isEmpty)
    }

    @Test func aWholeExportLiesInTheFolder() throws {
        var trip = note(1, "Trip", "![a](att:p.png)", notebook: "Work/Plans")
        trip.attachments = [attachment(1, "p.png"), attachment(2, "P.PNG")]
        let export = MarkdownExport(to: target, content: contents)
        for note in [trip, note(2, "Trip", "y", notebook: "Work/Plans"), note(3, "root")] { try export.add(note) }
        _ = try export.finish()
        let found = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        let plans = ["Trip (2).md", "Trip.files", "Trip.files/P (2).PNG", "Trip.files/p.png", "Trip.md"].map {
            "Work/Plans/" + $0
        }
        #expect(found == ["Work", "Work/Plans"] + plans + ["root.md"])
    }
}
