// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Dates
internal import Glibc
internal import Presentation

/// `Terminal` says what the standard streams and the environment say about printing.
enum Terminal {
    static func style(for options: GlobalOptions, _ settings: Settings = Settings()) -> PageStyle {
        var clock = RenderingClock(now: Clock.now) { Clock.secondsEast(at: $0) }
        clock.style = (options.dateStyle ?? settings.dateStyle).style
        if clock.style == .locale { clock.local = Clock.localText }
        var style = PageStyle(clock: clock)
        let isTerminal = isOutput
        style.json = options.json
        style.color = !options.json && wantsColor(options.color, settings.color, isTerminal: isTerminal)
        // Colour that is asked for in a pipe is for somebody's eyes: `vault show ID --color always | less -R`. They see
        // what a terminal shows.
        style.isTerminal = isTerminal || style.color
        style.hyperlinks = !options.json && showsLinks
        let columns = isTerminal ? columns(of: Streams.output) : Environment.text("COLUMNS").flatMap(UInt16.init) ?? 0
        style.columns = columns == 0 ? 80 : Int(columns)
        if isTerminal, let size = size(of: Streams.output) { style.rows = size.rows }
        style.isRemembered = isTerminal && getsid(0) > 0
        return style
    }

    static func client(for options: GlobalOptions, _ style: PageStyle) -> ClientTraits {
        var client = ClientTraits()
        client.snippetColumns = UInt16(clamping: max(style.columns - 4, 20))
        client.timeZone = Clock.zone
        client.terminal = UInt32(bitPattern: max(getsid(0), 0))
        client.isShown = style.isRemembered && !style.json
        client.wantsProgress = !options.quiet && isatty(Streams.talk) == 1
        return client
    }

    /// Whether standard output is a terminal, whatever is to be written there.
    static var isOutput: Bool { isatty(Streams.output) == 1 }

    /// Returns whether output has colour. `--color` outranks the environment, and that the setting. NO_COLOR
    /// (no-color.org) counts when it is set and not empty.
    static func wantsColor(_ choice: ColorChoice?, _ setting: ColorChoice? = nil, isTerminal: Bool) -> Bool {
        if let choice, choice != .auto { return choice == .always }
        if let value = Environment.text("NO_COLOR"), !value.isEmpty { return false }
        if let value = Environment.text("CLICOLOR_FORCE"), !value.isEmpty, value != "0" { return true }
        // `--color auto` asks for what holds without the setting.
        if choice == nil, let setting, setting != .auto { return setting == .always }
        return isTerminal && canDraw
    }

    /// Whether the terminal knows escape sequences; one that does not says so.
    static var canDraw: Bool { Environment.text("TERM") != "dumb" }

    /// Whether links can be shown as such (OSC 8). Terminals that do not know them leave them out.
    static var showsLinks: Bool { isOutput && canDraw && Environment.text("TERM") != nil }

    /// Refuses to write a file's bytes to a terminal: they could drive it (ThreatModel G01), and nobody could read them
    /// there.
    static func refuseOutput(of what: String) throws(ClientFailure) {
        guard isatty(Streams.output) == 0 else {
            throw .usage("\(what) is not for a terminal", hint: "-o PATH, or a pipe behind it")
        }
    }

    /// Returns rows and columns; nil when unknown.
    static func size(of descriptor: Int32) -> (rows: Int, columns: Int)? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return nil
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Returns width in columns; 0 when unknown.
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

/// `TerminalLink` makes a text that can be followed in a terminal: OSC 8, as terminals have agreed on it.
enum TerminalLink {
    /// Returns a text that leads to an address.
    ///
    /// - Parameter linked: false for pipes and plain terminals, where the text stands alone.
    static func text(_ text: String, to address: String, linked: Bool) -> String {
        guard linked else { return text }
        return "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }
}
