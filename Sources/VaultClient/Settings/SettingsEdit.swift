// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SettingsEdit` changes one setting in the text of config.toml and leaves every other byte as it is: comments, order,
/// blank lines.
struct SettingsEdit {
    private var lines: [Line]
    private static let lineFeed: UInt8 = 0x0A

    /// `Line` is one line, without its end.
    private struct Line {
        var text: String
        /// The text ended with a line feed here.
        var isEnded: Bool
    }

    init(_ text: String) {
        let parts = text.utf8.split(separator: Self.lineFeed, omittingEmptySubsequences: false)
        lines = parts.enumerated().map {
            Line(text: String(decoding: $0.element, as: UTF8.self), isEnded: $0.offset < parts.count - 1)
        }
        if lines.last?.text.isEmpty == true { lines.removeLast() }
    }

    var text: String { lines.map { $0.text + ($0.isEnded ? "\n" : "") }.joined() }

    /// Replaces the value on the key's line, or adds a line to its table.
    mutating func set(_ key: SettingKey, to value: String) {
        let written = Self.quoted(value)
        if let index = index(of: key), let line = SettingsLine(lines[index].text) {
            lines[index].text = line.replacingValue(with: written)
            return
        }
        let place = key.place
        guard let table = place.table else { return insert("\(place.name) = \(written)", at: endOfRoot) }
        if let end = end(of: table) { return insert("\(place.name) = \(written)", at: end) }
        if lines.last.map({ !$0.text.isEmpty }) ?? false { insert("", at: lines.count) }
        insert("[\(table)]", at: lines.count)
        insert("\(place.name) = \(written)", at: lines.count)
    }

    /// Takes the key's line away.
    ///
    /// - Returns: whether there was one.
    mutating func unset(_ key: SettingKey) -> Bool {
        guard let index = index(of: key) else { return false }
        lines.remove(at: index)
        return true
    }

    private mutating func insert(_ text: String, at index: Int) {
        if index == lines.count, !lines.isEmpty { lines[index - 1].isEnded = true }
        // A file of another system keeps its line ends.
        let isDOS = lines.first?.text.utf8.last == 0x0D
        lines.insert(Line(text: isDOS ? text + "\r" : text, isEnded: true), at: index)
    }

    private func index(of key: SettingKey) -> Int? {
        var table: [String] = []
        for (index, line) in lines.enumerated() {
            if let header = SettingsLine.header(line.text) { table = header }
            if let path = SettingsLine(line.text)?.path, (table + path).joined(separator: ".") == key.rawValue {
                return index
            }
        }
        return nil
    }

    /// Returns the place behind the last line of a table that says something; nil when the table has no heading.
    private func end(of table: String) -> Int? {
        guard let begin = lines.firstIndex(where: { SettingsLine.header($0.text) == [table] }) else { return nil }
        let next = lines[(begin + 1)...].firstIndex { SettingsLine.isHeader($0.text) } ?? lines.count
        let last = lines[begin..<next].lastIndex { !SettingsLine.isEmpty($0.text) } ?? begin
        return last + 1
    }

    /// Settings without a table stand before the first heading, above the comment that belongs to it.
    private var endOfRoot: Int {
        var end = lines.firstIndex { SettingsLine.isHeader($0.text) } ?? lines.count
        guard end < lines.count else { return end }
        while end > 0, SettingsLine.isEmpty(lines[end - 1].text) { end -= 1 }
        return end
    }

    /// Returns a basic string of TOML.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
