// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting

/// A test of Vectors/age.json, with its file put together.
struct AgeVector: CustomTestStringConvertible, Sendable {
    let name: String
    let identities: [String]
    let passphrases: [String]
    let isArmored: Bool
    let outcome: String
    let payloadSha256: String?
    let file: [UInt8]

    var testDescription: String { name }

    /// All tests of the file; empty when it cannot be read, which a test of its own notices.
    static let all: [AgeVector] = (try? load()) ?? []

    private static func load() throws -> [AgeVector] {
        let data = try Data(contentsOf: Repository.root.appending(path: "Vectors/age.json"))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let groups = try #require(document["testGroups"] as? [[String: Any]])
        var files: [Int: [UInt8]] = [:]
        return try groups.flatMap { $0["tests"] as? [[String: Any]] ?? [] }.map { fields in
            let file: [UInt8]
            if let text = fields["file"] as? String {
                file = Array(try #require(Data(base64Encoded: text)))
            } else {
                let base = try #require(fields["base"] as? Int)
                file = try #require(files[base]) + bytes(try #require(fields["tail"] as? String))
            }
            let number = try #require(fields["tcId"] as? Int)
            files[number] = file
            return AgeVector(
                name: try #require(fields["comment"] as? String), identities: fields["identities"] as? [String] ?? [],
                passphrases: fields["passphrases"] as? [String] ?? [], isArmored: fields["armored"] as? Bool ?? false,
                outcome: fields["stage"] as? String ?? "success", payloadSha256: fields["payloadSha256"] as? String,
                file: file)
        }
    }

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}
