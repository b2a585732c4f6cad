// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing

@testable import VaultClient

struct PrintingTests {
    @Test func anErrorIsOneLineAndAHint() {
        let outcome = Outcome(.notFound, "there is no vault at /x", hint: "vault init")
        #expect(Reporter.errorLines(outcome) == ["vault: error: there is no vault at /x", "vault: hint: vault init"])
        #expect(Reporter.errorLines(Outcome(.wrongPassword)) == ["vault: error: \(ExitCode.wrongPassword.meaning)"])
        #expect(Reporter.errorLines(Outcome(.doneWithLosses, "2 files")) == ["vault: warning: 2 files"])
    }

    @Test func anErrorInJSONNamesItsCode() {
        let object = Reporter.errorObject(Outcome(.locked, "a \"b\" \\ \u{1B}\n", hint: ""))
        #expect(
            object == #"{"schema":1,"error":{"code":"locked","exit":3,"message":"a \"b\" \\ \u001b\n","hint":null}}"#)
    }

    @Test func everyExitCodeHasANameOfItsOwn() {
        #expect(Set(ExitCode.allCases.map(\.scriptName)).count == ExitCode.allCases.count)
    }

    @Test(arguments: [
        ("plain", "plain"), ("\u{1B}[2J", "␛[2J"), ("a\u{7F}b\u{9B}", "a␡b<U+9B>"),
        ("x\u{202E}y\u{61C}", "x<U+202E>y<U+61C>"),
        ("grün 漢字 😀", "grün 漢字 😀"), ("\r\n\t", "␍␊␉"), ("a\u{E0041}\u{200B}", "a<U+E0041><U+200B>"),
    ])
    func G01controlCharactersOfAPathAreMadeVisible(_ text: String, _ shown: String) {
        #expect(VisibleText.escaped(text) == shown)
    }

    @Test func bytesThatAreNoTextDoNotReachTheTerminal() {
        #expect(VisibleText.escaped(path: [0x61, 0x9B, 0x1B]) == "a\u{FFFD}␛")
    }

    @Test(arguments: [
        ("/a/b.c", "/a/b.c"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"), ("$(x)", "'$(x)'"),
        ("'", #"''\'''"#),
    ])
    func aWordCanBeTypedAsShown(_ word: String, _ shown: String) { #expect(ShellWord.quoted(word) == shown) }

    @Test(arguments: [20, 40, 80, 200])
    func aProgressLineIsNarrowerThanTheTerminal(_ columns: Int) {
        for (done, total) in [(0, 0), (5, 0), (0, 7), (3, 7), (7, 7), (9, 7), (UInt64.max, UInt64.max)]
            as [(UInt64, UInt64)]
        {
            let line = ProgressBar.line(
                Progress(label: "a label \u{1B} that is long", done: done, total: total), columns: columns)
            #expect(line.count < columns)
            #expect(!line.contains("\u{1B}"))
        }
    }

    @Test func bytesHaveARateAndATimeLeft() {
        let progress = Progress(label: "re-encrypting", done: 1_200_000_000, total: 2_100_000_000, isBytes: true)
        #expect(
            ProgressBar.line(progress, columns: 100, rate: 450_000_000).hasSuffix(
                " 1.2 GB/2.1 GB 57 % 450.0 MB/s 0:02 left"))
        #expect(ProgressBar.line(progress, columns: 100, rate: 100_000).hasSuffix(" 100.0 kB/s 2:30:00 left"))
        for rate in [1e-9, 1, 1e300] {
            let line = ProgressBar.line(
                Progress(label: "x", done: .max, total: .max, isBytes: true), columns: 60, rate: rate)
            #expect(line.count < 60)
        }
        #expect(
            [0, 999, 1000, 1_050_000, .max].map { ByteAmount.text($0) } == [
                "0 B", "999 B", "1.0 kB", "1.0 MB", "18446744.0 TB",
            ])
    }

    @Test func colourFollowsTheChoiceBeforeTheEnvironment() {
        #expect(Terminal.wantsColor(.always, isTerminal: false))
        #expect(!Terminal.wantsColor(.never, isTerminal: true))
    }
}
