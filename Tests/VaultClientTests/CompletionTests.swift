// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultTesting

@testable import VaultClient

/// The scripts are run by the shells that they are for, where those are installed.
struct CompletionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The command line; what stands behind its last blank is to be completed.
        let line: String
        let offers: [String]
        var hides: [String] = []
        var testDescription: String { line }
    }

    static let cases = [
        Case(line: "vault s", offers: ["search", "show", "status"], hides: ["ls"]),
        Case(line: "vault trash ", offers: ["empty", "ls"], hides: ["new"]),
        Case(line: "vault ls --l", offers: ["--limit", "--long"], hides: ["--all"]),
        Case(line: "vault ls --color a", offers: ["always", "auto"], hides: ["never"]),
        Case(line: "vault completion ", offers: ["bash", "fish", "zsh"]),
        Case(line: "vault help ", offers: ["exit-codes", "ls", "trash"]),
        Case(line: "vault --json l", offers: ["lock", "ls"], hides: ["new"]),
        Case(line: "vault ls --password-file scr", offers: ["script"]),
        Case(line: "vault import markdown fol", offers: ["folder"], hides: ["script"]),
        Case(line: "vault nosuch ", offers: [], hides: ["--title"]),
        Case(line: "vault tag ", offers: ["add", "ls", "rename"], hides: ["search"]),
        Case(line: "vault new --t", offers: ["--tag", "--template", "--title"], hides: ["--private"]),
        Case(line: "vault attach get k7 --output scr", offers: ["script"]),
    ]

    @Test(.enabled(if: ShellRun.path("bash") != nil), arguments: cases)
    func bashCompletes(_ test: Case) throws {
        let driver = """
            source ./script
            IFS=' ' read -ra COMP_WORDS <<<"$1"
            [[ $1 != *' ' ]] || COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$1 COMP_POINT=${#1}
            _vault vault "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        try check(.bash, test, ["bash", "-c", "cd \"$2\"; " + driver, "bash"])
    }

    @Test(.enabled(if: ShellRun.path("fish") != nil), arguments: cases)
    func fishCompletes(_ test: Case) throws {
        try check(
            .fish, test,
            [
                "fish", "--no-config", "-c",
                "cd $argv[2]; source script; complete -C $argv[1] | string replace -r '\\t.*' ''",
            ])
    }

    /// zsh completes only where somebody types: in a terminal of zsh's own, a widget writes down what it would offer.
    @Test(.enabled(if: ShellRun.path("zsh") != nil), arguments: cases)
    func zshCompletes(_ test: Case) throws {
        let driver = """
            zmodload zsh/zpty; cd $2; cp script _vault
            zpty z zsh -f -i
            zpty -w z 'stty -echo columns 200; PS1= PROMPT_EOL_MARK=; unset zle_bracketed_paste'
            zpty -w z 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D'
            zpty -w z 'seen=(); note() { local -a s; builtin compadd -O s "$@"; seen+=($s) }'
            zpty -w z 'compadd() { [[ ${@[1,(i)(-|--)]} == *-[OAD]* ]] || note "$@"; builtin compadd "$@" }'
            zpty -w z 'report() { _main_complete; print -rl -- $seen > offers.new; mv offers.new offers }'
            zpty -w z 'zle -C report list-choices report; bindkey "^X" report'
            zpty -w z 'print > ready'
            for i in {1..400}; do [[ -e ready ]] && break; sleep 0.05; done
            zpty -w -n z "$1"$'\\x18'
            for i in {1..400}; do [[ -e offers ]] && break; sleep 0.05; done
            cat offers; zpty -d z
            """
        try check(.zsh, test, ["zsh", "-f", "-c", driver, "zsh"])
    }

    private func check(_ shell: ShellChoice, _ test: Case, _ command: [String]) throws {
        let folder = TemporaryFolder()
        folder.make("folder")
        folder.write(Array(CompletionCommand.script(shell).utf8), to: "script")
        let program = try #require(ShellRun.path(command[0]))
        let run = try ShellRun([program] + command.dropFirst() + [test.line, folder.path], folder: folder)
        let offered = run.out.split(separator: "\n").compactMap { $0.split { $0 == " " || $0 == "/" }.first }
        for word in test.offers { #expect(offered.contains { $0 == word }, "\(word) is not in \(offered); \(run.err)") }
        for word in test.hides { #expect(!offered.contains { $0 == word }, "\(offered)") }
        #expect(run.err.isEmpty, "\(run.err)")
    }

    @Test(arguments: ShellChoice.allCases)
    func aScriptNamesTheProgramAndEndsItsLastLine(_ shell: ShellChoice) {
        let script = CompletionCommand.script(shell)
        #expect(script.hasSuffix("\n") && !script.hasSuffix("\n\n"))
        #expect(script.contains(shell == .zsh ? "#compdef vault\n" : "vault"))
        #expect(!script.contains("/.build/"))
    }
}
