// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Quantity` writes numbers with their units, as the footer and the long rows show them.
enum Quantity {
    /// Returns "5 notes", "1 note", "0 notes", "20 of 5,013 notes".
    ///
    /// - Parameter total: nil when nobody counted: "20+ notes".
    /// - Parameter noun: what is counted.
    static func notes(shown: Int, total: Int?, noun: String = "note") -> String {
        guard let total else { return "\(grouped(shown))+ \(noun)s" }
        let unit = total == 1 ? noun : noun + "s"
        return shown == total ? "\(grouped(total)) \(unit)" : "\(grouped(shown)) of \(grouped(total)) \(unit)"
    }

    /// Returns "1 attachment", "2 attachments".
    static func counted(_ count: Int, _ noun: String) -> String { notes(shown: count, total: count, noun: noun) }

    /// Returns "512 B", "1.2 kB", "3.4 MB": powers of 1000, one digit after the point, never rounded up.
    static func bytes(_ byteCount: Int) -> String {
        guard byteCount >= 1000 else { return "\(byteCount) B" }
        var tenths = byteCount / 100
        var units = ["kB", "MB", "GB", "TB"][...]
        while tenths >= 10_000, units.count > 1 {
            tenths /= 1000
            units = units.dropFirst()
        }
        return "\(grouped(tenths / 10)).\(tenths % 10) \(units.first ?? "B")"
    }

    static func bytes(_ byteCount: UInt64) -> String { bytes(Int(clamping: byteCount)) }

    /// Puts a comma between each three digits.
    static func grouped(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
