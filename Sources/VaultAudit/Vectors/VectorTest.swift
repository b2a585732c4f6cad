// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto
internal import VaultFormat

/// One test with the group and the file that it stands in. A field that is missing or of another kind is a
/// `VectorFault`.
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

    /// A text, or nil where the file says `null`; the field has to be there.
    func textOrNull(_ name: String) throws -> String? {
        if fields[name] == .null { return nil }
        return try text(name)
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

    /// A size in bits from the group.
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

    /// The test that a field names, which must come before this one: so no chain of them is endless.
    func earlier(_ name: String) throws -> VectorTest {
        let (number, own) = (try integer(name), self.number ?? 0)
        guard number < own, let test = file.tests.first(where: { $0.number == number }) else {
            throw VectorFault("\(name) names no earlier test")
        }
        return test
    }

    /// The test of this file that `base` names.
    func base() throws -> VectorTest {
        let number = try integer("base")
        guard let test = file.tests.first(where: { $0.number == number }) else {
            throw VectorFault("base names no test")
        }
        return test
    }
}
