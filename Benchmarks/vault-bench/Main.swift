// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import SecretMemory
import VaultCore
import VaultCrypto

/// Times the same work on the sealed index and on plain SQLite: same tables, same tokenizer, same folded text, same
/// page size, cache and synchronous=FULL. Not installed.
///
///     vault-bench import plain|sealed DIR DB      every .md file below DIR, 200 notes a transaction
///     vault-bench commit plain|sealed DB COUNT    one note a transaction
@main
struct Main {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 5, ["plain", "sealed"].contains(words[2]) else {
            print("usage: vault-bench import plain|sealed DIR DB | commit plain|sealed DB COUNT")
            exit(2)
        }
        let isSealed = words[2] == "sealed"
        switch words[1] {
        case "import":
            let texts = try texts(below: words[3])
            let subject = try subject(isSealed, at: words[4])
            let seconds = try measure { try importAll(texts, into: subject) }
            print("{\"seconds\":\(seconds),\"notes\":\(texts.count)}")
        case "commit":
            let subject = try subject(isSealed, at: words[3])
            let times = try (0..<(Int(words[4]) ?? 100)).map { index in
                try measure {
                    try subject.save([
                        NoteDraft(body: "note \(index): a line of text that is not long, and some more words")
                    ])
                }
            }.sorted()
            print(
                "{\"medianMicroseconds\":\(times[times.count / 2] * 1e6),\"p90Microseconds\":\(times[times.count * 9 / 10] * 1e6)}"
            )
        default: exit(2)
        }
    }

    private static func importAll(_ texts: [String], into subject: any BenchSubject) throws {
        for begin in stride(from: 0, to: texts.count, by: 200) {
            try subject.save(texts[begin..<min(begin + 200, texts.count)].map { NoteDraft(body: $0) })
        }
        try subject.finish()
    }

    private static func texts(below folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }.sorted()
        return try names.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
    }

    private static func subject(_ isSealed: Bool, at path: String) throws -> any BenchSubject {
        isSealed ? try SealedSubject(path: path) : try PlainSubject(path: path)
    }

    private static func measure(_ work: () throws -> Void) rethrows -> Double {
        let begin = ContinuousClock.now
        try work()
        return Double(begin.duration(to: .now) / .microseconds(1)) / 1e6
    }
}
