// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Lengths of time in settings: those of the command line (`TimeSpan`), and weeks and years, which are 7 and 365 days.
enum SettingSpan {
    /// - Returns: nil for what is no time, for 0, and above 100 years.
    static func seconds(_ text: String) -> UInt32? {
        if let value = TimeSpan.seconds(text) { return value }
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, digits.count <= 5, let number = UInt32(String(decoding: digits, as: UTF8.self)),
            number > 0
        else { return nil }
        let days: UInt32
        switch text.dropFirst(digits.count) {
        case "d": days = number
        case "w": days = number * 7
        case "y": days = number * 365
        default: return nil
        }
        return days <= 36_500 ? days * 86_400 : nil
    }

    /// The shortest text that `seconds` reads back.
    static func text(seconds: UInt32) -> String {
        for (unit, size) in [("y", 31_536_000), ("d", 86_400), ("h", 3600), ("m", 60)] as [(String, UInt32)]
        where seconds >= size && seconds % size == 0 {
            return "\(seconds / size)\(unit)"
        }
        return "\(seconds)s"
    }
}
