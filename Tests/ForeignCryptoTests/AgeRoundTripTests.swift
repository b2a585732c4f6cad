// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignCrypto
import Foundation
import SecretMemory
import Testing

struct AgeRoundTripTests {
    static let sizes = [0, 1, 47, 48, 65_535, 65_536, 65_537, 131_072]

    @Test(arguments: sizes, [false, true])
    func aFileComesBackAsItWas(size: Int, armored: Bool) throws {
        let identity = try Age.identity()
        let content = Age.content(size)
        for pieces in [999, 300_000] {
            let file = try Age.sealed(content, armored: armored, pieces: pieces, to: [identity.recipient])
            let opened = try Age.opened(file, identities: [identity], sourcePieces: pieces, pieces: pieces)
            #expect(opened.error == nil)
            #expect(opened.content == content)
            guard armored else { continue }
            #expect(file.starts(with: Array("-----BEGIN AGE ENCRYPTED FILE-----\n".utf8)))
            #expect(file.split(separator: 10).allSatisfy { $0.count <= 64 })
        }
    }

    @Test func aFileOfAPassphraseComesBack() throws {
        let content = Age.content(70_000)
        let file = try Age.sealed(content, passphrase: "correct horse", workFactor: 8)
        let opened = Age.opened(file, passphrase: try Age.passphrase("correct horse"))
        #expect(opened.error == nil)
        #expect(opened.content == content)
        #expect(Age.opened(file, passphrase: try Age.passphrase("correct horsf")).error?.code == .noMatch)
        #expect(try Age.opened(file, identities: [Age.identity()]).error?.code == .noMatch)
    }

    @Test func eachOfSeveralRecipientsOpensAFileAndNoOtherDoes() throws {
        let (one, other) = (try Age.identity(), try Age.identity(Age.otherIdentityText))
        let file = try Age.sealed([1, 2, 3], to: [one.recipient, other.recipient])
        #expect(try Age.opened(file, identities: [one]).content == [1, 2, 3])
        #expect(try Age.opened(file, identities: [other]).content == [1, 2, 3])
        let single = try Age.sealed([1, 2, 3], to: [one.recipient])
        #expect(try Age.opened(single, identities: [other]).error?.code == .noMatch)
        #expect(try Age.opened(single, identities: [other, one]).content == [1, 2, 3])
        #expect(try Age.opened(single, identities: []).error?.code == .noMatch)
        #expect(Age.opened(single, passphrase: try Age.passphrase("x")).error?.code == .noMatch)
    }

    /// A file key, nonce or ephemeral share that came twice would show.
    @Test func twoFilesOfOneContentShareNothingButTheVersion() throws {
        let recipient = try Age.identity().recipient
        let (one, other) = (try Age.sealed([], to: [recipient]), try Age.sealed([], to: [recipient]))
        #expect(one.count == other.count)
        let lines = Set(one.split(separator: 10).map { Array($0) }).intersection(
            other.split(separator: 10).map { Array($0) })
        #expect(lines == [Array("age-encryption.org/v1".utf8)])
    }

    @Test func noRecipientsAndTooManyAreRefusedBeforeAnythingIsWritten() throws {
        let output = Output()
        #expect(throws: AgeError(.badKey)) { try unsafe AgeWriter(recipients: [], sink: output.sink) }
        let many = [AgeRecipient](repeating: try Age.identity().recipient, count: 1025)
        #expect(throws: AgeError(.tooLarge, in: .header)) { try unsafe AgeWriter(recipients: many, sink: output.sink) }
        #expect(output.callCount == 0)
    }

    /// A full disk: the error is told, then and at every call after it, and nothing more is written.
    @Test func afterAFailedWriteNothingMoreIsWritten() throws {
        let output = Output()
        output.limit = 100_000
        let writer = try unsafe AgeWriter(recipients: [try Age.identity().recipient], sink: output.sink)
        let full = AgeError(.inputOutput, systemError: 28)
        #expect(throws: full) { try writer.write(Age.content(200_000)) }
        let calls = output.callCount
        #expect(throws: full) { try writer.write([1]) }
        #expect(throws: full) { try writer.finish() }
        #expect(output.callCount == calls)
    }

    @Test func anErrorOfTheSourceIsPassedOnAndStays() throws {
        let identity = try Age.identity()
        let good = try unsafe Age.source(Age.sealed(Age.content(100_000), to: [identity.recipient]), pieces: 70_000)
        var calls = 0
        let reader = try unsafe AgeReader(identities: [identity]) { target throws(AgeError) in
            calls += 1
            if calls == 2 { throw AgeError(.inputOutput, systemError: 5) }
            return try unsafe good(target)
        }
        var opened = Opened()
        for _ in 0..<2 {
            #expect(throws: AgeError(.inputOutput, systemError: 5)) { try opened.take(reader, 1000) }
        }
        #expect(opened.content.isEmpty)
    }

    @Test func aSourceThatClaimsMoreThanItWasAskedForIsNoTrap() throws {
        for claim in [-1, 1 << 40] {
            #expect(throws: AgeError(.inputOutput)) {
                try unsafe AgeReader(identities: [Age.identity()]) { _ throws(AgeError) in claim }
            }
        }
    }
}
