// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// Threats of ThreatModel/README.md to the everyday commands.
@Suite struct EverydayAttackTests {
    @Test func A15NothingInTheVaultsFolderIsReadAsASetting() throws {
        let world = try VaultWorld()
        let note = try world.new("text")
        for name in ["config.toml", "notevault/config.toml", ".config/notevault/config.toml"] {
            let path = world.directory + "/" + name
            try FileManager.default.createDirectory(
                atPath: String(path.prefix(upTo: path.lastIndex(of: "/")!)), withIntermediateDirectories: true)
            try Data("editor = \"touch \(world.path("ran"))\"\npager = \"touch \(world.path("ran"))\"\n".utf8).write(
                to: URL(fileURLWithPath: path))
        }
        for command in [["config", "get", "editor"], ["show", note], ["config", "ls"]] {
            #expect(try !world.vault(command).text.contains("touch"))
        }
        // Not even when somebody points the settings' place at it.
        world.environment["XDG_CONFIG_HOME"] = world.directory
        expectRefusal(try world.vault("config", "ls"), 11)
        expectRefusal(try world.vault("show", note), 11)
        #expect(!FileManager.default.fileExists(atPath: world.path("ran")))
    }

    @Test func A15SettingsThatOthersCanWriteAreRefused() throws {
        let world = try VaultWorld()
        try world.makeFolder("home/.config")
        try world.makeFolder("home/.config/notevault")
        let file = try world.write("home/.config/notevault/config.toml", "editor = \"vim\"\n")
        #expect(try world.vault("config", "get", "editor").text == "vim\n")
        unsafe chmod(file, 0o622)
        expectRefusal(try world.vault("config", "get", "editor"), 11)
        // Locking works whatever the settings are.
        #expect(try world.vault("lock").code == 0)
    }

    @Test(arguments: [
        "vim; touch RAN", "$(touch RAN)", "`touch RAN`", "sh -c 'touch RAN' |", "touch${IFS}RAN", "vim\ntouch RAN",
    ])
    func E10ShellCharactersInAnEditorAreLettersOfAName(command: String) throws {
        let world = try VaultWorld()
        let note = try world.new("text")
        let ran = world.path("ran")
        world.environment["TERM"] = "xterm"
        for variable in ["VISUAL", "EDITOR", "PAGER", "NOTEVAULT_PAGER"] {
            world.environment[variable] = command.replacing("RAN", with: ran)
            if variable.hasSuffix("PAGER") {
                _ = try world.shown("show", note)
            } else {
                let session = try world.terminal("edit", note, "--yes")
                // "vim; touch" is vim with two files, or no program at all: never a second command.
                for keys in ["\u{1B}:qa!\r", "\u{1B}:qa!\r"] { try? session.typeSlowly(keys) }
                _ = try session.finish()
            }
            world.environment[variable] = nil
            #expect(!FileManager.default.fileExists(atPath: ran), "\(variable)")
        }
        #expect(try world.vault("cat", note).text == "text")
    }

    @Test func G06NoPagerKeepsAHistory() throws {
        guard Programs.system("less") != nil else { return }
        let world = try VaultWorld()
        let note = try world.new((0..<100).map { "line \($0)" }.joined(separator: "\n"))
        world.environment["TERM"] = "xterm"
        world.environment["LESS"] = "-R"
        let session = try world.terminal("show", note)
        try session.typeSlowly("/line 50\r")
        // No shell either: secure mode.
        try session.typeSlowly("!")
        try session.typeSlowly("\r")
        try session.typeSlowly("q")
        #expect(try session.finish() == 0)
        #expect(session.transcript.contains("Command not available"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: world.path("home")).filter { $0.contains("less") }
                .isEmpty)
    }

    @Test func G05NoCommandPromisesToShred() throws {
        let world = try VaultWorld(prepared: false)
        for page in [
            ["help"], ["help", "rm"], ["help", "trash", "empty"], ["help", "gc"], ["help", "draft", "discard"],
            ["about"],
        ] {
            let text = try world.vault(page).text.lowercased()
            for word in ["shred", "wipe", "securely", "unrecoverable", "overwritten"] {
                #expect(!text.contains(word), "\(page): \(word)")
            }
        }
    }

    /// The text goes to a tool by a pipe, is marked as a secret where the tool can, and is only cleared while it is
    /// still ours.
    @Test(arguments: [false, true]) func G04TheClipboardIsClearedOnlyWhileItHoldsTheNote(isReplaced: Bool) throws {
        let world = try VaultWorld()
        let note = try world.new("secret words")
        try world.makeFolder("tools")
        let board = world.path("board")
        try world.write(
            "tools/wl-copy",
            """
            #!/bin/sh
            echo "$@" >> \(world.path("calls"))
            case "$1" in --version) echo "wl-clipboard 2.3.0"; exit;; --help) echo "  --sensitive  mark"; exit;; --clear) : > \(board); exit;; esac
            cat > \(board)
            """)
        try world.write("tools/wl-paste", "#!/bin/sh\ncat \(board)\n")
        for name in ["wl-copy", "wl-paste"] { unsafe chmod(world.path("tools/" + name), 0o700) }
        world.environment["PATH"] = world.path("tools") + ":/usr/bin:/bin"
        world.environment["WAYLAND_DISPLAY"] = "wayland-0"
        try world.require(world.vault("config", "set", "clipboard.clear", "1s"))
        let shared = try world.require(world.vault("share", note, "--to", "clip", "--allow-disk-temp"))
        #expect(shared.err.contains("cleared"))
        #expect(try String(contentsOfFile: board, encoding: .utf8) == "secret words")
        let calls = try String(contentsOfFile: world.path("calls"), encoding: .utf8)
        #expect(calls.contains("--sensitive") && !calls.contains("secret words"))
        if isReplaced { try world.write("board", "something else") }
        usleep(2_500_000)
        #expect(try String(contentsOfFile: board, encoding: .utf8) == (isReplaced ? "something else" : ""))
    }

    @Test func G04TheTerminalsClipboardIsNeverUsedUnasked() throws {
        let world = try VaultWorld()
        let note = try world.new("secret words")
        world.environment["TERM"] = "xterm"
        let session = try world.terminal("share", note, "--to", "clip")
        #expect(try session.finish() != 0)
        #expect(!session.transcript.contains("]52;"))
        let asked = try world.terminal("share", note, "--to", "clip", "--osc52")
        #expect(try asked.finish() == 0)
        #expect(asked.transcript.contains("\u{1B}]52;c;c2VjcmV0IHdvcmRz"))
    }

    @Test func G01ALinkCannotLeaveItsSequence() throws {
        let world = try VaultWorld()
        world.environment["TERM"] = "xterm"
        let hostile =
            "https://x.org/\u{7}\u{1B}\\\u{1B}]8;;https://evil.example\u{1B}\\a\u{9C}b [[x\u{1B}]0;t\u{7}]] mailto:a@x.org\u{202E}"
        let note = try world.new(hostile)
        for command in ["show", "links", "history", "diff"] {
            let shown = try world.shown(command, note)
            // Every sequence that is there is one of ours: colours, and links whose address has no control in it.
            let rest = shown.replacing(/\e\[[0-9;]*m/, with: "").replacing(/\e\]8;;[!-~]*\e\\/, with: "")
            #expect(
                !rest.unicodeScalars.contains {
                    $0.value == 0x1B || $0.value == 7 || (0x80...0x9F).contains($0.value) || $0.value == 0x202E
                },
                "\(command): \(rest.debugDescription)")
            // An address that stands in the text leads where it says.
            for match in shown.matches(of: /\e\]8;;([!-~]+)\e\\([^\e]*)\e/) {
                #expect(match.output.1 == match.output.2 || match.output.1.hasSuffix(match.output.2))
            }
        }
    }
}
