// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting

@testable import VaultClient

struct KeyKeeperTests {
    /// What systemd itself seals without a TPM is refused. Only root may seal for the machine.
    @Test(.enabled(if: geteuid() == 0))
    func X70aKeyThatTheDiskAloneOpensIsRefused() throws {
        let folder = TemporaryFolder()
        let (plain, sealed) = (folder.path + "/plain", folder.path + "/sealed")
        try Data("a key".utf8).write(to: URL(filePath: plain))
        let words = [
            "SYSTEMD_CREDENTIAL_SECRET=\(folder.path)/secret", "systemd-creds", "encrypt", "--with-key=host",
        ]
        let run = try ProgramRun(URL(filePath: "/usr/bin/env"), words + ["--name=vault-unattended", plain, sealed])
        #expect(run.exitCode == 0, "\(run.text)")
        #expect(!KeyKeeper.needsTPM(Array(try Data(contentsOf: URL(filePath: sealed)))))
    }

    @Test func whatIsSealedForOneUserWithoutATPMIsRefusedToo() throws {
        // The kind of systemd's creds-util.h, CRED_AES256_GCM_BY_HOST_SCOPED, and one of those with a TPM.
        let host: [UInt8] = [
            0x55, 0xB9, 0xED, 0x1D, 0x38, 0x59, 0x4D, 0x43, 0xA8, 0x31, 0x9D, 0x2E, 0xBB, 0x33, 0x2A, 0xC6,
        ]
        let both: [UInt8] = [
            0xEF, 0x4A, 0xC1, 0x36, 0x79, 0xA9, 0x48, 0x0E, 0xA7, 0xDB, 0x68, 0x89, 0x7F, 0x9F, 0x16, 0x5D,
        ]
        let rest = [UInt8](repeating: 7, count: 64)
        #expect(!KeyKeeper.needsTPM(Array(Data(host + rest).base64EncodedString().utf8)))
        #expect(KeyKeeper.needsTPM(Array(Data(both + rest).base64EncodedString().utf8)))
        #expect(!KeyKeeper.needsTPM([]))
    }
}
