// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SecretMemory
import Testing

@testable import VaultClient

struct PasswordStrengthTests {
    private func weaknesses(_ text: String) -> [PasswordStrength.Weakness] {
        let bytes = Array(text.utf8)
        let secret = unsafe SecretBytes(byteCount: bytes.count) { target in unsafe target.copyBytes(from: bytes) }
        return PasswordStrength.weaknesses(of: secret)
    }

    @Test(arguments: [
        "a river sings at nine", "Vx9#kLm2$pQz7!", "grüne Wolken über Land", "kupfer-salbei-anker-mond-zwölf",
    ])
    func aLongUncommonOneIsNotWarnedOf(_ text: String) { #expect(weaknesses(text).isEmpty) }

    @Test(arguments: [
        "password", "Password1", "P@ssw0rd!", "passw0rd2024!!", "LETMEIN", "qwertz123456", "1lOveyOu", "!!dragon!!",
        "Sommer2026",
        "correcthorsebatterystaple", "1q2w3e4r5t", "m0nkey12345678",
    ])
    func aCommonOneIsFoundInItsUsualDisguises(_ text: String) { #expect(weaknesses(text).contains(.common)) }

    @Test(arguments: ["aaaaaaaaaaaaaaaa", "abcabcabcabcabc", "121212121212121", "xyxyxyxyxyxyxyx", "hahahahahahaha"])
    func repetitionIsFound(_ text: String) { #expect(weaknesses(text).contains(.repetition)) }

    @Test(arguments: [
        "abcdefghijklmnop", "zyxwvutsrqponm", "12345678901234", "qwertyuiopasdf", "ASDFGHJKLasdfg", "9876543210987",
    ])
    func sequencesAreFoundBothWays(_ text: String) { #expect(weaknesses(text).contains(.sequence)) }

    @Test func charactersAreCountedNotBytes() {
        #expect(weaknesses("ÄÖÜäöüßéèñõ").contains(.short))
        #expect(!weaknesses("ÄÖÜäöüßéèñõç").contains(.short))
    }

    @Test func oneByteAndTheLongestAreJudgedWithoutATrap() {
        #expect(weaknesses("x").contains(.short))
        #expect(weaknesses(String(repeating: "q", count: 4096)).contains(.repetition))
    }

    @Test func theListIsLongAndItsWordsAreInPlainForm() {
        #expect(CommonPasswords.words.count >= 150)
        for word in CommonPasswords.words {
            #expect(word.description == word.description.lowercased(), "\(word)")
        }
    }
}
