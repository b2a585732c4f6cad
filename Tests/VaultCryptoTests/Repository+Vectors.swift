// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SecretMemory
import VaultCrypto
import VaultTesting

/// Files of this repository: sources, for claims about the code itself, and vectors.
extension Repository {
    /// Swift files of a module, by their names; empty where the module is not there.
    static func sources(_ module: String) throws -> [String: String] {
        let folder = root.appending(path: "Sources").appending(path: module).resolvingSymlinksInPath()
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var sources: [String: String] = [:]
        for name in names where name.hasSuffix(".swift") {
            sources[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        return sources
    }

    /// The tests of all groups of a file of vectors, as they stand there.
    static func tests(_ name: String) throws -> [[[String: Any]]] {
        let data = try Data(contentsOf: root.appending(path: "Vectors").appending(path: name))
        let file = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return (file?["testGroups"] as? [[String: Any]] ?? []).map { $0["tests"] as? [[String: Any]] ?? [] }
    }
}

extension [String: Any] {
    /// A field in hexadecimal.
    func bytes(_ name: String) -> [UInt8] {
        let digits = Array((self[name] as? String ?? "").utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}

extension SecretBytes {
    init(array: [UInt8]) { unsafe self.init(byteCount: array.count) { target in unsafe target.copyBytes(from: array) } }
    var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension SymmetricKey {
    convenience init(array: [UInt8]) throws { try self.init(SecretBytes(array: array)) }
    convenience init(repeating byte: UInt8) throws { try self.init(array: [UInt8](repeating: byte, count: 32)) }
    var array: [UInt8] { duplicateSecret().array }
}

/// As much memory as no machine has: leaves only the fixed limits of a cost.
let anyMemory = UInt64.max
