// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

@testable import VaultClient

/// Which form is chosen. Each test with a terminal of its own runs in a process that has that terminal and no other.
struct PictureProbeTests {
    private static func probe(_ variables: [String: String] = ["TERM": "xterm-256color"], usesColor: Bool = true)
        -> PictureProbe
    {
        PictureProbe(usesColor: usesColor, traits: TerminalTraits { variables[$0] })
    }

    /// Read to its end: files of /proc have no size.
    private static func libraryIsLoaded() throws -> Bool {
        let maps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps"))
        var text = Data()
        while let more = try maps.read(upToCount: 4096), !more.isEmpty { text += more }
        try #require(text.range(of: Data("libc.so".utf8)) != nil && text.range(of: Data("[stack]".utf8)) != nil)
        return text.range(of: Data("libchafa".utf8)) != nil
    }

    @Test func kittyIsAskedForAndDrawnWithoutTheLibrary() async {
        await #expect(processExitsWith: .success) {
            try #require(setsid() > 0)
            let terminal = try FakeTerminal(
                .answering("\u{1B}_Gi=4177;OK\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;4;52c"), controlling: true)
            let before = terminal.modes
            let screen = PictureProbeTests.probe().screen(for: .auto, output: terminal.program)
            try #require(screen.form == .kitty && screen.geometry.cellWidth == 9 && screen.geometry.cellHeight == 18)
            try #require(terminal.modes == before)
            for form in [PictureProtocol.kitty, .blocks, .none] {
                _ = SamplePicture.slope(64, 64).drawn(form, screen.geometry)
            }
            try #require(try !PictureProbeTests.libraryIsLoaded())
        }
    }

    /// Where there is no libchafa0, blocks are drawn instead.
    @Test func sixelsLoadTheLibrary() async {
        await #expect(processExitsWith: .success) {
            try #require(setsid() > 0)
            let terminal = try FakeTerminal(.answering("\u{1B}[?62;4c"), pixels: (800, 480), controlling: true)
            try #require(try !PictureProbeTests.libraryIsLoaded())
            let screen = PictureProbeTests.probe().screen(for: .auto, output: terminal.program)
            try #require(screen.form == (SixelPicture.isAvailable ? .sixel : .blocks))
            try #require(screen.geometry.cellWidth == 10 && screen.geometry.cellHeight == 20)
            try #require(try PictureProbeTests.libraryIsLoaded() == SixelPicture.isAvailable)
        }
    }

    /// No file can be opened, so no library found.
    @Test func sixelsAreNotOfferedWithoutTheLibrary() async {
        await #expect(processExitsWith: .success) {
            var reply = TerminalReply()
            for byte in "\u{1B}[?62;4c".utf8 { reply.take(byte) }
            try #require(try reply.hasSixel && !PictureProbeTests.libraryIsLoaded())
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            try #require(PictureProbeTests.probe().form(reply) == .blocks)
            let geometry = PictureGeometry(columns: 80, rows: 24, depth: .direct)
            let picture = SamplePicture.slope(64, 64)
            try #require(picture.drawn(.sixel, geometry) == picture.drawn(.blocks, geometry))
        }
    }

    @Test func aSignalWaitsUntilTheTerminalIsAsItWas() async {
        await #expect(processExitsWith: .exitCode(42)) {
            try #require(setsid() > 0)
            let terminal = try FakeTerminal(
                .signalling(pthread_self(), SIGTERM, thenAnswering: "\u{1B}[?62;c"), controlling: true)
            // A thread of a pool takes no signals by itself.
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGTERM)
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            unsafe SignalledTerminal.descriptor = terminal.program
            unsafe SignalledTerminal.modes = terminal.modes
            signal(SIGTERM) { _ in
                var modes = termios()
                _ = unsafe tcgetattr(SignalledTerminal.descriptor, &modes)
                _exit(unsafe withUnsafeBytes(of: &modes) { unsafe $0.elementsEqual(SignalledTerminal.modes) } ? 42 : 43)
            }
            _ = PictureProbeTests.probe().screen(for: .auto, output: terminal.program)
            _exit(44)
        }
    }

    @Test func anotherTerminalIsNotAsked() throws {
        let terminal = try FakeTerminal(.answering("\u{1B}_Gi=4177;OK\u{1B}\\\u{1B}[?62;c"))
        let screen = Self.probe().screen(for: .auto, output: terminal.program)
        terminal.hangUp()
        #expect(screen.form == .blocks)
        #expect(terminal.output.isEmpty)
    }

    @Test func withoutATerminalThereAreNone() {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        for choice in PictureChoice.allCases {
            #expect(Self.probe().screen(for: choice, output: ends[1]).form == .none)
        }
        for end in ends { close(end) }
    }

    @Test func aChoiceIsTakenAtItsWord() throws {
        let terminal = try FakeTerminal(.silent)
        let expected: [(PictureChoice, PictureProtocol)] = [
            (.kitty, .kitty), (.blocks, .blocks), (.none, .none), (.auto, .none),
        ]
        for (choice, form) in expected {
            #expect(Self.probe(usesColor: false).screen(for: choice, output: terminal.program).form == form)
        }
        #expect(Self.probe(["TERM": "dumb"]).screen(for: .kitty, output: terminal.program).form == .none)
        #expect(Self.probe(["TERM": "tmux"]).screen(for: .kitty, output: terminal.program).form == .blocks)
        #expect(Self.probe(["TERM": "vt220"]).screen(for: .auto, output: terminal.program).form == .none)
        #expect(Self.probe(["TERM": "vt220"]).screen(for: .blocks, output: terminal.program).geometry.depth == .sixteen)
        terminal.hangUp()
        #expect(terminal.output.isEmpty)
    }

    @Test func blocksFollowColor() {
        #expect(Self.probe(usesColor: true).form(nil) == .blocks)
        #expect(Self.probe(usesColor: false).form(nil) == .none)
    }

    @Test func onlyBlocksSuitAPager() {
        #expect(PictureProtocol.blocks.suitsPager && PictureProtocol.none.suitsPager)
        #expect(!PictureProtocol.kitty.suitsPager && !PictureProtocol.sixel.suitsPager)
    }
}

/// What a signal's handler, which can hold nothing, looks at.
private enum SignalledTerminal {
    nonisolated(unsafe) static var descriptor: Int32 = -1
    nonisolated(unsafe) static var modes: [UInt8] = []
}
