// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignCrypto
import Testing
import VaultCrypto

struct AgeVectorTests {
    @Test func thereAreVectorsOfEveryOutcome() {
        #expect(AgeVector.all.count == 110)
        let outcomes = Set(AgeVector.all.map(\.outcome))
        #expect(
            outcomes == ["success", "no match", "HMAC failure", "header failure", "payload failure", "armor failure"])
    }

    @Test(arguments: AgeVector.all)
    func comesOutAsItsVectorSays(vector: AgeVector) throws {
        for opened in try open(vector) {
            #expect(outcome(opened) == vector.outcome)
            if let expected = vector.payloadSha256 {
                #expect(try sha256(opened.content) == expected)
            } else {
                #expect(opened.content.isEmpty)
            }
        }
    }

    /// Armor is recognised without being told; only what stands before it makes it something else.
    @Test(arguments: AgeVector.all.filter { $0.outcome == "success" })
    func theFormOfAGoodFileIsRecognised(vector: AgeVector) throws {
        for opened in try open(vector, form: .either) { #expect(outcome(opened) == "success") }
    }

    /// With the identities, with each passphrase, or as a file that some other identity meets.
    private func open(_ vector: AgeVector, form: AgeReader.Form? = nil) throws -> [Opened] {
        let form = form ?? (vector.isArmored ? .armored : .binary)
        var all = try vector.passphrases.map { Age.opened(vector.file, passphrase: try Age.passphrase($0), form: form) }
        if !vector.identities.isEmpty || all.isEmpty {
            let identities = vector.identities.isEmpty ? [Age.identityText] : vector.identities
            all.append(try Age.opened(vector.file, identities: identities.map { try Age.identity($0) }, form: form))
        }
        return all
    }

    private func outcome(_ opened: Opened) -> String {
        switch (opened.error?.code, opened.error?.part) {
        case (nil, _): "success"
        case (.noMatch, _): "no match"
        case (.damaged, .headerTag): "HMAC failure"
        case (.damaged, .payload): "payload failure"
        case (.damaged, .armor): "armor failure"
        case (.damaged, .header), (.unsupported, .header), (.tooExpensive, .header), (.tooLarge, .header):
            "header failure"
        default: "another: \(String(describing: opened.error))"
        }
    }

    private func sha256(_ bytes: [UInt8]) throws -> String {
        try Digest.sha256(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
