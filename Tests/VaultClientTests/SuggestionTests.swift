// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentClient
import AgentProtocol
import Testing

@testable import VaultClient

struct SuggestionTests {
    @Test(arguments: [
        ("search", "search", 0), ("serach", "search", 1), ("sarch", "search", 1), ("searchh", "search", 1),
        ("zearch", "search", 1),
        ("", "ls", 2), ("ca", "abc", 3), ("unlcok", "unlock", 1), ("sl", "ls", 1),
    ])
    func aSlipOfTheHandCountsOnce(_ left: String, _ right: String, _ distance: Int) {
        #expect(EditDistance.between(left, right, limit: 3) == distance)
        #expect(EditDistance.between(right, left, limit: 3) == distance)
    }

    @Test func aDistanceAboveTheLimitIsNone() {
        #expect(EditDistance.between("search", "sxxxch", limit: 2) == nil)
        #expect(EditDistance.between("abcdef", "a", limit: 3) == nil)
    }

    /// 16 MiB against themselves would be 10^14 steps.
    @Test func aLongWordIsNotCompared() {
        let long = String(repeating: "a", count: 16 << 20)
        #expect(EditDistance.between(long, long, limit: 3) == nil)
        #expect(Suggestion.command(for: [long]) == nil)
        #expect(Suggestion.option(for: "--" + long, among: ["--limit"]) == nil)
    }

    @Test(arguments: [
        (["serach"], "vault search"), (["SEARCH"], "vault search"), (["sea"], "vault search"), (["lst"], "vault ls"),
        (["staus"], "vault status"), (["trash", "lss"], "vault trash ls"), (["trash", "emtpy"], "vault trash empty"),
        (["import", "markdwon"], "vault import markdown"), (["trashls"], "vault trash ls"), (["delete"], "vault rm"),
        (["find"], "vault search"), (["trash", "list"], "vault trash ls"), (["completions"], "vault completion"),
    ])
    func theNearestCommandIsSuggested(_ names: [String], _ meant: String) {
        #expect(Suggestion.command(for: names) == meant)
    }

    @Test func aCommandOfTwoWordsIsFoundByBoth() {
        #expect(Suggestion.command(for: ["tras"], next: "ls") == "vault trash ls")
        #expect(Suggestion.command(for: ["trsah"], next: "emtpy") == "vault trash empty")
        #expect(Suggestion.command(for: ["serach"], next: "milk") == "vault search")
    }

    @Test(arguments: [
        "xyzzy", "x", "", " ", "milk", "\u{1B}[2J", "日本語", "\u{0}\u{0}", "--", String(repeating: "ls ", count: 9),
    ])
    func whatIsFarFromEverythingGetsNoSuggestion(_ word: String) { #expect(Suggestion.command(for: [word]) == nil) }

    @Test(arguments: [
        ("--lmit", "--limit"), ("--limti", "--limit"), ("--not", "--notebook"), ("--colour", "--color"),
        ("--hlep", "--help"),
        ("--jsn", "--json"),
    ])
    func theNearestOptionIsSuggested(_ typed: String, _ meant: String) {
        let options = CommandPage(MadeCommand(ListCommand.self), ["ls"]).spellings
        #expect(Suggestion.option(for: typed, among: options) == meant)
    }

    @Test(arguments: ["--zzzzz", "-x", "--", "limit", "---"])
    func otherWordsAreNoOptionMissed(_ typed: String) {
        #expect(Suggestion.option(for: typed, among: ["--limit", "--all", "-n"]) == nil)
    }

    @Test(arguments: [
        (["--lmit", "3"], "unknown option '--lmit'", "vault ls --limit"),
        (["-x"], "unknown option '-x'", "vault help ls"),
        (["-tag", "x"], "unknown option '-tag'", "vault ls --tag"),
        (["--lmit=3"], "unknown option '--lmit'", "vault ls --limit"),
        (["--\u{1B}[2J"], "unknown option '--␛[2J'", "vault help ls"),
        (["-lx"], "unknown option '-x' in '-lx'", "vault ls -- -lx"),
        (["--tag", "--foo"], "--tag needs a value", "vault help ls"), (["-n"], "-n needs a value", "vault help ls"),
        (["--count=yes"], "--count takes no value", "vault help ls"), (["-a=b"], "-a takes no value", "vault help ls"),
    ])
    func anUnknownOptionHasOneMessageAndOneHint(_ words: [String], _ message: String, _ hint: String) throws {
        let mistake = try #require(throws: ClientFailure.self) { try ReadLine(["ls"] + words) }
        #expect(mistake.outcome == Outcome(.usage, message, hint: hint))
    }
}
