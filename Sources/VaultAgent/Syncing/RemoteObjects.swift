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

/// `CardReader` reads the cards of a remote: each once in a session.
struct CardReader {
    /// By name; nil for what is none of this epoch's.
    private var known: [StoreName: [UInt8]?] = [:]
    private let sealer: SegmentSealer

    init(_ sealer: SegmentSealer) { self.sealer = sealer }

    /// Returns the names of a listing that are not known yet. It believes nothing of the listing.
    func unknown(in listing: [UInt8]) -> [StoreName]? {
        guard let names = try? StoreListing.names(in: listing, of: .cards) else { return nil }
        return names.prefix(RemoteName.listedMax).filter { known[$0] == nil }
    }

    /// Takes a card in.
    mutating func take(_ bytes: [UInt8], _ name: StoreName) {
        guard let remote = RemoteName(listed: name.text, in: .cards) else { return }
        let card = try? sealer.openCard(bytes, named: remote)
        // What does not open may be there only in part.
        if let card { known[name] = card.device.bytes }
    }

    /// Devices whose cards were opened.
    var devices: [[UInt8]] { known.values.compactMap { $0 } }
}
