// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Glibc
import Testing
import VaultTesting

@testable import VaultClient

struct EditorChoiceTests {
    private let folder = TemporaryFolder()

    private func program(_ name: String) {
        folder.write(Array("#!/bin/sh\n".utf8), to: name)
        unsafe chmod(folder.path + "/" + name, 0o700)
    }

    private func find(_ variables: [String: String] = [:], configured: String? = nil, allowsUnknown: Bool = false)
        throws -> EditorChoice
    {
        try EditorChoice.find(configured: configured, allowsUnknown: allowsUnknown) {
            $0 == "PATH" ? folder.path : variables[$0]
        }
    }

    private func refusal(_ variables: [String: String] = [:]) -> Outcome? {
        do {
            _ = try find(variables)
            return nil
        } catch {
            return (error as? ClientFailure)?.outcome
        }
    }

    @Test func visualComesBeforeEditorAndEditorBeforeTheSetting() throws {
        for name in ["vim", "nano", "nvim", "emacs"] { program(name) }
        let variables = ["VISUAL": "nano", "EDITOR": "nvim"]
        #expect(try find(variables, configured: "emacs -q").kind == .nano)
        #expect(try find(["VISUAL": " \t", "EDITOR": "nvim"], configured: "emacs -q").kind == .neovim)
        #expect(try find(["EDITOR": ""], configured: "emacs -q").kind == .emacs)
    }

    @Test func withoutAChoiceTheFirstKnownEditorIsTaken() throws {
        #expect(refusal()?.message == "no editor was found")
        program("vi")
        #expect(try find().path == folder.path + "/vi")
        program("nano")
        #expect(try find().path == folder.path + "/nano")
        program("ed")
        folder.link("editor", to: "ed")
        #expect(try find().path == folder.path + "/nano", "nobody asked for the unknown one")
        #expect(try find(allowsUnknown: true).kind == .nano)
    }

    @Test func linksAreFollowedToTheProgramThatIsMeant() throws {
        program("vim.basic")
        folder.link("alternative", to: folder.path + "/vim.basic")
        folder.link("editor", to: "alternative")
        folder.link("gvim", to: "vim.basic")
        let choice = try find()
        #expect(choice.kind == .vim)
        #expect(choice.path == folder.path + "/editor", "it is called by the name that was chosen")
        #expect(refusal(["EDITOR": "gvim"])?.code == .usage, "it would open a window")
    }

    @Test(
        arguments: [
            ("vi", "vim.tiny", .vim), ("rvim", "vim.basic", .vim), ("view", "vim.basic", .unknown),
            ("ex", "vim.basic", .unknown),
            ("evim", "vim.gtk3", .unknown), ("vimdiff", "vim.basic", .unknown), ("vim", "vim.gtk3", .vim),
            ("nvim", "nvim", .neovim),
            ("vi", "nvi", .unknown), ("rnano", "nano", .nano), ("emacs", "emacs-nox", .emacs),
            ("emacs", "emacs28", .emacs),
            ("emacs", "emacsclient.emacs", .unknown), ("emacs", "emacsclient", .unknown), ("vi", "busybox", .busybox),
            ("ed", "busybox", .unknown),
            ("vim", "vimx-wrapper", .unknown), ("", "", .unknown),
        ] as [(String, String, EditorKind)])
    func kindsAreKnownByTheirNames(_ name: String, _ program: String, _ kind: EditorKind) {
        #expect(EditorKind(name: name, program: program) == kind)
    }

    @Test func anUnknownEditorIsRefusedWithTheReason() throws {
        program("joe")
        let outcome = refusal(["EDITOR": "joe -x"])
        #expect(outcome?.code == .usage)
        #expect(outcome?.message.contains("may keep copies of the text (swap, backup, undo and history files)") == true)
        #expect(outcome?.hint == "EDITOR=nano, vim, nvim, emacs, micro, kak or hx; or --allow-unknown-editor")
        let choice = try find(["EDITOR": "joe -x"], allowsUnknown: true)
        #expect(choice.command(file: "n", folder: "/f") == [folder.path + "/joe", "-x", "/f/n"])
    }

    @Test(arguments: ["vim '", "vim \\", "nowhere", "./vim", "''"])
    func whatCannotBeRunIsRefused(_ command: String) {
        program("vim")
        #expect(refusal(["EDITOR": command])?.code == .usage)
    }

    @Test func aFolderOrAPlainFileInPathIsNoEditor() {
        folder.make("nano")
        folder.write([], to: "vi")
        #expect(refusal()?.message == "no editor was found")
    }

    @Test(arguments: [
        "vim -w /tmp/keys", "vim -W x", "vim --", "vim -i x", "vim -V9x", "vim --log x", "vim -c", "vim -g", "vim -r",
        "vim other.md",
        "nvim --listen x",
        "nano -H", "nano -Px", "nano -C /tmp", "nano -lB", "nano --hist", "nano --rcfile=x", "nano -f x",
        "emacs --daemon", "emacs -t /dev/tty2",
        "emacs x",
    ])
    func argumentsThatWriteElsewhereAreRefused(_ command: String) throws {
        for name in ["vim", "nvim", "nano", "emacs"] { program(name) }
        let outcome = refusal(["EDITOR": command])
        #expect(outcome?.code == .usage)
        #expect(outcome?.hint == "leave it out, or --allow-unknown-editor")
        #expect(throws: Never.self) { try find(["EDITOR": command], allowsUnknown: true) }
    }

    @Test(arguments: [
        "vim -X -c 'set tw=72' +5", "vim -u NONE -S ~/mine.vim", "nvim --clean --cmd 'set list'", "nano -lT 4",
        "nano --tabsize=4 -w +3,2",
        "emacs -q -nw --eval '(menu-bar-mode -1)'",
    ])
    func argumentsThatChangeOnlyTheEditorAreTaken(_ command: String) throws {
        for name in ["vim", "nvim", "nano", "emacs"] { program(name) }
        #expect(throws: Never.self) { try find(["EDITOR": command]) }
    }

    @Test func ourSwitchesComeBeforeThePersonsAndTheFileIsLast() throws {
        program("vim")
        let command = try find(["EDITOR": "vim -X"]).command(file: "note.md", folder: "/run/f")
        #expect(command[0...3] == [folder.path + "/vim", "-n", "-i", "NONE"])
        #expect(command.suffix(2) == ["-X", "/run/f/note.md"])
    }

    @Test func variablesOfOursStayWithUs() {
        let kept = EditorEnvironment.filtered([
            "NOTEVAULT_ASKPASS=a", "VAULT_PASSWORD=p", "HOME=/h", "TMPDIR=/var/tmp", "TERM=xterm", "odd",
        ])
        #expect(kept == ["HOME=/h", "TERM=xterm", "odd"])
    }
}
