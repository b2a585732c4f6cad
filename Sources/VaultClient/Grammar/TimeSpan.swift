// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `TimeSpan` reads lengths of time as a person writes them.
public enum TimeSpan {
    /// Reads `90s`, `15m`, `8h` or `2d` as seconds.
    ///
    /// - Returns: nil for anything else, for 0, and above 365 days.
    public static func seconds(_ text: String) -> UInt32? {
        guard let value = milliseconds(text, units: ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]),
            value > 0, value <= 365 * 86_400_000
        else { return nil }
        return UInt32(value / 1000)
    }

    /// Reads `1s`, `500ms` or `0` as milliseconds, up to one minute.
    public static func kdfTarget(_ text: String) -> UInt32? {
        if text == "0" { return 0 }
        guard let value = milliseconds(text, units: ["ms": 1, "s": 1000]), value <= 60_000 else { return nil }
        return UInt32(value)
    }

    /// Returns seconds in the largest unit that says them exactly: `15 min`, `8 h`.
    public static func description(seconds: UInt32) -> String {
        if seconds % 86_400 == 0 { return "\(seconds / 86_400) d" }
        if seconds % 3600 == 0 { return "\(seconds / 3600) h" }
        if seconds % 60 == 0 { return "\(seconds / 60) min" }
        return "\(seconds) s"
    }

    private static func milliseconds(_ text: String, units: [String: UInt64]) -> UInt64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        // Nine digits of the largest unit still fit into 64 bits.
        guard !digits.isEmpty, digits.utf8.count <= 9, let number = UInt64(digits),
            let unit = units[String(text[digits.endIndex...])]
        else { return nil }
        return number * unit
    }
}
