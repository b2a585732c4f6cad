// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultCrypto

/// `RemoteProbe` tries a remote with a file of random bytes under a random name: stores it, reads it, lists it, removes
/// it.
final class RemoteProbe {
    private let link: RemoteLink
    private let name: StoreName
    private let content: [UInt8]
    private(set) var listsAtOnce = false
    /// Whether the file could be removed again: of an append-only remote it is not meant to be.
    private(set) var hasRemoved = false
    /// Names of the cards that lie there.
    private(set) var cardNames: [StoreName] = []
    /// Whether one of them is of the vault's present key; nobody has looked where nothing tells.
    private(set) var hasPresentCard = false
    private let isPresent: ((StoreName, [UInt8]) -> Bool)?
    /// How it ended; nil while it is under way.
    private(set) var result: Result<Void, StoreFailure>?
    private let begin = BootClock.seconds
    private(set) var milliseconds = 0

    /// Asks the remote to store random bytes; each answer leads to the next step.
    ///
    /// - Parameter isPresent: tells a card of the vault's present key; nil where that does not matter.
    /// - Throws: `CryptoError`.
    init(_ link: RemoteLink, isPresent: ((StoreName, [UInt8]) -> Bool)? = nil) throws(CryptoError) {
        self.link = link
        self.isPresent = isPresent
        let random = try SecureRandom.bytes(32)
        content = try SecureRandom.bytes(328)
        let hex = random.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard let name = StoreName(.segment, hex) else { throw CryptoError(.libraryFailure) }
        self.name = name
        link.put(name, content) { [unowned self] answer in
            guard case .done = answer else { return end(answer) }
            read()
        }
    }

    private func read() {
        link.get(name) { [unowned self] answer in
            guard case .bytes(let bytes) = answer else { return end(answer) }
            guard bytes == content else { return end(.failed(StoreFailure(.malformed))) }
            list()
        }
    }

    private func list() {
        link.list(name.folder) { [unowned self] answer in
            guard case .bytes(let bytes) = answer else { return end(answer) }
            // Some stores list late: that is no fault.
            let names = try? StoreListing.names(in: bytes, of: name.folder)
            listsAtOnce = names?.contains(name) == true
            remove()
        }
    }

    private func remove() {
        link.delete(name, whatever: true) { [unowned self] answer in
            if case .done = answer { hasRemoved = true } else if !link.isAppendOnly { return end(answer) }
            listCards()
        }
    }

    private func listCards() {
        link.list(.cards) { [unowned self] answer in
            guard case .bytes(let bytes) = answer else {
                // The folder of cards is made with the first one.
                if case .failed(let reason) = answer, reason.code == .absent { return end(.done) }
                return end(answer)
            }
            cardNames = Array(((try? StoreListing.names(in: bytes, of: .cards)) ?? []).prefix(1024))
            readCards()
        }
    }

    private func readCards() {
        guard let isPresent, !cardNames.isEmpty else { return end(.done) }
        var left = cardNames.count
        for name in cardNames {
            link.get(name) { [unowned self] answer in
                if case .bytes(let bytes) = answer, isPresent(name, bytes) { hasPresentCard = true }
                left -= 1
                if left == 0 { end(.done) }
            }
        }
    }

    private func end(_ answer: RemoteLink.Answer) {
        guard result == nil else { return }
        milliseconds = Int((BootClock.seconds - begin) * 1000)
        switch answer {
        case .done, .bytes: result = .success(())
        case .failed(let reason): result = .failure(reason)
        }
    }
}
