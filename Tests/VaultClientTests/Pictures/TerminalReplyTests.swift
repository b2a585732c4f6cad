// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

/// Answers that nearly are what they claim to be.
struct TerminalReplyTests {
    private func reply(_ bytes: [UInt8]) -> TerminalReply {
        var reply = TerminalReply()
        for byte in bytes { reply.take(byte) }
        return reply
    }

    private func reply(_ text: String) -> TerminalReply { reply(Array(text.utf8)) }

    @Test(arguments: [
        "Gi=4178;OK", "Gi=4177;ok", "Gi=4177;OK ", "Gi=4177,p=1;OK", "i=4177;OK", "Gi=4177;OK\u{7}", "G;OK",
    ])
    func onlyItsOwnAnswerCounts(text: String) {
        #expect(!reply("\u{1B}_\(text)\u{1B}\\").hasKitty)
    }

    @Test func theAnswerNeedsItsEnd() {
        #expect(!reply("\u{1B}_Gi=4177;OK").hasKitty)
        #expect(!reply("\u{1B}_Gi=4177;OK\u{1B}[").hasKitty)
        #expect(reply("\u{1B}_Gi=4177;OK\u{1B}\\").hasKitty)
    }

    @Test(arguments: [
        "[c", "[62;4c", "[>62;4c", "[?c", "[?;4c", "[?62;4 c", "[?62;-4c", "[?62;123456c", "[?62:4c", "[??4c", "[=1;4c",
    ])
    func otherSequencesAreNoAttributes(text: String) {
        #expect(!reply("\u{1B}\(text)").isComplete)
    }

    @Test(arguments: [
        "[6;0;0t", "[6;20t", "[6;20;10;1t", "[4;480;640t", "[6;99999;10t", "[?6;20;10t", "[6;3;2t", "[8;24;80t",
    ])
    func sizesThatNoCellHasAreLeftOut(text: String) {
        #expect(reply("\u{1B}\(text)").cell == nil)
    }

    @Test func aSequenceCutOffByAnotherIsDropped() {
        #expect(reply("\u{1B}[6;20\u{1B}[?62;4c").hasSixel)
        #expect(reply("\u{1B}_Gi=4177;\u{1B}[?62;4c").hasSixel)
        #expect(reply("\u{1B}\u{1B}[?62;4c").isComplete)
    }

    @Test func longSequencesAreReadToTheirEndAndDropped() {
        let long = String(repeating: "1;", count: 5000)
        let read = reply("\u{1B}[?\(long)4c\u{1B}_Gi=4177;OK\(long)\u{1B}\\")
        #expect(!read.isComplete && !read.hasKitty)
        #expect(reply("\u{1B}[?\(long)4c\u{1B}[?62;4c").hasSixel)
    }

    @Test func anyBytesAreTaken() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("\u{1B}[]_?;cGtPi=4177OK\\".utf8)
        for _ in 0..<2000 {
            _ = reply(
                (0..<60).map { _ in
                    Bool.random(using: &random)
                        ? letters.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
                }
            )
        }
    }
}
