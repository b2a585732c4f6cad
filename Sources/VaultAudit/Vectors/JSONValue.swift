// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Any JSON, for files whose fields are known only once their type is.
enum JSONValue: Decodable, Equatable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    /// From 2^63 to 2^64 - 1.
    case large(UInt64)
    case fraction(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .large(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? container.decode(Double.self) {
            self = .fraction(value)
        } else if container.decodeNil() {
            self = .null
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither a value nor a container")
        }
    }

    var text: String? { if case .text(let value) = self { value } else { nil } }
    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
    var list: [JSONValue]? { if case .list(let value) = self { value } else { nil } }
    var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// Hexadecimal text as bytes, or nil.
    var bytes: [UInt8]? { text.flatMap(Hexadecimal.decode) }
}
