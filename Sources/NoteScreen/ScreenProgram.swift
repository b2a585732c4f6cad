// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Dates
internal import Glibc

/// `ScreenProgram` is what `vault-tui` does.
public enum ScreenProgram {
    /// Shows the notes until somebody leaves.
    ///
    /// - Parameters:
    ///   - directory: of the vault.
    ///   - dates: the name of a `DateStyle`.
    /// - Returns: the exit code.
    public static func run(directory: String, dates: String) -> Int32 {
        // Whoever holds the other end of a line may have gone.
        signal(SIGPIPE, SIG_IGN)
        do throws(ClientFailure) {
            let location = try VaultLocation(directory)
            let end = try shown(location, DateStyle(rawValue: dates) ?? .classic)
            switch end {
            case .left, .gone: return 0
            case .locked:
                say("locked")
                return 0
            case .wasLocked:
                say("vault: note: the vault was locked meanwhile")
                LentTerminal.become(["tui"], in: directory)
                return Int32(ExitCode.locked.rawValue)
            }
        } catch {
            say("vault: error: \(error.outcome.message)")
            if !error.outcome.hint.isEmpty { say("vault: hint: \(error.outcome.hint)") }
            return Int32(error.outcome.code.rawValue)
        }
    }

    /// The terminal is as it was when this returns.
    private static func shown(
        _ location: VaultLocation, _ style: DateStyle
    ) throws(ClientFailure) -> NoteScreen.End {
        let clock = RenderingClock(style: style, now: now) { milliseconds in
            var moment = time_t(milliseconds / 1000)
            var parts = unsafe tm()
            return unsafe localtime_r(&moment, &parts) == nil ? 0 : Int(parts.tm_gmtoff)
        }
        return try NoteScreen(location, clock, timeZone: Environment.text("TZ") ?? "").run()
    }

    /// Milliseconds since 1970, UTC.
    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func say(_ line: String) {
        let bytes = Array((VisibleText.escaped(line) + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress!, $0.count) }
    }
}
