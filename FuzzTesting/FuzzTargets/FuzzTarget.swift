// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A parser of untrusted bytes and what must hold of it for every input.
///
/// Run without end by `vault-fuzz` (`make fuzz`), and over its corpus and changes of it by the tests.
public struct FuzzTarget: Sendable {
    /// Also the name of its corpus in FuzzTesting/Corpora.
    public let name: String
    /// - Returns: whether the promise held: what was accepted is canonical, within its caps, and reads back as itself.
    ///   A trap, an overflow or a sanitizer's report needs no return value.
    public let holds: @Sendable ([UInt8]) -> Bool

    init(_ name: String, _ holds: @escaping @Sendable ([UInt8]) -> Bool) {
        self.name = name
        self.holds = holds
    }

    public static let all = format + spoken + synced + media + imports + texts + [age, page, web, books]

    /// Parsers that have one encoding for each value: what is accepted must be written as it was read.
    static func identity<Value>(
        _ parse: (_ bytes: [UInt8]) throws -> Value, _ encoded: (Value) -> [UInt8], _ bytes: [UInt8]
    ) -> Bool {
        guard let value = try? parse(bytes) else { return true }
        return encoded(value) == bytes
    }

    /// Several parsers in one target: the first byte of the input says which.
    static func choice(_ parsers: [@Sendable ([UInt8]) -> Bool]) -> @Sendable ([UInt8]) -> Bool {
        { bytes in
            guard let first = bytes.first else { return true }
            return parsers[Int(first) % parsers.count](Array(bytes.dropFirst()))
        }
    }
}
