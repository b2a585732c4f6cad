// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Numbers and text as bytes, for the fixtures.
func be16(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)] }
func be32(_ value: Int) -> [UInt8] { be16(value >> 16) + be16(value) }
func le16(_ value: Int) -> [UInt8] { be16(value).reversed() }
func le32(_ value: Int) -> [UInt8] { be32(value).reversed() }
func text(_ text: String) -> [UInt8] { Array(text.utf8) }
/// For long chains, which take the compiler long to see through if written with "+".
func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }
func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

extension [UInt8] {
    func contains(text wanted: String) -> Bool { contains(bytes: Array(wanted.utf8)) }

    func contains(bytes wanted: [UInt8]) -> Bool {
        guard count >= wanted.count, let first = wanted.first else { return false }
        return indices.contains { self[$0] == first && self[$0...].starts(with: wanted) }
    }
}
