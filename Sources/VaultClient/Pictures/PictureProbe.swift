// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `PictureProbe` finds out how pictures can be shown on the terminal that output goes to. Made once for each command,
/// before its first line is printed: the cursor is then at the beginning of a line, and no long text stands between the
/// question and its answer.
struct PictureProbe {
    /// `Screen` holds what was found.
    struct Screen: Sendable, Equatable {
        var form: PictureProtocol
        var geometry: PictureGeometry
    }

    private let traits: TerminalTraits
    private let usesColor: Bool

    /// Makes a probe; the terminal is not asked yet.
    ///
    /// - Parameter usesColor: whether text has colour, as `Terminal.wantsColor` has it from `--color`, NO_COLOR and the
    ///   setting. Blocks are coloured text and follow it unless they are asked for by name; what kitty and sixels draw
    ///   is no text.
    init(usesColor: Bool, traits: TerminalTraits = TerminalTraits()) {
        self.usesColor = usesColor
        self.traits = traits
    }

    /// Chooses the form of pictures, and asks the terminal if that depends on it.
    ///
    /// - Parameter output: where pictures go; without a terminal there none are shown.
    func screen(for choice: PictureChoice, output: Int32 = Streams.output) -> Screen {
        var geometry = PictureGeometry(terminal: output, depth: traits.depth)
        guard choice != .none, isatty(output) == 1, !traits.isPlain else {
            return Screen(form: .none, geometry: geometry)
        }
        switch choice {
        case .kitty where !traits.isMultiplexer: return Screen(form: .kitty, geometry: geometry)
        case .sixel where SixelPicture.isAvailable: return Screen(form: .sixel, geometry: geometry)
        case .blocks:
            if geometry.depth == .none { geometry.depth = .sixteen }
            return Screen(form: .blocks, geometry: geometry)
        case .sixel, .none: return Screen(form: plainForm, geometry: geometry)
        case .auto, .kitty:
            let reply = answer(output)
            if let cell = reply?.cell, !geometry.isCellKnown {
                geometry.setCell(width: cell.width, height: cell.height)
            }
            return Screen(form: form(reply), geometry: geometry)
        }
    }

    /// Returns the best of what a terminal says. Pictures that pass through tmux or screen stay on the screen when it
    /// shows something else, so also after a note was locked: kitty's are never drawn there, sixels when it says that
    /// it draws them itself.
    func form(_ reply: TerminalReply?) -> PictureProtocol {
        if let reply, reply.hasKitty, !traits.isMultiplexer { return .kitty }
        // The library is loaded here: asked last, when the terminal wants it.
        if let reply, reply.hasSixel, SixelPicture.isAvailable { return .sixel }
        return plainForm
    }

    private var plainForm: PictureProtocol { usesColor && traits.depth != .none ? .blocks : .none }

    /// Asks only the terminal that started us, and only in the foreground: an answer of another one, or to a job in the
    /// background, cannot be read.
    private func answer(_ output: Int32) -> TerminalReply? {
        guard !traits.isConsole, tcgetpgrp(output) == getpgrp() else { return nil }
        // Opened anew, so that the standard streams' flags stay as they are.
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return TerminalQuestion.ask(traits.question, on: terminal, patienceMilliseconds: traits.patienceMilliseconds)
    }
}
