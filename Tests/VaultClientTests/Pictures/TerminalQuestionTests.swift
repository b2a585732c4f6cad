// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import Testing

@testable import VaultClient

/// What terminals of each kind answer, on a real pseudo-terminal.
struct TerminalQuestionTests {
    private let traits = TerminalTraits { ["TERM": "xterm-256color"][$0] }
    private static let kitty = "\u{1B}_Gi=4177;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"

    /// Asks, and checks what holds for every terminal: its modes are what they were, and nothing is left for the shell.
    private func ask(_ manner: FakeTerminal.Manner, patience: Int = 20_000, leaves: String = "") throws
        -> TerminalReply?
    {
        let terminal = try FakeTerminal(manner)
        let before = terminal.modes
        #expect(before.count > 40)
        let reply = TerminalQuestion.ask(traits.question, on: terminal.program, patienceMilliseconds: patience)
        #expect(terminal.modes == before)
        setRaw(terminal.program)
        #expect(terminal.waitingInput() == leaves)
        terminal.hangUp()
        #expect(terminal.output == String(decoding: traits.question, as: UTF8.self), "an echo was on")
        return reply
    }

    /// As a shell does it for its prompt.
    private func setRaw(_ descriptor: Int32) {
        var modes = termios()
        _ = unsafe tcgetattr(descriptor, &modes)
        modes.c_lflag &= ~UInt32(ICANON | ECHO)
        unsafe withUnsafeMutableBytes(of: &modes.c_cc) { unsafe $0[Int(VMIN)] = 1 }
        _ = unsafe tcsetattr(descriptor, TCSANOW, &modes)
    }

    @Test func kittyIsHeard() throws {
        let reply = try #require(try ask(.answering(Self.kitty)))
        #expect(reply.hasKitty)
        #expect(!reply.hasSixel)
        #expect(reply.cell?.width == 10)
        #expect(reply.cell?.height == 20)
    }

    @Test func piecesAreOneAnswer() throws { #expect(try ask(.answeringInPieces(Self.kitty))?.hasKitty == true) }

    @Test(arguments: ["\u{1B}[6;17;8t\u{1B}[?62;4;22c", "\u{1B}[?63;1;2;3;4;6;9;15;22c", "\u{1B}[?1;2;4c"])
    func sixelsAreHeard(text: String) throws {
        let reply = try #require(try ask(.answering(text)))
        #expect(reply.hasSixel)
        #expect(!reply.hasKitty)
    }

    @Test(arguments: [
        "\u{1B}[?64;1;2;6;9;15;22c", "\u{1B}[?6c", "\u{1B}[?4c", "\u{1B}_Gi=4177;ENOTSUP:no\u{1B}\\\u{1B}[?1;2c",
        "\u{1B}_GOK\u{1B}\\\u{1B}[?1;2c",
    ])
    func plainTerminalsHaveNeither(text: String) throws {
        let reply = try #require(try ask(.answering(text)))
        #expect(!reply.hasSixel && !reply.hasKitty)
        #expect(reply.cell == nil)
    }

    @Test func silenceEnds() throws { #expect(try ask(.silent, patience: 60) == nil) }

    @Test func anEchoIsNoAnswer() throws { #expect(try ask(.echoing, patience: 60) == nil) }

    @Test func keysBehindTheAnswerStay() throws {
        #expect(try ask(.answering(Self.kitty + "ls -l"), leaves: "ls -l")?.hasKitty == true)
    }

    @Test func keysBeforeTheAnswerAreNoPartOfIt() throws {
        #expect(try ask(.answering("q[6;1;1t\u{1B}[A" + Self.kitty))?.cell?.height == 20)
    }

    /// The byte count ends it, long before patience does.
    @Test(arguments: [
        Array("garbage ".utf8), Array("\u{1B}_G".utf8) + [UInt8](repeating: 0x41, count: 100), Array("\u{1B}[1;".utf8),
        [0x1B],
        [0x00, 0xFF, 0x9B, 0x80],
    ])
    func aFloodEnds(bytes: [UInt8]) throws {
        let terminal = try FakeTerminal(.endless(bytes))
        defer { terminal.hangUp() }
        let before = terminal.modes
        let start = ContinuousClock.now
        #expect(TerminalQuestion.ask(traits.question, on: terminal.program, patienceMilliseconds: 20_000) == nil)
        #expect(start.duration(to: .now) < .seconds(15))
        #expect(terminal.modes == before)
    }

    @Test func typedAheadKeysAreLeftAlone() throws {
        let terminal = try FakeTerminal(.answering(Self.kitty))
        defer { terminal.hangUp() }
        terminal.type("vault lo")
        // Keys reach the terminal's other end by and by.
        var count: Int32 = 0
        setRaw(terminal.program)
        while unsafe ioctl(terminal.program, UInt(FIONREAD), &count) == 0 && count < 8 { sched_yield() }
        let before = terminal.modes
        #expect(TerminalQuestion.ask(traits.question, on: terminal.program, patienceMilliseconds: 20_000) == nil)
        #expect(terminal.modes == before)
        #expect(terminal.waitingInput() == "vault lo")
        #expect(!terminal.output.contains("\u{1B}[c"))
    }

    /// Signals that were held before stay held, and no other is, also where there is nothing to ask.
    @Test func theHeldSignalsAreWhatTheyWere() throws {
        var (held, before, after) = (sigset_t(), sigset_t(), sigset_t())
        unsafe sigemptyset(&held)
        unsafe sigaddset(&held, SIGUSR2)
        unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        unsafe pthread_sigmask(SIG_BLOCK, nil, &held)
        let terminal = try FakeTerminal(.answering("\u{1B}[?62;c"))
        for descriptor in [terminal.program, -1] {
            _ = TerminalQuestion.ask(traits.question, on: descriptor, patienceMilliseconds: 20_000)
            unsafe pthread_sigmask(SIG_BLOCK, nil, &after)
            for signal in 1..<65 as Range<Int32> {
                #expect(unsafe sigismember(&after, signal) == sigismember(&held, signal), "\(signal)")
            }
        }
        terminal.hangUp()
    }

    @Test func whatIsNoTerminalIsNotAsked() {
        #expect(TerminalQuestion.ask(traits.question, on: -1, patienceMilliseconds: 20_000) == nil)
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        #expect(TerminalQuestion.ask(traits.question, on: ends[0], patienceMilliseconds: 20_000) == nil)
        for end in ends { close(end) }
    }
}
