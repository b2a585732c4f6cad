// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignCrypto
import Foundation
import Testing

/// Headers that want much memory or time.
struct AgeHostileHeaderTests {
    private static let share = String(repeating: "A", count: 43)

    private func error(_ text: String) throws -> AgeError? {
        try Age.opened(Array(text.utf8), identities: [Age.identity()]).error
    }

    @Test func aHeaderThatNeverEndsIsReadUpToItsCap() throws {
        let starts = ["age-encryption.org/v1\n-> ", "age-encryption.org/v1\n-> a\n", "age-encryption.org/v1\n", ""]
        for start in starts {
            for filler in [UInt8(ascii: "A"), 0] {
                var given = 0
                #expect(throws: AgeError.self) {
                    try unsafe AgeReader(identities: [Age.identity()]) { target throws(AgeError) in
                        let head = given == 0 ? Array(start.utf8) : []
                        for index in target.indices { unsafe target[index] = index < head.count ? head[index] : filler }
                        given += target.count
                        return target.count
                    }
                }
                #expect(given <= 512 * 1024, "\(start.debugDescription) \(filler)")
            }
        }
    }

    @Test func stanzasHaveANumber() throws {
        let start = "age-encryption.org/v1\n"
        let fits = start + String(repeating: "-> g\n\n", count: 1024) + "--- \(Self.share)\n"
        let exceeds = start + String(repeating: "-> g\n\n", count: 1025) + "--- \(Self.share)\n"
        #expect(try error(fits)?.code == .noMatch)
        #expect(try error(exceeds) == AgeError(.tooLarge, in: .header))
    }

    @Test func aHeaderWithoutStanzasIsNone() throws {
        #expect(try error("age-encryption.org/v1\n--- \(Self.share)\n") == AgeError(.damaged, in: .header))
    }

    @Test func longBodiesOfOthersAreIgnored() throws {
        let body = String(repeating: String(repeating: "A", count: 64) + "\n", count: 200)
        #expect(try error("age-encryption.org/v1\n-> other x y z\n\(body)\n--- \(Self.share)\n")?.code == .noMatch)
    }

    @Test(arguments: [
        "age-encryption.org/v2\n", "age-encryption.org/v10\n", "age-encryption.org/v1 \n", "age-encryption.org/\n",
        "age\n", "\u{0}",
    ])
    func onlyVersionOneIsRead(text: String) throws {
        let isAnother = text.hasPrefix("age-encryption.org/v") && !text.contains(" ")
        #expect(try error(text + "-> a\n\n") == AgeError(isAnother ? .unsupported : .damaged, in: .header))
    }

    /// Refused at once: 2^63 would take all memory and time there is.
    @Test(arguments: ["23", "30", "63", "64", "99", "100", "18446744073709551616", String(repeating: "9", count: 5000)])
    func expensivePassphrasesAreRefusedBeforeTheWork(factor: String) throws {
        let text =
            "age-encryption.org/v1\n-> scrypt AAAAAAAAAAAAAAAAAAAAAA \(factor)\n\(Self.share)\n--- \(Self.share)\n"
        let begin = ContinuousClock.now
        #expect(
            Age.opened(Array(text.utf8), passphrase: try Age.passphrase("x")).error
                == AgeError(.tooExpensive, in: .header))
        #expect(ContinuousClock.now - begin < .seconds(1))
        #expect(try error(text)?.code == .noMatch)
    }

    /// A body that is longer, shorter or not text: refused before a key is derived, whoever it is for.
    @Test(arguments: [
        "", "AAAA", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
        String(repeating: "A", count: 64) + "\nAAAA",
    ])
    func bodiesOfAnotherSizeAreRefused(body: String) throws {
        for arguments in ["X25519 \(Self.share)", "scrypt AAAAAAAAAAAAAAAAAAAAAA 1"] {
            let text = "age-encryption.org/v1\n-> \(arguments)\n\(body)\n--- \(Self.share)\n"
            #expect(try error(text) == AgeError(.damaged, in: .header))
            #expect(
                Age.opened(Array(text.utf8), passphrase: try Age.passphrase("x")).error
                    == AgeError(.damaged, in: .header))
        }
    }

    /// 16 MiB of anything ends soon.
    @Test(arguments: [UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "a"), 0xff])
    func largeNonsenseEndsAtOnce(byte: UInt8) throws {
        let begin = ContinuousClock.now
        #expect(
            try Age.opened([UInt8](repeating: byte, count: 16 << 20), identities: [Age.identity()]).error?.code
                == .damaged)
        #expect(ContinuousClock.now - begin < .seconds(2))
    }
}
