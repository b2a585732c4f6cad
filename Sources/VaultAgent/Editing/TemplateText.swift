// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Dates
internal import VaultCore
internal import VaultFormat

/// `TemplateText` is a template's text with its blanks filled in: `{{date}}`, `{{time}}`, `{{weekday}}`,
/// `{{yesterday}}`, `{{tomorrow}}`, `{{title}}`. Other braces stay as they are.
struct TemplateText {
    let title: String
    let day: CivilTime

    /// Takes what the blanks are filled in with.
    ///
    /// - Parameter day: the day that the note is of, with the time of now.
    init(title: String, day: CivilTime) {
        self.title = title
        self.day = day
    }

    /// Returns the text with its blanks filled in; braces that are not a blank stay.
    ///
    /// - Throws: `VaultError.tooLarge` when what is filled in makes it more than a note may hold.
    func expanded(_ text: String) throws(VaultError) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.range(of: "{{") {
            result += rest[..<open.lowerBound]
            rest = rest[open.lowerBound...]
            guard result.utf8.count <= NoteRecord.bodyByteCountMax else { throw VaultError(.tooLarge) }
            // A blank's name is short: no more is looked at, however many braces there are.
            guard let close = rest.prefix(32).range(of: "}}"),
                let value = value(of: rest[open.upperBound..<close.lowerBound])
            else {
                result += "{{"
                rest = rest[open.upperBound...]
                continue
            }
            result += value
            rest = rest[close.upperBound...]
        }
        return result + rest
    }

    private func value(of name: Substring) -> String? {
        switch name.trimmed {
        case "date": return CivilDay(day).iso
        case "time": return "\(padded(day.hour)):\(padded(day.minute))"
        case "weekday": return Self.weekdays[((day.dayNumber + 4) % 7 + 7) % 7]
        case "yesterday": return CivilDay(CivilTime(milliseconds: Int64(day.dayNumber - 1) * 86_400_000)).iso
        case "tomorrow": return CivilDay(CivilTime(milliseconds: Int64(day.dayNumber + 1) * 86_400_000)).iso
        case "title": return title
        default: return nil
        }
    }

    /// 1970-01-01 was a Thursday.
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }

    /// Returns the first place of a mark of ASCII characters.
    fileprivate func range(of mark: String) -> Range<Substring.Index>? {
        let wanted = Array(mark.utf8)
        var index = startIndex
        while let found = utf8[index...].firstIndex(of: wanted[0]) {
            if utf8[found...].starts(with: wanted) { return found..<utf8.index(found, offsetBy: wanted.count) }
            index = utf8.index(after: found)
        }
        return nil
    }
}
