// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// An edit leaves nothing behind, whatever the user's own editor settings say: ThreatModel G02 and G03.
@Suite(.enabled(if: SystemTrace.isPermitted, "strace is missing, or tracing is not permitted here"))
struct EditTraceTests {
    /// Settings that would copy the text: swap, backup, undo and history files in the home folder.
    private func makeHostileHome(_ world: VaultWorld) throws {
        for folder in ["copies", ".config", ".config/nvim", ".config/micro", ".config/kak", ".config/helix"] {
            try world.makeFolder("home/" + folder)
        }
        let home = world.path("home")
        let vim = """
            set swapfile backup writebackup undofile updatecount=1 history=1000
            set directory=\(home)/copies backupdir=\(home)/copies undodir=\(home)/copies
            set viminfo='1000,<1000,s1000,h,n\(home)/copies/viminfo
            """
        try world.write("home/.vimrc", vim)
        try world.write("home/.config/nvim/init.vim", vim.split(separator: "\n").prefix(2).joined(separator: "\n"))
        try world.write(
            "home/.nanorc", "set backup\nset backupdir \"\(home)/copies\"\nset historylog\nset positionlog\n")
        try world.write(
            "home/.config/micro/settings.json",
            "{\"backup\": true, \"permbackup\": true, \"saveundo\": true, \"savecursor\": true, \"savehistory\": true, \"backupdir\": \"\(home)/copies\"}"
        )
        try world.write("home/.config/kak/kakrc", "set-option global autoreload yes\n")
        try world.write(
            "home/.config/helix/config.toml", "[editor]\nauto-save = true\nauto-completion = true\n")
        try world.write(
            "home/.emacs",
            "(setq backup-directory-alist '((\".\" . \"\(home)/copies\")) auto-save-interval 20 make-backup-files t)\n(savehist-mode 1)(recentf-mode 1)"
        )
    }

    private static let editors: [(name: String, keys: [String])] = [
        ("vim", ["ggOMARK \u{1B}", ":w\r", "yyp:wq\r"]), ("nano", ["MARK ", "\u{0F}\r", "\u{18}"]),
        ("nvim", ["ggOMARK \u{1B}", ":w\r", "yyp:wq\r"]),
        ("emacs", ["MARK ", "\u{18}\u{13}", "\u{18}\u{3}"]),
        // What is looked for is a history, what is not saved a backup after eight seconds.
        ("micro", ["MARK ", "\u{13}", "\u{06}MARK\r", "MARK ", "WAIT", "\u{13}\u{11}"]),
        ("kak", ["iMARK \u{1B}", ":w\r", "xyP:wq\r"]), ("hx", ["WAIT", "iMARK \u{1B}", ":w\r", "xyp:wq\r"]),
    ]

    @Test(arguments: editors.map(\.name)) func G02AnEditorWritesNoCopyOutsideOfItsFolderInMemory(name: String) throws {
        guard Programs.system(name) != nil, let editor = Self.editors.first(where: { $0.name == name }) else { return }
        let world = try VaultWorld()
        try makeHostileHome(world)
        let marker = "quoll\(world.root.suffix(6))"
        let note = try world.new("text to edit")
        world.environment["EDITOR"] = name
        world.environment["TERM"] = "xterm"
        let trace = world.path("edit.trace")
        let session = try TerminalSession(
            SystemTrace.command(output: trace) + [Programs.path("vault"), "edit", note, "--yes"],
            environment: world.environment)
        for keys in editor.keys {
            guard keys != "WAIT" else {
                sleep(9)
                continue
            }
            try session.typeSlowly(keys.replacing("MARK", with: marker))
        }
        #expect(try session.finish() == 0, "\(session.lastScreen)")
        #expect(try world.vault("cat", note).text.contains(marker))
        try expectNoMarker(world, trace, marker)
        // Copies that are not the text as it stands: undo histories hold it in pieces.
        for folder in ["copies", ".config/micro/buffers", ".config/micro/backups"] {
            #expect(FileManager.default.subpaths(atPath: world.path("home/" + folder)) ?? [] == [], "\(folder)")
        }
    }

    @Test func G02AKilledEditorLeavesNothingInMemory() throws {
        guard Programs.system("vim") != nil else { return }
        let world = try VaultWorld()
        try makeHostileHome(world)
        let marker = "potoroo\(world.root.suffix(6))"
        let note = try world.new("text to edit")
        world.environment["EDITOR"] = "vim"
        world.environment["TERM"] = "xterm"
        let session = try world.terminal("edit", note, "--yes")
        try session.typeSlowly("ggO\(marker)\u{1B}")
        try session.typeSlowly(":w\r")
        try session.typeSlowly("yyp")
        let children = try ProcFile.text(session.pid, "task/\(session.pid)/children")
        for pid in children.split(separator: " ").compactMap({ pid_t($0) }) { kill(pid, SIGKILL) }
        session.kill(SIGKILL)
        _ = try session.finish()
        #expect(try world.vault("ls").err.contains("1 recovered draft"))
        #expect(try world.require(world.vault("draft", "show", note)).text.contains(marker))
        try expectNoMarker(world, nil, marker)
    }

    private func expectNoMarker(_ world: VaultWorld, _ trace: String?, _ marker: String) throws {
        if let trace {
            var sawMarker = false
            for call in try SystemTrace.calls(in: trace) where call.text.contains(marker) {
                sawMarker = true
                // The tests' runtime directory stands for the one on tmpfs.
                #expect(
                    !call.reachesADisk(besides: world.path("run")) || call.file?.contains("/dev/pts") == true,
                    "\(call.text.prefix(300))")
            }
            #expect(sawMarker, "the trace holds what the editor wrote")
        }
        let names = FileManager.default.subpaths(atPath: world.path("run")) ?? []
        #expect(!names.contains { $0.contains("edit-") }, "\(names)")
        for folder in ["home", "run", "state", "vault"] {
            for name in FileManager.default.subpaths(atPath: world.path(folder)) ?? [] {
                guard let bytes = try? ProcFile.bytes(world.path(folder) + "/" + name) else { continue }
                #expect(!ByteSearch.contains(Array(marker.utf8), in: bytes), "\(folder)/\(name)")
            }
        }
        // Where the runtime directory is no tmpfs the folder lies here, beside those of edits that other tests run.
        let memory = "/dev/shm/notevault-\(getuid())"
        for name in FileManager.default.subpaths(atPath: memory) ?? [] {
            guard let bytes = try? ProcFile.bytes(memory + "/" + name) else { continue }
            #expect(!ByteSearch.contains(Array(marker.utf8), in: bytes), "\(name)")
        }
    }

    @Test func aWindowThatChangesItsSizeIsTheEditors() throws {
        guard Programs.system("vim") != nil else { return }
        let world = try VaultWorld()
        let note = try world.new("x")
        world.environment["EDITOR"] = "vim"
        world.environment["TERM"] = "xterm"
        let session = try world.terminal("edit", note, "--yes")
        session.waitForQuiet(seconds: 0.5)
        session.resize(columns: 61)
        try session.typeSlowly(":call setline(1, &columns)\r")
        // Ctrl-C is the editor's too.
        try session.typeSlowly("\u{3}")
        try session.typeSlowly(":wq\r")
        #expect(try session.finish() == 0)
        #expect(try world.vault("cat", note).text == "61\n")
    }
}
