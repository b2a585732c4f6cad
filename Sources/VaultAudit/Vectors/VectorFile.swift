// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation

/// A file of vectors as read, before anything of it was run. Shape: Vectors/README.md.
struct VectorFile {
    /// Larger files are refused, in bytes.
    static let byteCountMax = 64 << 20

    let algorithm: String
    /// What the file says of itself.
    let numberOfTests: Int
    private let notes: Set<String>
    private let groups: [[String: JSONValue]]

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

    /// Whether each flag of a test is explained.
    func explainsFlags(of test: VectorTest) -> Bool {
        (test.fields["flags"]?.list ?? []).allSatisfy { flag in flag.text.map(notes.contains) ?? false }
    }
}
