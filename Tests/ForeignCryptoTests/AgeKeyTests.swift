// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignCrypto
import SecretMemory
import Testing

struct AgeKeyTests {
    /// The examples of c2sp.org/age.
    @Test func theKeysOfTheSpecificationBelongTogether() throws {
        let identity = try Age.identity("AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX")
        let text = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
        #expect(identity.recipient.text == text)
        #expect(try AgeRecipient(parsing: text) == identity.recipient)
    }

    @Test(arguments: [
        "", "age1", "age", " age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj\n",
        "AGE1ZVKYG2LQZRAA2LNJVQEJ32NKUU0UES2S82HZRYE869XEEXVN73EQUNUJWJ",
        "Age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwJ",
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwk",
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujw",
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwjj",
        "agf1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
        "age1bvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujw\u{e9}",
    ])
    func whatIsNotExactlyARecipientIsRefused(text: String) {
        #expect(throws: AgeError(.badKey)) { try AgeRecipient(parsing: text) }
    }

    @Test(arguments: [
        "age1pq1x34nzsvr0rxjsgdn8zgyhfe8j7", "age1tag1qt8lw0ual6avlwmwatk888yqnmdamm7xfd0wak53ut6elz5c4swx2yqdj4e",
        "age1yubikey1qwt50d05nh5vutpdz",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsKLqeplhpW+uObz5dvMgjz1OxfM/XXUB+VHtZ6isGN",
    ])
    func recipientsOfOtherKindsAreNamedAsSuch(text: String) {
        #expect(throws: AgeError(.unsupported)) { try AgeRecipient(parsing: text) }
    }

    /// Bech32 with a right checksum: of zeros, a point of order 8, and 52 groups that end with bits set after the last
    /// byte.
    @Test(arguments: RecipientTexts.refused)
    func aRecipientThatSharesNoSecretIsRefused(text: String) {
        #expect(throws: AgeError(.badKey)) { try AgeRecipient(parsing: text) }
    }

    @Test(arguments: [
        "", "AGE-SECRET-KEY-1", Age.identityText.lowercased(), Age.identityText + "\n",
        String(Age.identityText.dropLast()),
        Age.identityText.replacingLast("0", with: "2"), Age.identityText.replacingLast("M", with: "m"),
        "AGE-SECRET-KEY-PQ-1XX76JRALNLXDMEW0CRK45QMCCH4X06SE84UN3VPM33W6HWDX0H3SK3ZQFR",
        "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj",
    ])
    func whatIsNotExactlyAnIdentityIsRefused(text: String) {
        #expect(throws: AgeError(.badKey)) { try Age.identity(text) }
    }

    @Test func anEmptyPassphraseIsRefused() {
        #expect(throws: AgeError(.badKey)) { try AgePassphrase(SecretBytes(zeroes: 0)) }
    }

    @Test func everyCodeHasASentenceOfItsOwn() {
        let sentences = AgeError.Code.allCases.map { AgeError($0).sentence }
        #expect(Set(sentences).count == 8)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    }
}

extension String {
    fileprivate func replacingLast(_ one: Character, with other: Character) -> String {
        guard let at = lastIndex(of: one) else { return self }
        return replacingCharacters(at, with: other)
    }

    private func replacingCharacters(_ at: Index, with other: Character) -> String {
        String(self[..<at]) + String(other) + String(self[index(after: at)...])
    }
}
