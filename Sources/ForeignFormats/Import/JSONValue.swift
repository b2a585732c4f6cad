// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A JSON text as a value. Source: RFC 8259; strict, but for a lone surrogate, which becomes U+FFFD.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// - Returns: nil unless all of it is one value, nested at most 64 deep.
    static func parse(_ bytes: [UInt8]) -> JSONValue? {
        var parser = JSONParser(bytes)
        return parser.document()
    }

    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var items: [JSONValue] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    var isTrue: Bool { self == .bool(true) }
}
