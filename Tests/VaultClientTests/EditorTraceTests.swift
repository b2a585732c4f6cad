// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Foundation
import Glibc
import Testing

@testable import VaultClient

// One after the other with the other sessions: a session changes what signals do to the whole process.
extension EditorSessionTests {
    /// Real editors in a terminal, with settings that turn on every copy they know, under strace(1).
    @Suite(.enabled(if: EditorStage.canTrace, "strace is not installed or not permitted"))
    struct EditorTraceTests {
        private static let mark = EditorStage.marker

        /// Types a line, saves, copies it, searches, filters the text through a program, saves and quits.
        private static let vimSteps: [EditorStage.Step] = [
            (mark + "0", "o\(mark)1\u{1B}:w\r"), ("written", "yyp"), ("\(mark)1", "/\(mark)\r"), (mark, ":%!cat\r"),
            ("filtered", ":wq\r"),
        ]
        private static let vimText = "first \(mark)0\n\(mark)1\n\(mark)1\nsecond\n vim: set undofile swapfile:\n"

        /// - Returns: how it ended, what was journalled last, the files that got a copy, and what is left of the
        ///   folder.
        private func edit(
            _ program: String, _ kind: EditorKind, _ steps: [EditorStage.Step]
        ) throws -> (result: EditResult, journalled: String?, leaks: [String], isGone: Bool) {
            let stage = try EditorStage()
            let folder = try EditFolder.make(allowsDisk: false)
            defer { folder.remove() }
            let given = Array(EditorStage.text.utf8)
            try folder.create(name: "note.md", text: given)
            let choice = try stage.choice(program, kind)
            stage.play(steps)
            var journalled: String?
            let result = try EditorSession.run(choice: choice, folder: folder, file: "note.md", given: given) { text in
                journalled = String(decoding: text, as: UTF8.self)
            }
            let leaks = try stage.leaks(besides: folder.path)
            folder.remove()
            return (result, journalled, leaks, unsafe access(folder.path, F_OK) != 0)
        }

        private func text(_ result: EditResult) -> String? {
            guard case .finished(let text?) = result else { return nil }
            return String(decoding: text, as: UTF8.self)
        }

        @Test(.enabled(if: EditorStage.has("vim"))) func G02vimWritesNoCopyOutsideItsFolder() throws {
            let edit = try edit("vim", .vim, Self.vimSteps)
            #expect(text(edit.result) == Self.vimText)
            #expect(edit.journalled != nil)
            #expect(edit.leaks == [])
            #expect(edit.isGone)
        }

        @Test(.enabled(if: EditorStage.has("vim"))) func theSameSettingsWithoutOurSwitchesLeaveCopies() throws {
            let leaks = try edit("vim", .unknown, Self.vimSteps).leaks
            for place in ["/.viminfo", "/sw/", "/un/"] { #expect(leaks.contains { $0.contains(place) }, "\(place)") }
        }

        @Test(.enabled(if: EditorStage.has("vim"))) func G02aKilledVimLeavesWhatWasTypedAndNothingElse() throws {
            let edit = try edit(
                "vim", .vim,
                [
                    (Self.mark + "0", "o\(Self.mark)1\u{1B}:w\r"),
                    ("written", "o\(Self.mark)2 never saved\u{1B}:%!cat\r"),
                    ("filtered", ":call system('kill -9 ' . getpid())\r"),
                ])
            let saved =
                "first \(Self.mark)0\n\(Self.mark)1\n\(Self.mark)2 never saved\nsecond\n vim: set undofile swapfile:\n"
            #expect(edit.result == .killed(signal: SIGKILL, last: Array(saved.utf8)))
            #expect(edit.journalled != nil)
            #expect(edit.leaks == [])
            #expect(edit.isGone)
        }

        @Test(.enabled(if: EditorStage.has("nvim"))) func G02neovimWritesNoCopyOutsideItsFolder() throws {
            let edit = try edit("nvim", .neovim, Self.vimSteps)
            #expect(text(edit.result) == Self.vimText)
            #expect(edit.journalled != nil)
            #expect(edit.leaks == [])
            #expect(edit.isGone)
        }

        @Test(.enabled(if: EditorStage.has("nano"))) func G02nanoWritesNoCopyOutsideItsFolder() throws {
            let edit = try edit(
                "nano", .nano,
                [
                    (Self.mark, "\(Self.mark)1 \u{0F}"), ("File Name to Write", "\r"),
                    ("Wrote", "\u{17}\(Self.mark)\r"),
                    (Self.mark, "\u{0B}\(Self.mark)2\u{0F}"),
                    ("File Name to Write", "\r"), ("Wrote", "\u{18}"),
                ])
            #expect(text(edit.result)?.contains(Self.mark + "2") == true)
            #expect(edit.journalled != nil)
            #expect(edit.leaks == [])
            #expect(edit.isGone)
        }

        @Test(.enabled(if: EditorStage.has("emacs"))) func G02emacsWritesNoCopyOutsideItsFolder() throws {
            let edit = try edit(
                "emacs", .emacs,
                [
                    (Self.mark + "0", "\(Self.mark)1 \u{18}\u{13}"), ("Wrote", "\u{13}\(Self.mark)\r"),
                    ("I-search", "\u{0B}\(Self.mark)2 \u{18}\u{13}"),
                    ("Wrote", "\u{18}\u{03}"),
                ])
            #expect(text(edit.result)?.contains(Self.mark + "2") == true)
            #expect(edit.journalled != nil)
            #expect(edit.leaks == [])
            #expect(edit.isGone)
        }
    }
}
