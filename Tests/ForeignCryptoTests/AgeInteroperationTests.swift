// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ForeignCrypto
import Foundation
import SecretMemory
import Testing
import VaultTesting

/// Both directions with Debian's age. Without the program there is nothing to compare with, and the tests say that they
/// were left out.
@Suite(.enabled(if: AgeProgram.isThere, "the age program is not installed"))
struct AgeInteroperationTests {
    static let sizes = [0, 1, 65_535, 65_536, 65_537, 131_072]

    private struct KeyFile {
        let folder: TemporaryFolder
        let identity: AgeIdentity
        var path: String { folder.file("key").path }

        /// A key that age-keygen makes, in a file of its own.
        init() throws {
            folder = TemporaryFolder()
            let text = String(decoding: try AgeProgram.run([], keygen: true), as: UTF8.self)
            try Data(text.utf8).write(to: folder.file("key"))
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("AGE-SECRET-KEY-1") })
            identity = try Age.identity(String(line))
            #expect(text.contains(identity.recipient.text))
        }
    }

    @Test(arguments: sizes, [false, true])
    func ageOpensWhatWeWriteForAKey(size: Int, armored: Bool) throws {
        let key = try KeyFile()
        let content = Age.content(size)
        let file = try Age.sealed(
            content, armored: armored, to: [try Age.identity().recipient, key.identity.recipient])
        #expect(try AgeProgram.run(["-d", "-i", key.path], input: file) == content)
    }

    @Test(arguments: sizes, [false, true])
    func weOpenWhatAgeWritesForAKey(size: Int, armored: Bool) throws {
        let key = try KeyFile()
        let content = Age.content(size)
        let file = try AgeProgram.run((armored ? ["-a"] : []) + ["-r", key.identity.recipient.text], input: content)
        let opened = try Age.opened(file, identities: [key.identity])
        #expect(opened.error == nil)
        #expect(opened.content == content)
    }

    @Test func ageRefusesWhatWeCut() throws {
        let key = try KeyFile()
        let file = try Age.sealed(Age.content(70_000), to: [key.identity.recipient])
        #expect(throws: AgeProgram.Failed.self) { try AgeProgram.run(["-d", "-i", key.path], input: file.dropLast(1)) }
        #expect(throws: AgeProgram.Failed.self) {
            try AgeProgram.run(["-d", "-i", key.path], input: Array(file.dropLast(4480)))
        }
    }

    @Test(arguments: [false, true])
    func ageOpensWhatWeWriteWithAPassphrase(armored: Bool) throws {
        let folder = TemporaryFolder()
        let content = Age.content(65_537)
        let file = try Age.sealed(content, armored: armored, passphrase: "käse und brot", workFactor: 12)
        try Data(file).write(to: folder.file("file"))
        let terminal = try AgeTerminal([
            try #require(AgeProgram.path), "-d", "-o", folder.file("out").path, folder.file("file").path,
        ])
        try terminal.answer("passphrase", with: "käse und brot")
        #expect(try terminal.end() == 0)
        #expect(Array(try Data(contentsOf: folder.file("out"))) == content)
    }

    /// At the age program's own work factor, 18.
    @Test func weOpenWhatAgeWritesWithAPassphrase() throws {
        let folder = TemporaryFolder()
        let content = Age.content(65_536)
        try Data(content).write(to: folder.file("in"))
        let terminal = try AgeTerminal([
            try #require(AgeProgram.path), "-p", "-o", folder.file("file").path, folder.file("in").path,
        ])
        try terminal.answer("passphrase", with: "käse und brot")
        try terminal.answer("passphrase", with: "käse und brot")
        #expect(try terminal.end() == 0)
        let file = Array(try Data(contentsOf: folder.file("file")))
        let opened = Age.opened(file, passphrase: try Age.passphrase("käse und brot"))
        #expect(opened.error == nil)
        #expect(opened.content == content)
    }
}
