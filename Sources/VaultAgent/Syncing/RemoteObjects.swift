// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

extension StoreName {
    /// Makes the name of an object as it is asked for; both have one form.
    init(_ name: RemoteName) {
        let area: StoreArea =
            switch name.folder {
            case .headers: .header
            case .cards: .card
            case .segments: .segment
            case .objects: .object
            }
        guard let made = StoreName(area, name.hex) else { preconditionFailure("a name of ours has its form") }
        self = made
    }

    /// Makes the name of a header.
    init(_ name: RemoteHeaderName) {
        guard let made = StoreName(.header, name.text) else { preconditionFailure("a name of ours has its form") }
        self = made
    }
}

extension StoreFolder {
    /// The folders that are listed on the usual way.
    static var cards: StoreFolder {
        guard let folder = StoreFolder(.card) else { preconditionFailure("cards lie in one folder") }
        return folder
    }
    static var headers: StoreFolder {
        guard let folder = StoreFolder(.header) else { preconditionFailure("headers lie in one folder") }
        return folder
    }
}

/// `CardReader` reads the cards of a remote: each once in a session, and one that does not open once a minute, since it
/// may be there only in part.
struct CardReader {
    private struct Card {
        let epoch: UInt32
        let device: [UInt8]
    }

    private var known: [StoreName: Card] = [:]
    /// When one that does not open was read last.
    private var tried: [StoreName: Double] = [:]
    private let sealers: RemoteSealers
    /// Cards of older epochs lie there for ever.
    private static let pauseSeconds = 60.0

    init(_ sealers: RemoteSealers) { self.sealers = sealers }

    /// Returns the names of a listing that are not known yet. It believes nothing of the listing.
    func unknown(in listing: [UInt8]) -> [StoreName]? {
        guard let names = try? StoreListing.names(in: listing, of: .cards) else { return nil }
        let due = BootClock.seconds - Self.pauseSeconds
        return names.prefix(RemoteName.listedMax).filter { known[$0] == nil && tried[$0, default: 0] <= due }
    }

    /// Takes a card in.
    mutating func take(_ bytes: [UInt8], _ name: StoreName) {
        guard let remote = RemoteName(listed: name.text, in: .cards) else { return }
        for sealer in [sealers.current, sealers.former].compactMap({ $0 }) {
            guard let card = try? sealer.openCard(bytes, named: remote) else { continue }
            known[name] = Card(epoch: sealer.names.epoch, device: card.device.bytes)
            return
        }
        tried[name] = BootClock.seconds
    }

    /// Returns the devices of an epoch whose cards were opened.
    func devices(of epoch: UInt32) -> [[UInt8]] { known.values.filter { $0.epoch == epoch }.map(\.device) }
}
