// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// What the standard streams and the environment say about printing.
enum Terminal {
    static func presentation(for options: GlobalOptions) -> Presentation {
        var presentation = Presentation()
        let isTerminal = isatty(Streams.output) == 1
        presentation.json = options.json
        presentation.isTerminal = isTerminal
        presentation.color = !options.json && wantsColor(options.color, isTerminal: isTerminal)
        presentation.columns = isTerminal ? columns(of: Streams.output) : 0
        presentation.dateStyle = options.dateStyle.style
        presentation.timeZone = Environment.text("TZ").flatMap { $0.utf8.count <= 256 ? $0 : nil } ?? ""
        presentation.wantsProgress = !options.quiet && isatty(Streams.talk) == 1
        return presentation
    }

    /// NO_COLOR (no-color.org): set and not empty. `--color` outranks the environment.
    static func wantsColor(_ choice: ColorChoice, isTerminal: Bool) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto:
            if let value = Environment.text("NO_COLOR"), !value.isEmpty { return false }
            if let value = Environment.text("CLICOLOR_FORCE"), !value.isEmpty, value != "0" { return true }
            return isTerminal && Environment.text("TERM") != "dumb"
        }
    }

    /// Width in columns; 0 when unknown.
    static func columns(of descriptor: Int32) -> UInt16 {
        var size = winsize()
        return unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size.ws_col : 0
    }

    /// Whether somebody can be asked. Standard input may be a pipe; the question goes to the terminal itself.
    static var canAsk: Bool {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }
}
