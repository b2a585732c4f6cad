// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing
import VaultTesting

@testable import AgentClient

struct VaultLocationTests {
    private let folder = TemporaryFolder()
    private let header = Array("VLT1".utf8) + [0, 1] + (1...16).map { UInt8($0) } + [9, 9]

    private func location(_ name: String? = nil) throws -> VaultLocation { try VaultLocation(name ?? folder.path) }

    private func refusal() throws -> ExitCode? {
        do {
            _ = try location().vaultID()
            return nil
        } catch let error as ClientFailure {
            return error.outcome.code
        }
    }

    @Test func theIdentifierIsReadAtItsFixedOffset() throws {
        folder.write(header, to: "header")
        #expect(try location().vaultID() == (1...16).map { UInt8($0) })
    }

    @Test func withoutAHeaderThereIsNoVault() throws { #expect(try refusal() == .notFound) }

    @Test func everyPrefixOfTheHeaderIsRefused() throws {
        for count in 0..<22 {
            folder.write(Array(header[0..<count]), to: "header")
            #expect(try refusal() == .integrity)
        }
    }

    @Test func aNewerFormatIsNamedAsSuch() throws {
        folder.write(Array("VLT1".utf8) + [0, 2] + Array(header[6...]), to: "header")
        #expect(try refusal() == .failSafe)
    }

    @Test func aHeaderThatIsALinkStopsTheCommand() throws {
        folder.write(header, to: "real")
        folder.link("header", to: "real")
        #expect(try refusal() == .failSafe)
    }

    @Test func namesAreMadeAbsoluteAndTidy() throws {
        #expect(try location("/a//b/./c/").directory == Array("/a/b/c".utf8))
        #expect(try location("/a/../b").directory == Array("/a/../b".utf8))
        #expect(try location("/").directory == [0x2F])
        #expect(try location("x").directory.first == 0x2F)
        #expect(throws: ClientFailure.self) { try location("") }
    }
}
