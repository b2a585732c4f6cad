// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import GRDB
import SecretMemory
import VaultCore
import VaultCrypto

protocol BenchSubject {
    /// One durable transaction.
    func save(_ drafts: [NoteDraft]) throws
    func finish() throws
}

/// The product's own store, in a vault made for this run.
final class SealedSubject: BenchSubject {
    private let store: OpenVault

    init(path: String) throws {
        let pins = PinStore(folder: path + ".pins")
        let password = unsafe SecretBytes(byteCount: 16) { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0x61) }
        let again = password.duplicate()
        if !FileManager.default.fileExists(atPath: path) {
            try VaultCreation(path: Array(path.utf8), password: password, cost: .recommended, withRecoveryKey: false)
                .commit(pins: pins)
        }
        store = try OpenVault(VaultProbe(path: Array(path.utf8), pins: pins), .password(again))
    }

    func save(_ drafts: [NoteDraft]) throws { _ = try store.imports.save(drafts, dryRun: false) }
    func finish() throws { try store.close() }
}

/// Plain SQLite with the same tables and tokenizer, and the note's text where the sealed record would be.
final class PlainSubject: BenchSubject {
    private let index: PlainIndex
    init(path: String) throws { index = try PlainIndex(path: path) }
    func save(_ drafts: [NoteDraft]) throws { try index.save(drafts) }
    func finish() throws { try index.finish() }
}
