// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import VaultTesting

/// The vectors of this repository.
enum VectorFolder {
    static let path = Repository.root.appending(path: "Vectors").path

    static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted()

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    /// A file of one group with one test.
    static func file(type: String = "PadmeTest", test: String, count: Int = 1, notes: String = "{}") -> [UInt8] {
        Array(
            """
            {"algorithm": "Padme", "numberOfTests": \(count), "notes": \(notes),
             "testGroups": [{"type": "\(type)", "tests": [\(test)]}]}
            """.utf8)
    }
}
