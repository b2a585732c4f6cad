// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `TerminalPrompt` is the terminal while it asks: nothing that is typed is echoed by it, and when this process ends or
/// stops, the terminal is as it was before.
///
/// For as long as the value lives, also between two of its questions, the signals that end or stop a process wait: then
/// the terminal is restored, the signal acts, and a process that is continued later asks again.
@safe
public struct TerminalPrompt: ~Copyable {
    public typealias Failure = PasswordReader.Failure

    /// `Shown` says how much of a typed line the person sees.
    public enum Shown: Sendable {
        case nothing
        case asTyped
        /// A yes or a no, once it is whole; nothing of any other line, which may be a password that was typed ahead.
        case yesOrNo
    }

    private let terminal: Int32
    private let signals: Int32
    private let maskBefore: sigset_t
    private var before: termios
    private var isSilent = false

    /// Opens the controlling terminal, remembers its modes, and holds back the signals that would interrupt the prompt.
    ///
    /// - Throws: `Failure.noTerminal` when there is no terminal.
    public init() throws(Failure) {
        let opened = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0 else { throw .noTerminal }
        var modes = termios()
        var mask = sigset_t()
        guard unsafe tcgetattr(opened, &modes) == 0, case let held = unsafe vs_hold_prompt_signals(&mask), held >= 0
        else {
            close(opened)
            throw .noTerminal
        }
        (terminal, signals, maskBefore, before) = (opened, held, mask, modes)
    }

    deinit {
        Self.restore(terminal, before, isSilent)
        close(terminal)
        var mask = maskBefore
        unsafe vs_release_prompt_signals(signals, &mask)
    }

    /// Asks for one line.
    ///
    /// - Parameters:
    ///   - prompt: shown as it is; it holds no secret.
    ///   - dropsTypedAhead: discards input that was typed before the question.
    /// - Throws: `.interrupted` on Ctrl-C, end of input, or a signal that ends processes and did not end this one;
    ///   `.empty`, `.tooLong`.
    public mutating func ask(_ prompt: String, shows: Shown, dropsTypedAhead: Bool = false) throws(Failure)
        -> SecretBytes
    {
        try beSilent()
        if dropsTypedAhead { tcflush(terminal, TCIFLUSH) }
        Self.say(prompt, to: terminal)
        var line = TypedLine(echoesTo: shows == .asTyped ? terminal : -1)
        while true {
            switch try next(isInEscape: line.isInEscape) {
            case .signal(let number):
                try act(on: number)
                line.restart()
                try beSilent()
                Self.say("\r\n" + prompt, to: terminal)
            case .pause: line.endEscape()
            case .end:
                Self.say("\r\n", to: terminal)
                throw line.isEmpty ? .interrupted : .notReadable
            case .byte:
                guard let ending = line.take(from: terminal) else { continue }
                if shows == .yesOrNo { line.showYesOrNo(on: terminal) }
                if ending != .suspended { Self.say("\r\n", to: terminal) }
                switch ending {
                case .whole: return try line.result()
                case .interrupted: throw .interrupted
                case .tooLong: throw .tooLong
                case .unreadable: throw line.isEmpty ? .interrupted : .notReadable
                case .suspended: kill(0, SIGTSTP)  // as the terminal does it for the whole job; ours waits for us
                }
            }
        }
    }

    // MARK: Modes

    /// Turns echo off, once this process is in the foreground: from the background it would turn off another program's.
    private mutating func beSilent() throws(Failure) {
        try waitForForeground()
        var modes = termios()
        guard unsafe tcgetattr(terminal, &modes) == 0 else { throw .noTerminal }
        // Stopped and continued, the shell may have set other modes meanwhile. Our own are not what we give back.
        if modes.c_lflag & UInt32(ECHO) != 0 { before = modes }
        let action = isSilent ? TCSANOW : TCSAFLUSH
        modes.c_lflag &= ~UInt32(ECHO | ECHONL | ISIG | ICANON)
        modes.c_cc.6 = 1  // VMIN
        modes.c_cc.5 = 0  // VTIME
        guard unsafe tcsetattr(terminal, action, &modes) == 0 else { throw .noTerminal }
        isSilent = true
    }

    private static func restore(_ terminal: Int32, _ before: termios, _ isSilent: Bool) {
        guard isSilent, tcgetpgrp(terminal) == getpgrp() else { return }
        var modes = before
        unsafe tcsetattr(terminal, TCSAFLUSH, &modes)
    }

    /// Waits until this process is in the foreground. In the background it stops, as one that reads does, until a shell
    /// brings it forward.
    private mutating func waitForForeground() throws(Failure) {
        var quickReturns = 0
        while tcgetpgrp(terminal) != getpgrp() {
            let begin = now
            var mask = maskBefore
            unsafe vs_act_on_signal(SIGTTIN, &mask)
            vs_forget_continuing()
            // One that ends this process is not kept waiting for a shell that brings it forward.
            let number = vs_take_signal(signals)
            if number > 0, ![SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT].contains(number) { try act(on: number) }
            guard now - begin < 0.05 else { continue }
            // Nobody can bring it forward, or stopping is not possible here.
            quickReturns += 1
            guard quickReturns < 10 else { throw .noTerminal }
            usleep(20_000)
        }
    }

    // MARK: Signals

    private enum Event {
        case byte, end, pause
        case signal(Int32)
    }

    private static let escapeMilliseconds: Int32 = 100

    /// Waits for a byte or a signal. In the middle of an escape sequence a pause says that it is over: somebody pressed
    /// Escape.
    private func next(isInEscape: Bool) throws(Failure) -> Event {
        var waiting = [
            pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = unsafe poll(&waiting, 2, isInEscape ? Self.escapeMilliseconds : -1)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .notReadable }
            if count == 0 { return .pause }
            if waiting[1].revents != 0, case let number = vs_take_signal(signals), number > 0 { return .signal(number) }
            if waiting[0].revents & Int16(POLLIN) != 0 { return .byte }
            if waiting[0].revents != 0 { return .end }
        }
    }

    /// Lets a signal act that was held back, with the terminal as it was before.
    ///
    /// - Throws: `.interrupted` when one that ends processes did not end this one: somebody else waits for it.
    private mutating func act(on number: Int32) throws(Failure) {
        if number == SIGCONT { return }
        Self.restore(terminal, before, isSilent)
        isSilent = false
        var mask = maskBefore
        unsafe vs_act_on_signal(number, &mask)
        guard [SIGTSTP, SIGTTIN, SIGTTOU].contains(number) else { throw .interrupted }
        vs_forget_continuing()
    }

    private var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func say(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { raw in _ = unsafe write(terminal, raw.baseAddress!, raw.count) }
    }
}
