// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing
import VaultFormat

/// Names, links, masks, folders and texts that are made to get out of an export, or to do harm from within it.
@Suite struct ExportAttackTests {
    /// Two of them differ only in case, two only in how "é" is composed.
    private static let names = [
        "../../escape", "/etc/passwd", "..", ".", "CON", "con.txt", "trailing.", "-rf", "new\nline", "C:\\x",
        "..\\..\\y", "a/b", "Twin", "TWIN",
        "caf\u{E9}", "cafe\u{301}", "tab\tbell\u{7}", "\u{202E}gpj.exe", String(repeating: "n", count: 300),
        String(repeating: "é", count: 150),
        "*?\"<>|",
    ]

    @Test func H01everyNameIsANameInsideTheExportAndNoneTakesAnothersPlace() throws {
        let world = try VaultWorld()
        var markers: [String] = []
        let line = try AgentLine.greeted(try #require(world.socket))
        for (number, name) in Self.names.enumerated() {
            let (title, notebook) = ("title\(number)x", "notebook\(number)x")
            let note = try make(line, title, title: name)
            try attach(line, note, [(name, "attachment\(number)x"), (name.uppercased(), "second\(number)x")])
            _ = try make(line, notebook, title: "Same title", notebook: name)
            markers += [title, notebook, "attachment\(number)x", "second\(number)x"]
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: world.root)
        try world.export("markdown", "out")
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.root).sorted() == (names + ["out"]).sorted())
        let folder = try ExportedFolder(world.path("out"))
        check(folder, markers)
        // The same names from a tar, by the system's own program.
        try world.export("markdown", "out.tar")
        try world.makeFolder("unpacked")
        let unpacked = try Command.run(
            ["/bin/tar", "xf", world.path("out.tar"), "-C", world.path("unpacked")],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        #expect(unpacked.code == 0 && unpacked.err.isEmpty, "\(unpacked.err)")
        check(try ExportedFolder(world.path("unpacked")), markers)
        try world.export("json", "j")
        #expect(try ExportedFolder(world.path("j")).files.allSatisfy { $0.name.hasPrefix("notes-") })
    }

    private func make(_ line: AgentLine, _ text: String, title: String, notebook: String = "") throws -> String {
        var note = NewNote(text: text)
        (note.title, note.notebook) = (title, notebook)
        let reply = try line.ask(CreateNote(note))
        #expect(reply.outcome.code == .ok, "\(reply.outcome.message)")
        return try #require(reply.replies.first?.notes.first?.id)
    }

    private func attach(_ line: AgentLine, _ note: String, _ files: [(name: String, text: String)]) throws {
        for (name, text) in files {
            let pipe = try Command.pipe()
            #expect(unsafe write(pipe.write, text, text.utf8.count) == text.utf8.count)
            close(pipe.write)
            try line.send(
                PutAttachment(ref: note, file: AddedFile(name: name, kind: .file, mediaType: "text/plain")),
                descriptors: [pipe.read])
            close(pipe.read)
            #expect(try line.answer().outcome.code == .ok)
        }
        #expect(try line.ask(CommitAttachments(ref: note)).outcome.code == .ok)
    }

    private func check(_ folder: ExportedFolder, _ markers: [String]) {
        let all = folder.files.map(\.text)
        for marker in markers { #expect(all.count { $0.contains(marker) } == 1, "\(marker)") }
        for entry in folder.entries {
            #expect(
                !entry.name.hasPrefix("-") && !entry.name.hasPrefix(".") && !entry.name.hasSuffix(".")
                    && entry.name.utf8.count <= 255)
            #expect(!entry.path.contains { $0 < 0x20 || $0 == 0x5C }, "\(entry.name)")
            #expect(
                !["con", "nul"].contains(entry.name.lowercased().split(separator: ".").first ?? ""), "\(entry.name)")
        }
        // On a disk that knows no case and one form of a letter they are as many.
        let folded = folder.entries.map {
            String(decoding: $0.path, as: UTF8.self).lowercased().precomposedStringWithCanonicalMapping
        }
        #expect(Set(folded).count == folder.entries.count)
    }

    @Test func H02H03linksAndWhatIsThereAreNeverWrittenThroughOrOver() throws {
        let world = try VaultWorld()
        _ = try world.new("a note")
        try world.makeFolder("elsewhere")
        try world.makeFolder("full")
        try world.write("full/theirs", "theirs")
        try world.write("file", "theirs")
        unsafe symlink(world.path("elsewhere"), world.path("link"))
        unsafe symlink(world.path("nowhere"), world.path("dangling"))
        for (format, name) in [
            ("markdown", "link"), ("markdown", "link/"), ("markdown", "dangling"), ("text", "dangling"),
            ("text", "link"),
            ("markdown", "full"), ("markdown", "elsewhere"), ("markdown", "file"), ("text", "file"), ("json", "full"),
            ("html", "full"),
        ] {
            let refused = try world.vault("export", format, "-o", world.path(name), "--plaintext")
            #expect(refused.code == 7, "\(format) \(name): \(refused.err)")
        }
        #expect(!world.exists("nowhere"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.path("elsewhere")).isEmpty)
        #expect(try String(contentsOfFile: world.path("file"), encoding: .utf8) == "theirs")
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.path("full")) == ["theirs"])
        for bad in ["nosuch/out", "file/out"] {
            for format in ["markdown", "text"] {
                #expect(try world.vault("export", format, "-o", world.path(bad), "--plaintext").code == 9, "\(bad)")
            }
        }
        #expect(try world.vault("export", "markdown", "-o", "..", "--plaintext").code != 0)
        #expect(try world.parts().isEmpty)
    }

    @Test func H09modesAreTheOwnersWhateverTheMask() throws {
        let world = try VaultWorld()
        let note = try world.new("a note", "-b", "deep/er")
        try world.attach(note, "x.bin", [1])
        for (mask, format, form) in [
            ("000", "markdown", "m"), ("000", "jex", "x"), ("777", "json", "j"), ("777", "text", "t"),
            ("022", "markdown", "n"),
        ] {
            let line = "umask \(mask); exec \"$0\" export \(format) -o \(world.path(form)) --plaintext"
            let done = try Command.run(["/bin/sh", "-c", line, Programs.path("vault")], environment: world.environment)
            #expect(done.code == 0 && done.err.contains("does not protect this copy"), "\(done.err)")
            var status = stat()
            #expect(unsafe lstat(world.path(form), &status) == 0)
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            #expect(status.st_mode & 0o7777 == (isFolder ? 0o700 : 0o600), "\(form)")
            guard isFolder else { continue }
            for entry in try ExportedFolder(world.path(form)).entries {
                #expect(entry.mode == (entry.isFolder ? 0o700 : 0o600), "\(entry.name)")
            }
        }
    }

    @Test func onlyAnEmptyFolderOfOursIsTakenFromAClient() throws {
        let world = try VaultWorld()
        _ = try world.new("a note")
        for name in ["full", "open", "good"] { try world.makeFolder(name) }
        try world.write("full/theirs", "theirs")
        unsafe chmod(world.path("open"), 0o755)
        let file = try world.write("file", "")
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let line = try AgentLine.greeted(try #require(world.socket))
        func ask(_ descriptor: Int32, _ order: ExportNotes) throws -> ExitCode {
            defer { close(descriptor) }
            try line.send(order, descriptors: [descriptor])
            return try line.answer().outcome.code
        }
        let folder = ExportNotes(.markdown, .folder)
        #expect(try ask(unsafe open(world.path("full"), flags), folder) == .conflict)
        #expect(try ask(unsafe open(world.path("open"), flags), folder) == .failSafe)
        #expect(try ask(unsafe open(world.path("good"), flags | 0o10000000), folder) == .usage)
        #expect(try ask(unsafe open(file, O_RDWR), folder) == .usage)
        #expect(try ask(unsafe open(world.path("good"), flags), ExportNotes(.json, .document)) == .usage)
        #expect(try ask(unsafe open(file, O_RDONLY), ExportNotes(.json, .document)) == .usage)
        #expect(try ask(unsafe open(file, O_WRONLY | O_APPEND), ExportNotes(.json, .document)) == .usage)
        #expect(try ask(unsafe open("/dev/null", O_WRONLY), ExportNotes(.json, .document)) == .usage)
        #expect(try ask(unsafe open(file, O_RDWR), ExportNotes(.html, .archive)) == .usage)
        var sealed = ExportNotes(.json, .document)
        sealed.sealing = .recipients([])
        #expect(try ask(unsafe open(file, O_RDWR), sealed) == .usage)
        #expect(try ask(unsafe open(world.path("good"), flags), folder) == .ok)
        #expect(try ask(unsafe open(world.path("good"), flags), folder) == .conflict, "it is full now")
        let gone = unsafe open(world.path("full"), flags)
        try FileManager.default.removeItem(atPath: world.path("full"))
        #expect(try ask(gone, folder) != .ok)
        #expect(try line.ask(ShowStatus()).outcome.code == .ok)
    }

    @Test func H11whatTextsSayIsNeverRunOrTakenForMarkup() throws {
        let world = try VaultWorld()
        let titles = [
            "=cmd|' /C calc'!A0", "<script>alert(1)</script>", "x\"\n---\nadmin: true", "- a: &b [*b]",
            "!!python/object/apply:os.system [id]", "@x",
            "'",
        ]
        for title in titles {
            _ = try world.new(
                "<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](file:///etc/passwd) [c](//evil.org)"
                    + " [d](https://example.org)\n",
                "--title=" + title,
                "--tag=" + title, "--notebook=nb")
        }
        try world.export("html", "page.html")
        let page = try String(contentsOfFile: world.path("page.html"), encoding: .utf8)
        for bad in ["<script", "<img src=x"] { #expect(!page.contains(bad), "\(bad)") }
        // It was laid out, not given up as plain text, and of its links one leads somewhere.
        #expect(page.contains("<a href=\"https://example.org\">") && page.contains("<code>&lt;img src=x"))
        #expect(page.components(separatedBy: "href=").count == titles.count + 1)
        #expect(
            page.contains("default-src 'none'") && page.contains("&lt;script&gt;") && page.contains("&lt;img src=x"))
        try world.export("markdown", "m")
        #expect(try ExportedFolder(world.path("m")).notes.count == titles.count)
        guard try Command.run(["/usr/bin/python3", "-c", "import yaml"], environment: [:]).code == 0 else { return }
        let read = try Command.run(
            ["/usr/bin/python3", "-c", Self.readFrontMatter, world.path("m")],
            environment: ["PYTHONIOENCODING": "utf-8"])
        #expect(read.code == 0, "\(read.err)")
        let found = try JSON(text: read.text)
        #expect(Set(found.array.compactMap { $0["title"].string }) == Set(titles))
        for note in found.array {
            #expect(
                note.names.isSubset(of: ["title", "created", "updated", "tags", "id"]) && note["tags"].array.count == 1)
        }
    }

    private static let readFrontMatter = """
        import sys, yaml, json, os
        found = []
        for folder, _, names in os.walk(sys.argv[1]):
            for name in names:
                text = open(os.path.join(folder, name), encoding='utf-8').read()
                assert text.startswith('---\\n'), name
                found.append(yaml.safe_load(text.split('\\n---\\n')[0][4:]))
        print(json.dumps(found, default=str))
        """
}
