// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextReading

/// `FormFields` is a request's body: names and values as `application/x-www-form-urlencoded` has them (WHATWG URL,
/// section 5.1), under a media type of our own, which no form of another page can send.
package struct FormFields {
    static let mediaType = "application/vnd.notevault.fields"
    package static let countMax = 1000

    package private(set) var values: [(name: String, value: String)] = []

    /// Reads fields; nil for what is not UTF-8, has a sign without its digits, or more fields than `countMax`.
    package init?(parsing bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        for part in text.split(separator: "&") {
            guard values.count < Self.countMax else { return nil }
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decoded(pair[0], plusIsSpace: true),
                let value = PercentCoding.decoded(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            values.append((name, value))
        }
    }

    /// Returns the first value of a name; nil when there is none.
    subscript(name: String) -> String? { values.first { $0.name == name }?.value }
    package func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }
    func text(_ name: String) -> String { self[name] ?? "" }
    func flag(_ name: String) -> Bool { self[name] == "1" }
    func number(_ name: String) -> UInt32? { self[name].flatMap { UInt32($0) } }
}
