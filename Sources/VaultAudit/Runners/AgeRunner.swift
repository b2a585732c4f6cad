// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignCrypto
internal import Foundation
internal import SecretMemory
internal import VaultCrypto

/// `AgeRunner` tests files of age, which we write only for export.
enum AgeRunner {
    /// Opens the file with all identities, or else with each passphrase; all must come to the same end.
    static func age(_ test: VectorTest) throws -> Verdict {
        let file = try file(test)
        let form: AgeReader.Form = try test.flag("armored") ? .armored : .binary
        var verdicts: [Verdict] = []
        for passphrase in try texts(test, "passphrases") {
            let key = try AgePassphrase(SecretBytes(array: Array(passphrase.utf8)))
            verdicts.append(
                try verdict(test) { () throws(AgeError) in
                    try unsafe AgeReader(passphrase: key, form: form, source: source(file))
                })
        }
        let identities = try texts(test, "identities").map {
            try AgeIdentity(parsing: SecretBytes(array: Array($0.utf8)))
        }
        if verdicts.isEmpty || !identities.isEmpty {
            verdicts.append(
                try verdict(test) { () throws(AgeError) in
                    try unsafe AgeReader(identities: identities, form: form, source: source(file))
                })
        }
        return verdicts.first { $0.words != verdicts[0].words } ?? verdicts[0]
    }

    private static func verdict(_ test: VectorTest, _ open: () throws(AgeError) -> AgeReader) throws -> Verdict {
        var content: [UInt8] = []
        var stage: String?
        do throws(AgeError) {
            let reader = try open()
            var piece = [UInt8](repeating: 0, count: 65_536)
            while true {
                let got = try unsafe piece.withUnsafeMutableBufferPointer { target throws(AgeError) in
                    try unsafe reader.read(into: UnsafeMutableRawBufferPointer(target))
                }
                if got == 0 { break }
                content += piece[..<got]
            }
        } catch { stage = Self.stage(error) }
        if test.has("payloadSha256") {
            guard try Digest.sha256(content) == test.bytes("payloadSha256") else { return .differs("payload") }
        } else if !content.isEmpty {
            return .differs("payload")
        }
        return stage.map { .refused(stage: $0, error: nil) } ?? .accepted
    }

    /// Returns CCTV's words for the steps.
    private static func stage(_ error: AgeError) -> String {
        switch (error.code, error.part) {
        case (.noMatch, _): "no match"
        case (_, .armor): "armor failure"
        case (_, .header): "header failure"
        case (_, .headerTag): "HMAC failure"
        case (_, .payload): "payload failure"
        case (_, nil): "another"
        }
    }

    private static func file(_ test: VectorTest) throws -> [UInt8] {
        if test.has("base") { return try file(test.base()) + test.bytes("tail") }
        guard let data = Data(base64Encoded: try test.text("file")) else { throw VectorFault("file is not base64") }
        return Array(data)
    }

    private static func texts(_ test: VectorTest, _ name: String) throws -> [String] {
        guard test.has(name) else { return [] }
        return try test.list(name).map { value in
            guard let text = value.text else { throw VectorFault("\(name) holds something other than texts") }
            return text
        }
    }

    private static func source(_ file: [UInt8]) -> AgeReader.Source {
        var taken = 0
        return { target throws(AgeError) in
            let count = min(target.count, file.count - taken)
            unsafe target.copyBytes(from: file[taken..<taken + count])
            taken += count
            return count
        }
    }
}
