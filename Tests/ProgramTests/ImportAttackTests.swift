// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Sources that somebody else made, against the real programs.
@Suite struct ImportAttackTests {
    @Test func H01NamesOfImportedFilesStayNames() throws {
        let world = try VaultWorld()
        // In a tar every path is anybody's.
        try world.put("maker.py", Self.maker)
        try world.system("python3", [world.path("maker.py"), "names", world.path("evil.jex")])
        try world.put("outside.txt", "untouched")
        let finished = try world.imported("joplin", "evil.jex")
        #expect(finished.code == 12)
        let codes = Set(try JSON(finished)["losses"].array.compactMap { $0["code"].string })
        #expect(codes.isSuperset(of: ["unsafePath", "symbolicLink", "hardLink", "specialFile"]), "\(codes)")
        #expect(try world.tally(finished)[0] == 1)
        for row in try JSON(world.vault("attach", "ls", "Trip", "--json"))["attachments"].array {
            let name = try #require(row["name"].string)
            #expect(
                !name.contains("/") && !name.contains("\\") && !name.hasPrefix(".") && !name.hasPrefix("-")
                    && name.utf8.count <= 255)
            // The text follows the name.
            #expect(try world.vault("cat", "Trip").text.contains("(att:\(name))"), "\(name)")
        }
        #expect(try JSON(world.vault("attach", "ls", "Trip", "--json"))["attachments"].array.count == 4)
        #expect(try String(contentsOfFile: world.path("outside.txt"), encoding: .utf8) == "untouched")
        #expect(try world.vault("check").code == 0)
    }

    @Test func H03LinksInTheSourceAreNeverFollowed() throws {
        let world = try VaultWorld()
        try world.put("secret/private.md", "do-not-read")
        try world.put("v/note.md", "![[stolen.png]] and ![x](folder/private.md) and [y](stolen.png)\n")
        unsafe symlink(world.path("secret/private.md"), world.path("v/stolen.png"))
        unsafe symlink(world.path("secret"), world.path("v/folder"))
        unsafe symlink("/etc/hostname", world.path("v/host.md"))
        for format in ["obsidian", "markdown"] {
            let finished = try world.imported(format, "v")
            #expect(finished.code == 12)
            let links = try JSON(finished)["losses"].array.filter { $0["code"].string == "symbolicLink" }.compactMap {
                $0["path"].string
            }
            #expect(Set(links) == ["stolen.png", "folder", "host.md"])
            #expect(try world.tally(finished) == [1, 0, 0, 0])
        }
        #expect(try world.vault("search", "do-not-read").text.isEmpty)
        #expect(world.objectCount == 0)
    }

    @Test func H07ABombIsGivenUpAndLeavesNothing() throws {
        let world = try VaultWorld()
        try world.put("maker.py", Self.maker)
        try world.system("python3", [world.path("maker.py"), "bomb", world.path("bomb.zip")])
        let finished = try world.imported("standardnotes", "bomb.zip")
        #expect(finished.code == 12)
        #expect(try JSON(finished)["losses"].array.contains { $0["code"].string == "bomb" }, "\(finished.text)")
        #expect(try world.tally(finished) == [0, 0, 0, 0])
        #expect(world.objectCount == 0)
    }

    @Test func H08NothingThatIsNoExportIsTakenForOne() throws {
        let world = try VaultWorld()
        var bytes: [UInt8] = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        for format in ["joplin", "standardnotes", "enex", "jrnl"] {
            try world.put("noise", bytes)
            let noise = try world.imported(format, "noise")
            #expect(noise.code == 12 || (format == "jrnl" && noise.code == 0), "\(format): \(noise.code) \(noise.err)")
            // Lengths that lie, in the place where a tar has them.
            bytes.replaceSubrange(124..<136, with: Array("77777777777\0".utf8))
            bytes.replaceSubrange(257..<262, with: Array("ustar".utf8))
        }
        try world.put("empty", "")
        for format in ["joplin", "standardnotes", "enex"] {
            #expect(try world.imported(format, "empty").code == 12, "\(format)")
        }
        #expect(world.objectCount == 0)
        #expect(try world.vault("check").code == 0)
    }

    @Test func H08AFileThatEndsTooEarlyGivesNothingThatItDoesNotHold() throws {
        let world = try VaultWorld()
        try world.put("maker.py", Self.maker)
        try world.system("python3", [world.path("maker.py"), "plain", world.path("whole.jex")])
        let whole = try Array(Data(contentsOf: URL(fileURLWithPath: world.path("whole.jex"))))
        for count in [1, 511, 700, 2100] {
            try world.put("cut.jex", Array(whole[0..<count]))
            #expect(try world.imported("joplin", "cut.jex").code == 12, "\(count) bytes")
        }
        #expect(world.objectCount == 0)
        // The longest of them held the note, and nothing of its file.
        #expect(try world.tally(world.imported("joplin", "whole.jex")) == [0, 1, 0, 1])
    }

    /// Archives that no program of good will writes.
    private static let maker = """
        import io, sys, tarfile, zipfile
        kind, target = sys.argv[1:]
        if kind == "bomb":
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as z:
                with z.open("Standard Notes Backup and Import File.txt", "w", force_zip64=True) as f:
                    f.write(b'{"version":"004","items":[')
                    for _ in range(40): f.write(b" " * (1 << 20))
            sys.exit()
        def note(t, names):
            body = "\\n".join("![x](:/%032x)" % (n + 16) for n in range(len(names)))
            def add(path, text, type=tarfile.REGTYPE, link=""):
                i = tarfile.TarInfo(path); b = text.encode(); i.size = len(b) if type == tarfile.REGTYPE else 0
                i.type = type; i.linkname = link; t.addfile(i, io.BytesIO(b))
            add("a" * 32 + ".md", "Trip\\n\\n%s\\n\\nid: %s\\nparent_id: \\ntype_: 1" % (body, "a" * 32))
            for n, name in enumerate(names):
                add("%032x.md" % (n + 16), "%s\\n\\nid: %032x\\nmime: image/png\\nfile_extension: png\\ntype_: 4" % (name, n + 16))
                add("resources/%032x.png" % (n + 16), "content %d" % n)
            if len(names) > 1:
                add("../outside.txt", "evil")
                add("/tmp/vault-evil.txt", "evil")
                add("link.md", "", tarfile.SYMTYPE, "/etc/passwd")
                add("hard.md", "", tarfile.LNKTYPE, "a" * 32 + ".md")
                add("pipe.md", "", tarfile.FIFOTYPE)
        names = ["../../outside.txt", "-rf ..", "CON.txt", "x" * 300 + ".png"] if kind == "names" else ["map.png"]
        with tarfile.open(target, "w", format=tarfile.GNU_FORMAT) as t: note(t, names)
        """
}
