// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import VaultCrypto
internal import VaultFormat

/// `VectorTest` holds one test with the group and the file that it stands in. A field that is missing or of another
/// kind is a `VectorFault`.
struct VectorTest {
    let file: VectorFile
    let group: [String: JSONValue]
    let fields: [String: JSONValue]

    var number: Int? { fields["tcId"]?.integer }
    var type: String { group["type"]?.text ?? "" }

    func has(_ name: String) -> Bool { fields[name] != nil }

    func bytes(_ name: String) throws -> [UInt8] {
        guard let value = fields[name]?.bytes else { throw VectorFault("\(name) is missing or not hexadecimal") }
        return value
    }

    func text(_ name: String) throws -> String {
        guard let value = fields[name]?.text else { throw VectorFault("\(name) is missing or not text") }
        return value
    }

    /// Returns a text, or nil where the file says `null`; the field has to be there.
    func textOrNull(_ name: String) throws -> String? {
        if fields[name] == .null { return nil }
        return try text(name)
    }

    /// Returns bytes, or none where the file says `null`; the field has to be there.
    func bytesOrNone(_ name: String) throws -> [UInt8] { try fields[name] == .null ? [] : bytes(name) }

    /// Returns the fields of an object, as a test of its own.
    func part(_ name: String) throws -> VectorTest {
        guard let object = fields[name]?.object else { throw VectorFault("\(name) is missing or not an object") }
        return VectorTest(file: file, group: group, fields: object)
    }

    func integer(_ name: String) throws -> Int {
        guard let value = fields[name]?.integer else { throw VectorFault("\(name) is missing or not an integer") }
        return value
    }

    func number<N: FixedWidthInteger>(_ name: String, as type: N.Type = N.self) throws -> N {
        if case .large(let large) = fields[name], let value = N(exactly: large) { return value }
        guard let value = N(exactly: try integer(name)) else { throw VectorFault("\(name) is out of range") }
        return value
    }

    func flag(_ name: String) throws -> Bool {
        guard let value = fields[name]?.flag else { throw VectorFault("\(name) is missing or neither true nor false") }
        return value
    }

    func list(_ name: String) throws -> [JSONValue] {
        guard let value = fields[name]?.list else { throw VectorFault("\(name) is missing or not a list") }
        return value
    }

    /// Returns a size in bits from the group.
    func groupSize(_ name: String) throws -> Int {
        guard let value = group[name]?.integer else { throw VectorFault("the group's \(name) is missing") }
        return value
    }

    /// The group's hash, or the one in the algorithm's name, as in Wycheproof's HMACSHA256; nil when it is not one of
    /// ours.
    var hash: Hash? {
        let name = (group["hash"]?.text ?? file.algorithm).uppercased().filter { $0 != "-" }
        if name.hasSuffix("SHA256"), !name.hasSuffix("512/256") { return .sha256 }
        return name.hasSuffix("SHA512") ? .sha512 : nil
    }

    /// Returns the test that a field names, which must come before this one: so no chain of them is endless.
    func earlier(_ name: String) throws -> VectorTest {
        let (number, own) = (try integer(name), self.number ?? 0)
        guard number < own, let test = file.tests.first(where: { $0.number == number }) else {
            throw VectorFault("\(name) names no earlier test")
        }
        return test
    }

    /// Returns the test of this file that `base` names.
    func base() throws -> VectorTest {
        let number = try integer("base")
        guard let test = file.tests.first(where: { $0.number == number }) else {
            throw VectorFault("base names no test")
        }
        return test
    }
}

/// `VectorFile` holds a file of vectors as read, before anything of it was run. Shape: Vectors/README.md.
struct VectorFile {
    /// Larger files are refused, in bytes.
    static let byteCountMax = 64 << 20

    let algorithm: String
    /// What the file says of itself.
    let numberOfTests: Int
    private let notes: Set<String>
    private let groups: [[String: JSONValue]]

    /// Reads a file of vectors, and checks its shape.
    ///
    /// - Throws: `VectorFault`.
    init(parsing bytes: [UInt8]) throws {
        guard bytes.count <= Self.byteCountMax else { throw VectorFault("larger than \(Self.byteCountMax) bytes") }
        guard let root = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)).object else {
            throw VectorFault("not a JSON object")
        }
        guard let count = root["numberOfTests"]?.integer else { throw VectorFault("numberOfTests is missing") }
        guard let groups = root["testGroups"]?.list else { throw VectorFault("testGroups is missing") }
        algorithm = root["algorithm"]?.text ?? ""
        numberOfTests = count
        notes = Set((root["notes"]?.object ?? [:]).keys)
        self.groups = try groups.map { group in
            guard let fields = group.object, fields["tests"]?.list != nil else {
                throw VectorFault("a group has no tests")
            }
            return fields
        }
    }

    /// All tests in their order.
    var tests: [VectorTest] {
        groups.flatMap { group in
            (group["tests"]?.list ?? []).map { VectorTest(file: self, group: group, fields: $0.object ?? [:]) }
        }
    }

    /// Returns whether each flag of a test is explained.
    func explainsFlags(of test: VectorTest) -> Bool {
        (test.fields["flags"]?.list ?? []).allSatisfy { flag in flag.text.map(notes.contains) ?? false }
    }
}

/// A `VectorFault` says that the test itself cannot be run as it stands: a field is missing or makes no sense. Always a
/// failure, whatever was expected.
struct VectorFault: Error {
    /// In our words, never in the file's.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// `JSONValue` is any JSON, for files whose fields are known only once their type is.
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
