// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `KindleDate` reads dates as Kindles write them: "Monday, 5 June 2023 21:04:11", "Monday, June 5, 2023 9:04:11 PM",
/// "Montag, 5. Juni 2023 21:04:11", "lundi 5 juin 2023 à 21:04:11", "lunes, 5 de junio de 2023 21:04:11".
///
/// The clock is that of the device, which names no zone; a few programs that write the same file add "GMT-03:00".
enum KindleDate {
    private static let months: [String: Int] = {
        let names = [
            ["january", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro"],
            ["february", "februar", "février", "febrero", "febbraio", "fevereiro"],
            ["march", "märz", "mars", "marzo", "março"],
            ["april", "avril", "abril", "aprile"],
            ["may", "mai", "mayo", "maggio", "maio"],
            ["june", "juni", "juin", "junio", "giugno", "junho"],
            ["july", "juli", "juillet", "julio", "luglio", "julho"],
            ["august", "août", "agosto"],
            ["september", "septembre", "septiembre", "setiembre", "settembre", "setembro"],
            ["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
            ["november", "novembre", "noviembre", "novembro"],
            ["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro"],
        ]
        var months: [String: Int] = [:]
        for (at, list) in names.enumerated() { for name in list { months[name] = at + 1 } }
        return months
    }()

    /// Reads a date.
    ///
    /// - Returns: milliseconds since 1970, and whether the text names no zone; nil in a language that is not known.
    static func time(_ text: String) -> (milliseconds: Int64, isLocal: Bool)? {
        var (month, day, year, clock, half, zone) = (0, 0, 0, "", "", "")
        for word in text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
            let word = word.last == "." ? word.dropLast() : word
            if word.hasPrefix("gmt"), !clock.isEmpty {
                zone = word.count > 3 ? String(word.dropFirst(3)) : "Z"
            } else if word.contains(":"), word.first?.isNumber == true, clock.isEmpty {
                clock = String(word)
            } else if !clock.isEmpty {
                half += word.filter(\.isLetter)
            } else if let number = Int(word), word.utf8.count <= 4 {
                // The year is the last of them, or has four digits.
                if word.utf8.count == 4 || day > 0 { year = number } else { day = number }
            } else if let number = months[String(word)] {
                month = number
            }
        }
        guard month > 0, day > 0, year > 0, let clock = in24Hours(clock, half) else { return nil }
        if year < 100 { year += 2000 }
        return MarkdownDate.local("\(year)-\(month)-\(day) \(clock)\(zone)")
    }

    /// Converts a clock with "AM" or "PM" behind it, in Spanish "a. m.", to 24 hours.
    private static func in24Hours(_ clock: String, _ half: String) -> String? {
        guard let colon = clock.firstIndex(of: ":"), let hour = Int(clock[..<colon]) else { return nil }
        let (isMorning, isEvening) = (half.hasPrefix("am"), half.hasPrefix("pm"))
        guard isMorning || isEvening else { return clock }
        guard (1...12).contains(hour) else { return nil }
        return "\(hour % 12 + (isEvening ? 12 : 0))\(clock[colon...])"
    }
}
