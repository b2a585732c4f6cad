// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SecretMemory
import Testing
import VaultCrypto

@testable import VaultCore

/// One test of Vectors/archive.json. Shape: Vectors/README.md.
struct ArchiveVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Edit: Decodable, Sendable {
        let op: String
        let offset, bit, size, index, a, b: Int?
        let hex: String?
    }
    private struct Group: Decodable {
        let type: String
        let tests: [ArchiveVector]
    }
    private struct File: Decodable { let testGroups: [Group] }

    let tcId: Int
    let comment: String
    let archive: String?
    let base: Int?
    let edit: [Edit]?
    let recoveryKey: String?
    let password: String?
    let numbers: [UInt64]?
    let stage: String?
    let result: String

    var testDescription: String { "\(tcId) \(comment)" }
    var isValid: Bool { result == "valid" }

    private static let groups: [Group] = {
        let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        guard let data = try? Data(contentsOf: vectors.appending(path: "Vectors/archive.json")) else { return [] }
        return (try? JSONDecoder().decode(File.self, from: data))?.testGroups ?? []
    }()

    static func all(_ type: String) -> [ArchiveVector] { groups.filter { $0.type == type }.flatMap(\.tests) }

    /// The file that this test is about.
    var file: [UInt8] {
        get throws {
            guard let edit else { return Self.bytes(try #require(archive)) }
            let whole = Self.bytes(try #require(Self.groups.flatMap(\.tests).first { $0.tcId == base }?.archive))
            let begin = 6 + Int(whole[4]) << 8 + Int(whole[5])
            return try whole[..<begin] + edit.reduce(Array(whole[begin...])) { try Self.applied($1, to: $0) }
        }
    }

    private static func applied(_ edit: Edit, to stream: [UInt8]) throws -> [UInt8] {
        var chunks = stride(from: 56, to: stream.count, by: 16_400).map {
            Array(stream[$0..<min($0 + 16_400, stream.count)])
        }
        var bytes = stream
        switch edit.op {
        case "flip": bytes[try #require(edit.offset)] ^= 1 << UInt8(try #require(edit.bit))
        case "truncate": return Array(stream.prefix(try #require(edit.size)))
        case "append": return stream + Self.bytes(try #require(edit.hex))
        case "dropChunk": chunks.remove(at: try #require(edit.index))
        case "duplicateChunk": chunks.insert(chunks[try #require(edit.index)], at: try #require(edit.index))
        default:
            try #require(edit.op == "swapChunks")
            chunks.swapAt(try #require(edit.a), try #require(edit.b))
        }
        return edit.op == "flip" ? bytes : Array(stream[..<56]) + chunks.joined()
    }

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Its reader, unlocked; a recovery key that is none is refused like one that opens nothing.
    func reader(_ descriptor: Int32) throws -> ArchiveReader {
        let reader = try ArchiveReader(descriptor) { _ in true }
        if let password {
            try reader.unlock(.password(secret(Self.bytes(password))))
        } else {
            switch RecoveryKey.parse(secret(Array(try #require(recoveryKey).utf8))) {
            case .none: throw VaultError(.wrongPassword)
            case .some(let key): try reader.unlock(.recoveryKey(key))
            }
        }
        return reader
    }
}
