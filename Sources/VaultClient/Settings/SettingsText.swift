// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import TOMLKit

/// `SettingsText` reads the text of config.toml by the rules of the settings.
enum SettingsText {
    /// Reads the settings; a name that is not known becomes a warning.
    ///
    /// - Throws: `.usage` for a text that is no TOML, or a value that its setting does not take.
    static func parse(_ bytes: [UInt8], path: String) throws(ClientFailure) -> Settings {
        var texts: [SettingKey: String] = [:]
        var warnings: [String] = []
        for (name, value) in try values(bytes, path: path).sorted(by: { $0.key < $1.key }) {
            guard let key = SettingKey(rawValue: name) else {
                warnings.append(unknown(name, path))
                continue
            }
            guard case .text(let text) = value, key.rule.accepts(text) else {
                throw .usage(
                    "\(key.rawValue) in \(VisibleText.escaped(path)) must be \(key.rule.expectation)",
                    hint: "vault config edit")
            }
            texts[key] = text
        }
        return Settings(texts: texts, warnings: warnings)
    }

    /// `Value` is a value of the file, as far as settings care.
    enum Value: Equatable {
        case text(String)
        /// Another kind, in TOML's own writing.
        case other(String)
    }

    /// Returns all values of a text under their full names, such as `lock.idle`.
    static func values(_ bytes: [UInt8], path: String) throws(ClientFailure) -> [String: Value] {
        // The parser takes a C string: what stands behind a NUL would not be seen.
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .usage("\(VisibleText.escaped(path)) is not UTF-8 text", hint: "vault config edit")
        }
        if let line = brokenHeading(bytes) {
            throw .usage(
                "\(VisibleText.escaped(path)), line \(line): a table's name is missing", hint: "vault config edit")
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw .usage(
                "\(VisibleText.escaped(path)), line \(error.source.begin.line): \(VisibleText.escaped(error.description))",
                hint: "vault config edit")
        } catch {
            throw .usage("\(VisibleText.escaped(path)) is not TOML", hint: "vault config edit")
        }
        var values: [String: Value] = [:]
        collect(table, prefix: "", depth: 0, into: &values)
        return values
    }

    /// Returns the first line that begins as a table's heading without a name behind it: the parser (toml++ 3, in
    /// TOMLKit 0.6.0) does not refuse such a line but ends the process with an assertion.
    static func brokenHeading(_ bytes: [UInt8]) -> Int? {
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            var rest = line.drop { $0 == 0x20 || $0 == 0x09 }
            guard rest.first == 0x5B else { continue }
            rest = rest.dropFirst()
            if rest.first == 0x5B { rest = rest.dropFirst() }
            let begin = rest.first { $0 != 0x20 && $0 != 0x09 }
            let isName = begin.map { byte in
                byte == 0x22 || byte == 0x27 || byte == 0x2D || byte == 0x5F
                    || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
                    || (byte >= 0x30 && byte <= 0x39)
            }
            if isName != true { return index + 1 }
        }
        return nil
    }

    /// Collects the values of a table. Settings are at most two tables deep; what lies deeper is unknown as a whole.
    private static func collect(_ table: TOMLTable, prefix: String, depth: Int, into values: inout [String: Value]) {
        for name in table.keys {
            guard let value = table[name] else { continue }
            if let inner = value.table, depth < 1 {
                collect(inner, prefix: prefix + name + ".", depth: depth + 1, into: &values)
            } else {
                values[prefix + name] = value.string.map(Value.text) ?? .other(value.debugDescription)
            }
        }
    }

    private static func unknown(_ name: String, _ path: String) -> String {
        let near = SettingKey.nearest(to: name)
        return "\(VisibleText.escaped(path)): there is no setting '\(VisibleText.escaped(name))'"
            + (near.map { "; did you mean '\($0)'?" } ?? "")
    }
}
