// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import CCurses
internal import Glibc
internal import Presentation

/// `Terminal` is the screen that this process draws on, by ncurses. What was there before comes back at the end, and
/// nothing of a note stays behind.
struct Terminal: ~Copyable {
    struct Style: OptionSet {
        let rawValue: Int32
        static let bold = Style(rawValue: 1)
        static let dim = Style(rawValue: 2)
        static let reverse = Style(rawValue: 4)
        static let underline = Style(rawValue: 8)
    }

    /// Takes the terminal.
    ///
    /// - Throws: `.usage` for one that cannot be drawn on.
    init() throws(ClientFailure) {
        guard isatty(0) == 1, isatty(1) == 1, vs_screen_begin() == 0 else {
            throw .usage("this terminal cannot be drawn on", hint: "set TERM to what it is; vault ls works anywhere")
        }
    }

    deinit { vs_screen_end() }

    var size: (rows: Int, columns: Int) {
        var (rows, columns): (Int32, Int32) = (0, 0)
        unsafe vs_screen_size(&rows, &columns)
        return (Int(rows), Int(columns))
    }

    func clear() { vs_screen_clear() }
    func redraw() { vs_screen_redraw() }

    /// Puts a text at a place, in at most so many columns, and fills these.
    func put(_ text: String, row: Int, column: Int, width: Int, _ style: Style = [], isFilled: Bool = true) {
        guard width > 0, row >= 0 else { return }
        unsafe vs_screen_put(
            Int32(row), Int32(column), Int32(width), OneLine.cut(text, to: width), style.rawValue, isFilled ? 1 : 0)
    }

    /// Shows what was put.
    func show(cursor: (row: Int, column: Int)? = nil) {
        vs_screen_show(Int32(cursor?.row ?? -1), Int32(cursor?.column ?? 0))
    }

    /// Waits for a key; nil for none within the time.
    func key(within milliseconds: Int32) -> ScreenKey? {
        let key = vs_screen_key(milliseconds)
        return switch Int(key.kind) {
        case VS_KEY_NONE: nil
        case VS_KEY_CHARACTER: Self.named(key.character)
        case VS_KEY_UP: .up
        case VS_KEY_DOWN: .down
        case VS_KEY_LEFT: .left
        case VS_KEY_RIGHT: .right
        case VS_KEY_PAGE_UP: .pageUp
        case VS_KEY_PAGE_DOWN: .pageDown
        case VS_KEY_HOME: .home
        case VS_KEY_END: .end
        case VS_KEY_BACKSPACE: .backspace
        case VS_KEY_DELETE: .delete
        case VS_KEY_RESIZE: .resize
        case VS_KEY_CLICK: .click(row: Int(key.row), column: Int(key.column))
        case VS_KEY_WHEEL_UP: .wheelUp
        case VS_KEY_WHEEL_DOWN: .wheelDown
        case VS_KEY_GONE: .gone
        default: .other
        }
    }

    private static func named(_ character: UInt32) -> ScreenKey {
        switch character {
        case 9: return .tab
        case 10, 13: return .enter
        case 27: return .escape
        case 1...26: return .control(Unicode.Scalar(UInt8(character) + 0x60))
        default:
            guard let scalar = Unicode.Scalar(character), character >= 32 else { return .other }
            return .character(scalar)
        }
    }

    /// Gives the terminal to another program for as long as `body` takes. Ctrl-C is that program's, and Ctrl-Z stops
    /// both: ncurses would draw over it.
    func lend<R>(_ body: () -> R) -> R {
        vs_screen_end()
        let before = [SIGINT, SIGQUIT].map { signal($0, SIG_IGN) } + [signal(SIGTSTP, SIG_DFL)]
        defer {
            for (number, handler) in zip([SIGINT, SIGQUIT, SIGTSTP], before) { _ = signal(number, handler) }
            vs_screen_resume()
        }
        return body()
    }
}
