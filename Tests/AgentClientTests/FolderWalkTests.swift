// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Glibc
import ParserProtocol
import Testing
import VaultFormat
import VaultTesting

@testable import AgentClient

struct FolderWalkTests {
    private let folder = TemporaryFolder()

    private func walk() -> FolderWalk {
        let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        return FolderWalk(folder: descriptor)
    }

    private func names(_ walk: FolderWalk) -> [String] { walk.files.map { String(decoding: $0, as: UTF8.self) } }

    @Test func filesComeInTheOrderOfTheirBytes() {
        folder.make("b")
        for name in ["z.md", "b/a.txt", "a.markdown", "B.MD"] { folder.write([0x61], to: name) }
        #expect(names(walk()) == ["B.MD", "a.markdown", "b/a.txt", "z.md"])
    }

    @Test func eachWalkOfOneDescriptorSeesTheWholeFolder() {
        folder.make("b")
        for name in ["a.md", "b/c.txt", "picture.png"] { folder.write([0x61], to: name) }
        let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        for _ in 0..<3 {
            #expect(names(FolderWalk(folder: descriptor)) == ["a.md", "b/c.txt"])
            #expect(names(FolderWalk(folder: descriptor, .everything)) == ["a.md", "b/c.txt", "picture.png"])
        }
    }

    @Test func hiddenNamesAndOtherKindsAreLeftAlone() {
        folder.make(".obsidian")
        folder.make(".trash")
        for name in [".obsidian/x.md", ".trash/y.md", ".hidden.md", "picture.png", "md", "x.md~"] {
            folder.write([0x61], to: name)
        }
        let found = walk()
        #expect(found.files.isEmpty)
        #expect(found.skipped.isEmpty)
        #expect(found.otherCount == 3)
    }

    @Test func linksAreNamedAndNotFollowed() {
        folder.link("passwd.md", to: "/etc/passwd")
        folder.link("etc", to: "/etc")
        folder.link("round", to: ".")
        let found = walk()
        #expect(found.files.isEmpty)
        #expect(found.skipped.map(\.path) == ["etc", "passwd.md", "round"])
        #expect(found.skipped.allSatisfy { $0.reason == .symbolicLink })
    }

    @Test func aPipeIsNoNote() {
        unsafe mkfifo(folder.path + "/pipe.md", 0o600)
        #expect(walk().skipped == [SkippedFile(path: "pipe.md", reason: .notAFile)])
    }

    @Test func aFileAboveSixteenMebibytesIsNamed() {
        folder.write([], to: "large.md")
        unsafe truncate(folder.path + "/large.md", 16 << 20)
        #expect(names(walk()) == ["large.md"])
        unsafe truncate(folder.path + "/large.md", 16 << 20 + 1)
        #expect(walk().skipped == [SkippedFile(path: "large.md", reason: .tooLarge)])
    }

    @Test func aFileThatBecameALinkAfterTheWalkIsRefused() throws {
        folder.make("in")
        folder.write([0x61], to: "in/note.md")
        let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        #expect(try FolderFile.read(Array("in/note.md".utf8), in: descriptor).content == [0x61])
        unsafe unlink(folder.path + "/in/note.md")
        folder.link("in/note.md", to: "/etc/passwd")
        #expect(throws: FolderFile.Failure.self) { try FolderFile.read(Array("in/note.md".utf8), in: descriptor) }
        unsafe rename(folder.path + "/in", folder.path + "/out")
        folder.link("in", to: "/etc")
        #expect(throws: FolderFile.Failure.self) { try FolderFile.read(Array("in/passwd".utf8), in: descriptor) }
    }

    @Test(arguments: [
        ("a.md", true), ("a.MARKDOWN", true), ("a.txt", true), (".md", false), ("md", false), ("a.mdx", false),
        (".a.md", false),
    ])
    func endingsDecideWhatANoteIs(_ name: String, _ isNote: Bool) {
        #expect(FolderWalk.isNote(Array(name.utf8)) == isNote)
    }

    @Test func theReportOfLeftOutFilesAlwaysFitsIntoOneRequest() throws {
        let long = SkippedFile(bytes: [UInt8](repeating: 0x1B, count: 4096), reason: .symbolicLink)
        #expect(long.path.utf8.count <= 16384)
        var tally = ImportTally()
        for _ in 0..<5000 { tally.add(LeftOutPart(long)) }
        #expect(tally.leftOutCount == 5000)
        let end = tally.closing(.machine)
        #expect(end.leftOutCount == 5000)
        let payload = end.encoded(for: ClientTraits())
        #expect(payload.count < Frame.byteCountMax)
        var reader = ByteReader(payload)
        _ = try ClientTraits(from: &reader)
        #expect(try reader.u8() == EndImport.id)
        #expect(try EndImport(from: &reader) == end)
    }
}
