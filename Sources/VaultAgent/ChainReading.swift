// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCore

/// `ChainReading` reads the vault's chain after an unlock, while nobody else waits, and says once what is wrong with
/// it.
struct ChainReading {
    private var check: ChainCheck?
    private var hasTold = false

    var hasWork: Bool { check != nil }

    mutating func begin(_ store: OpenVault) { (check, hasTold) = (ChainCheck(store), false) }

    mutating func end() { check = nil }

    /// Reads a little of it.
    mutating func step(whileIdle isIdle: Bool) {
        guard isIdle, let check else { return }
        if !check.step() { self.check = nil }
    }

    /// Returns whether the one who asks now is to hear that something is wrong: the first one after it was found.
    mutating func takeNews(of store: OpenVault) -> Bool {
        guard !hasTold, store.chain.isDamaged else { return false }
        hasTold = true
        return true
    }
}

extension Session {
    /// Returns whether the one who asks now is to hear that the vault's chain does not fit together.
    func takeChainNews() -> Bool {
        guard let store else { return false }
        return chainReading.takeNews(of: store)
    }
}
