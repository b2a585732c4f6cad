// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignPrograms
import Foundation
import Testing

/// Sources of other programs are answered with their name and what to do; ours and garbage are not taken for another
/// program's.
@Suite struct RecognitionTests {
    /// Sources in the shape of what each program writes (`Support/sources.py`).
    private func sources(_ world: VaultWorld) throws -> [(id: String, path: String)] {
        let script = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Support/sources.py"
        let command = ["/usr/bin/env", "python3", "-B", script, world.path("sources")]
        let made = try Command.run(command, environment: ["PATH": "/usr/bin:/bin"], seconds: 60)
        try #require(made.code == 0, "\(made.err)")
        return try JSON(made).array.map { (try #require($0["id"].string), try #require($0["path"].string)) }
    }

    @Test func eachProgramIsNamedWithWhatToDo() throws {
        let world = try VaultWorld(unlocked: false)
        let sources = try sources(world)
        #expect(
            Set(sources.map(\.id)) == Set(ForeignProgram.all.map(\.id)),
            "a program without a source, or the other way round")
        #expect(ForeignProgram.all.count >= 100)
        for source in sources {
            let program = try #require(ForeignProgram.named(source.id))
            guard program.format == nil || !FileManager.default.contains(source.path) else { continue }
            let told = try world.vault("import", "auto", source.path)
            #expect(told.code == 2, "\(source): \(told.err)")
            // Our own exports may be sealed so: the file is opened, not converted.
            if source.id == "age" {
                #expect(
                    told.err.contains("is encrypted with age") && told.err.contains("--identity FILE"),
                    "\(source): \(told.err)")
                continue
            }
            #expect(
                told.err.contains(" is \(program.name), which vault does not import directly"), "\(source): \(told.err)"
            )
            #expect(told.err.contains("hint: \(program.advice)"), "\(source): \(told.err)")
            #expect(!told.err.contains("cannot determine"))
        }
    }

    /// Folders of Markdown that other programs keep are imported as Markdown, and called by the program's name.
    @Test func aFolderOfMarkdownIsCalledByItsProgramAndImported() throws {
        let world = try VaultWorld()
        let markdown = try sources(world).filter {
            ForeignProgram.named($0.id)?.format == "markdown" && FileManager.default.contains($0.path)
        }
        #expect(Set(markdown.map(\.id)).count >= 9)
        for source in markdown {
            let told = try world.vault("import", "auto", source.path)
            let name = try #require(ForeignProgram.named(source.id)?.name)
            #expect(told.err.contains(" is \(name): vault import markdown"), "\(source): \(told.err)")
            #expect(told.code == 0 || told.code == 12, "\(source): \(told.code)")
        }
        #expect(
            try Int(world.vault("ls", "--count").text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
                >= markdown.count)
    }

    /// What is plainly another program's is not given to a parser of ours, whatever format was named.
    @Test func aNamedFormatThatItPlainlyIsNotIsRefusedToo() throws {
        let world = try VaultWorld(unlocked: false)
        let wanted = Set([
            "keep", "notion", "dayone", "bitwarden", "keepass", "onenote", "docx", "trilium", "roam",
            "apple-notes-database",
        ])
        for source in try sources(world) where wanted.contains(source.id) {
            let program = try #require(ForeignProgram.named(source.id))
            for format in ["joplin", "standardnotes", "json", "jrnl", "enex"]
            where !FileManager.default.contains(source.path) {
                let told = try world.vault("import", format, source.path)
                #expect(told.code == 2 && told.err.contains(program.name), "\(format) \(source): \(told.err)")
            }
        }
    }

    /// 200 files of noise, of nothing, of one byte, of half a signature: no program that writes a form of its own
    /// claims one.
    @Test func garbageIsNobodys() throws {
        let world = try VaultWorld(unlocked: false)
        var generator = SeededBytes(seed: 17)
        let plain = Set(ForeignProgram.plainForms.map(\.name))
        for index in 0..<200 {
            let count = index % 8 == 0 ? 0 : Int(generator.next()) * (index % 5 + 1)
            var bytes = (0..<count).map { _ in generator.next() }
            // Some of it is text.
            if index % 3 == 0 { bytes = bytes.map { $0 % 95 + 32 } }
            let path = world.path("garbage-\(index)")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let told = try world.vault("import", "auto", path)
            #expect(told.code == 2, "\(index): \(told.err)")
            let isPlain = plain.contains { told.err.contains(" is \($0), ") }
            #expect(told.err.contains("its format is not known") || isPlain, "\(index): \(told.err)")
            #expect(told.err.contains("vault import markdown FOLDER") || isPlain, "\(index): \(told.err)")
        }
    }

    /// A head of another program's file that is cut anywhere, and a zip whose lists say what is not so, end in an
    /// answer.
    @Test func aCutOrLyingSourceStillHasAnAnswer() throws {
        let world = try VaultWorld(unlocked: false)
        let wanted = ["notion", "samsung-notes", "epub", "memos", "roam"]
        for source in try sources(world) where !FileManager.default.contains(source.path) && wanted.contains(source.id)
        {
            let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source.path)))
            for count in stride(from: 0, to: min(whole.count, 400), by: 37) {
                var cut = Array(whole.prefix(count))
                if count > 30 { (cut[26], cut[27]) = (0xFF, 0xFF) }
                let path = world.path("cut")
                try Data(cut).write(to: URL(fileURLWithPath: path))
                let told = try world.vault("import", "auto", path)
                #expect(told.code == 2 && !told.err.contains("vault-parse ended"), "\(source) \(count): \(told.err)")
            }
        }
    }
}

extension FileManager {
    fileprivate func contains(_ folder: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
    }
}

/// The same noise in each run.
private struct SeededBytes {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
    }
}
