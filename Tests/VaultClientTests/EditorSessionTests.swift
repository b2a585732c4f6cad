// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Glibc
import Testing
import VaultTesting

@testable import VaultClient

/// Sessions with small shell scripts as editors. Each gets its file as the first argument.
@Suite(.serialized)
struct EditorSessionTests {
    private let scripts = TemporaryFolder()
    private let folder: EditFolder
    private let given = Array("given text".utf8)

    init() throws {
        folder = try EditFolder.make(allowsDisk: false)
        try folder.create(name: "note.md", text: given)
    }

    /// - Returns: how it ended, and what was journalled.
    private func run(_ script: String, journal: ([UInt8]) throws(ClientFailure) -> Void = { _ in }) throws -> (
        EditResult, [String]
    ) {
        defer { folder.remove() }
        scripts.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "editor")
        // Read by a shell, and not executed: another test that starts a program at this moment may have the file open
        // for writing until that program runs.
        let choice = EditorChoice(path: "/bin/sh", arguments: [scripts.path + "/editor"], kind: .unknown)
        var journalled: [String] = []
        let result = try EditorSession.run(choice: choice, folder: folder, file: "note.md", given: given) {
            text throws(ClientFailure) in
            try journal(text)
            journalled.append(String(decoding: text, as: UTF8.self))
        }
        return (result, journalled)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func eachSaveIsHandedOverOnceWhileTheEditorRuns() throws {
        let (result, journalled) = try run(
            """
            printf one > "$1"; sleep 0.2; printf one > "$1"; sleep 0.2
            printf two > "$1.new"; mv "$1.new" "$1"; sleep 0.2
            mv "$1" "$1~"; printf three > "$1"; rm "$1~"; sleep 0.2
            printf beside > "$1.other"; sleep 0.2
            """)
        #expect(result == .finished(bytes("three")))
        #expect(journalled == ["one", "two", "three"])
    }

    @Test func anUnchangedTextIsNotHandedOver() throws {
        let (result, journalled) = try run("cat \"$1\" > \"$1.new\"; mv \"$1.new\" \"$1\"; sleep 0.2")
        #expect(result == .finished(given))
        #expect(journalled.isEmpty)
    }

    @Test func aFileThatIsRemovedIsToldApartFromAnEmptyOne() throws {
        #expect(try run("rm \"$1\"").0 == .finished(nil))
    }

    @Test func anEmptyFileIsAText() throws { #expect(try run(": > \"$1\"").0 == .finished([])) }

    @Test func theExitCodeIsTold() throws {
        #expect(try run("printf one > \"$1\"; exit 3").0 == .failed(code: 3, last: bytes("one")))
    }

    @Test func aKilledEditorLeavesItsLastSave() throws {
        let (result, journalled) = try run("printf one > \"$1\"; sleep 0.3; kill -9 $$")
        #expect(result == .killed(signal: SIGKILL, last: bytes("one")))
        #expect(journalled == ["one"])
    }

    @Test func aSaveJustBeforeTheKillIsNotLost() throws {
        #expect(try run("printf one > \"$1\"; kill -9 $$").0 == .killed(signal: SIGKILL, last: bytes("one")))
    }

    @Test(arguments: ["head -c 8192 /dev/zero >&4;", "printf 'given' >&4;", ""])
    func aSaveThatWasCutOffDoesNotReplaceTheOneBefore(_ writes: String) throws {
        let (result, journalled) = try run(
            "printf 'given text, longer' > \"$1\"; sleep 0.3; exec 4> \"$1\"; \(writes) sleep 0.2; kill -9 $$")
        #expect(result == .killed(signal: SIGKILL, last: bytes("given text, longer")))
        #expect(journalled == ["given text, longer"], "half a text is never journalled")
    }

    @Test func aJournalThatFailsIsTriedAgainAtTheNextSave() throws {
        var isDown = true
        let (result, journalled) = try run("printf one > \"$1\"; sleep 0.3; printf two > \"$1\"; sleep 0.3") {
            _ throws(ClientFailure) in
            defer { isDown = false }
            if isDown { throw ClientFailure(.other, "down") }
        }
        #expect(result == .finished(bytes("two")))
        #expect(journalled == ["two"])
    }

    @Test func whenAskedToEndTheEditorMaySaveOnceMore() throws {
        var isFirst = true
        let (result, journalled) = try run(
            "trap 'printf last > \"$1\"; exit 1' TERM; printf one > \"$1\"; while :; do sleep 0.05; done"
        ) { _ throws(ClientFailure) in
            if isFirst { pthread_kill(pthread_self(), SIGTERM) }
            isFirst = false
        }
        #expect(result == .terminated(last: bytes("last")))
        #expect(journalled == ["one", "last"])
    }

    @Test func anEditorThatDoesNotHearIsKilled() throws {
        let (result, _) = try run("trap '' TERM HUP; printf one > \"$1\"; exec sleep 600") { _ throws(ClientFailure) in
            pthread_kill(pthread_self(), SIGHUP)
        }
        #expect(result == .terminated(last: bytes("one")))
    }

    @Test func whatAnEditorRescuedIsTaken() throws {
        var isFirst = true
        let (result, journalled) = try run(
            "trap 'printf typed > \"$1.save\"; exit 1' TERM; printf one > \"$1\"; while :; do sleep 0.05; done"
        ) { _ throws(ClientFailure) in
            if isFirst { pthread_kill(pthread_self(), SIGTERM) }
            isFirst = false
        }
        #expect(result == .terminated(last: bytes("typed")))
        #expect(journalled == ["one", "typed"])
    }

    @Test func theEditorGetsTheLockAndNoOtherDescriptor() throws {
        let secret = unsafe open("/dev/null", O_RDONLY)
        defer { close(secret) }
        guard case (.finished(let text?), _) = try run("ls -l /proc/$$/fd > \"$1\"") else {
            throw ClientFailure(.other, "it did not finish")
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix(" 3 -> " + folder.path) })
        // A shell keeps its script open as 10 or above.
        #expect(!lines.contains { line in (4...9).contains { line.contains(" \($0) -> ") } }, "\(lines)")
    }

    @Test func theEditorBeginsWithDefaultSignalsAndItsOwnTemporaryFolder() throws {
        guard
            case (.finished(let text?), _) = try run(
                "{ echo $TMPDIR $TMP $TEMP; grep SigIgn /proc/$$/status; } > \"$1\"")
        else {
            throw ClientFailure(.other, "it did not finish")
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines[0] == "\(folder.path) \(folder.path) \(folder.path)")
        // 32 and 33 are the C library's own.
        let harmless: UInt64 = 1 << 31 | 1 << 32
        for line in lines.dropFirst() {
            let mask = line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
            #expect(mask.map { $0 & ~harmless } == 0, "\(line)")
        }
    }

    @Test func aLinkInPlaceOfTheFileIsNotRead() throws {
        #expect(throws: ClientFailure.self) {
            try run("rm \"$1\"; ln -s /etc/passwd \"$1\"; sleep 0.2") { _ in Issue.record("it was read") }
        }
    }

    @Test func aTextThatIsTooLargeStaysInTheFolder() throws {
        do {
            _ = try run("head -c 16777217 /dev/zero > \"$1\"")
            Issue.record("it was taken")
        } catch let failure as ClientFailure {
            #expect(failure.outcome.code == .localSaveFailed)
            #expect(failure.outcome.message.contains("16 MiB; the text is in " + folder.path))
        }
    }

    @Test func anEditorThatIsNotThereIsAFailure() throws {
        defer { folder.remove() }
        let choice = EditorChoice(path: scripts.path + "/missing", arguments: [], kind: .unknown)
        #expect(throws: ClientFailure.self) {
            try EditorSession.run(choice: choice, folder: folder, file: "note.md", given: given) { _ in
                Issue.record("nothing was saved")
            }
        }
    }

    @Test func theTerminalsInterruptsAreTheEditorsAlone() throws {
        let (result, _) = try run("printf one > \"$1\"; sleep 0.3") { _ throws(ClientFailure) in
            kill(getpid(), SIGINT)
            kill(getpid(), SIGQUIT)
        }
        #expect(result == .finished(bytes("one")))
    }

    @Test func E10aCommandWithShellLettersRunsNoShell() throws {
        defer { folder.remove() }
        scripts.write(
            Array("#!/bin/sh\nfor last; do :; done\nprintf '%s\\n' \"$@\" > \"$last\"\n".utf8), to: "my editor")
        unsafe chmod(scripts.path + "/my editor", 0o700)
        let words = [
            "$(touch \(scripts.path)/a)", "`touch \(scripts.path)/b`", ";touch", "|", "&&", ">\(scripts.path)/c",
        ]
        let command = "'\(scripts.path)/my editor' " + words.map { "\"\($0)\"" }.joined(separator: " ") + " $HOME"
        let choice = try EditorChoice.find(configured: nil, allowsUnknown: true) { $0 == "EDITOR" ? command : nil }
        let result = try EditorSession.run(choice: choice, folder: folder, file: "note.md", given: given) { _ in }
        let expected = (words + ["$HOME", folder.path + "/note.md"]).joined(separator: "\n") + "\n"
        #expect(result == .finished(bytes(expected)))
        for name in ["a", "b", "c"] { #expect(unsafe access(scripts.path + "/" + name, F_OK) != 0) }
    }
}
