// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

internal import struct SyncEngine.Digest
internal import struct SyncEngine.Entry
internal import struct VaultFormat.DeviceID

/// This extension handles objects of the remote: sealed and kept, sent, asked for, opened.
extension SyncHost {
    // MARK: Sealing

    /// Tells the engine own entries, from the first one after a position on.
    func tell(after position: UInt64) throws(VaultError) {
        // Nothing that is written after a change of the key goes out under the one of before.
        guard !isBehind else {
            told = position
            return handle(.local([], through: position))
        }
        let entries = try store.remotes.toTell(over: name, after: position)
        told = max(position, entries.last?.position ?? 0)
        handle(.local(entries.map { Entry($0) }, through: told))
    }

    /// Seals a segment, or the first part of it where its entries are too large together; it is durable before the
    /// engine hears of it.
    func seal(_ segment: Segment) throws(VaultError) {
        let (bodies, count) = try store.remotes.bodies(over: name, segment.entries.map(\.position))
        var part = segment
        if count < segment.entries.count {
            part.entries = Array(segment.entries.prefix(count))
            (part.isPart, part.isWholeState, part.nextHeader) = (true, false, nil)
        }
        guard let sealer = sealers[segment.place.epoch] else { throw VaultError(.oldKey) }
        let stamp = try stamp(of: segment.place.epoch)
        let next = part.nextHeader.flatMap { _ in former?.nextStamp }
        let now = Machine.now
        let elsewhere = elsewhere()
        noteSaid(elsewhere)
        let object = try formatted { () throws in
            var content = try RemoteSegment(part, made: now, header: stamp, nextHeader: next)
            content.entries = bodies
            content.elsewhere = elsewhere
            return try sealer.seal(content, at: RemotePlace(part.place))
        }
        // A crash may have left one under its number of which nobody was told.
        if (try? store.outbox.bytes(of: object.name)) != object.bytes { try store.outbox.remove(object.name) }
        try store.outbox.keep(object, for: name)
        guard let digest = Digest(bytes: object.digest) else { throw VaultError(.libraryFailed) }
        lastWords = LastWords(made: now, vector: part.vector)
        sealedCounts[part.place] = part.entries.count { $0.note != Identifier(high: 0, low: 0) }
        handle(.sealed(part, digest))
    }

    /// Puts own segments together, of the bytes that were sent.
    func bundle(_ place: Place) throws(VaultError) {
        guard let sealer = sealers[place.epoch] else { return }
        let outbox = store.outbox
        // It was sealed before a crash, and may have been sent: it has one content for ever.
        if let name = name(of: place), (try? outbox.bytes(of: name)) != nil { return }
        let object = try formatted { () throws in
            let remote = try RemotePlace(place)
            return try sealer.sealSpan(at: remote) { number in
                let segment = RemotePlace(kind: .segment, epoch: remote.epoch, device: remote.device, number: number)
                return try outbox.bytes(of: sealer.names.name(of: segment))
            }
        }
        try outbox.keep(object, for: self.name)
    }

    private func formatted<Value>(_ body: () throws -> Value) throws(VaultError) -> Value {
        do { return try body() } catch let error as VaultError { throw error } catch { throw VaultError(.integrity) }
    }

    // MARK: Sending

    func put(_ place: Place) throws(VaultError) {
        guard let name = name(of: place) else { return handle(.stored(place, false)) }
        var kept = try? store.outbox.bytes(of: name)
        if kept == nil, place.kind == .card {
            let device = try formatted { () throws in try DeviceID(place.device.bytes) }
            guard let sealer = sealers[place.epoch] else { return handle(.stored(place, false)) }
            let card = try sealer.seal(RemoteCard(device: device, made: Machine.now))
            try store.outbox.keep(card, for: self.name)
            kept = card.bytes
        }
        guard let bytes = kept else {
            // Somebody has emptied the outbox: what had this number has no bytes any more.
            return handle(engine.state.outgoing?.place == place ? .restored : .stored(place, false))
        }
        header.whenSent(over: link, try headerObject(of: place.epoch)) { [unowned self] isSent in
            guard isSent else { return handle(.stored(place, false)) }
            let isAgain = place.number <= engine.state.own.number
            objects.send(named(in: bytes, at: place), isAgain: isAgain) { [unowned self] areSent in
                guard areSent else { return handle(.stored(place, false)) }
                link.put(StoreName(name), bytes) { [unowned self] answer in
                    guard case .done = answer else { return handle(.stored(place, false)) }
                    // Sent is what a store has acknowledged, and not what was sealed.
                    let count = sealedCounts.removeValue(forKey: place) ?? 0
                    countSent(count)
                    if count > 0 { lastWithEntries = place.number }
                    handle(.stored(place, true))
                }
            }
        }
    }

    /// Returns entries of an own segment; none of anything else, whose entries were sent before.
    private func named(in bytes: [UInt8], at place: Place) -> [[UInt8]] {
        // Objects are sealed under this epoch's key; those of the one before are told anew in this one.
        guard place.kind == .segment, place.epoch == epoch, let remote = try? RemotePlace(place) else { return [] }
        return (try? sealers.current.openSegment(bytes, at: remote))?.content.entries ?? []
    }

    func delete(_ place: Place) {
        guard let name = name(of: place) else { return }
        try? store.outbox.remove(name)
        link.delete(StoreName(name)) { _ in }
    }

    // MARK: Reading

    func get(_ place: Place) {
        // Of an epoch whose key is not here nothing can be asked for.
        guard let name = name(of: place) else { return handle(.got(place, .failed)) }
        if case .segment = place.kind { coming.insert(place) }
        link.get(StoreName(name)) { [unowned self] answer in
            coming.remove(place)
            handle(.got(place, opened(answer, at: place)))
        }
    }

    private func opened(_ answer: RemoteLink.Answer, at place: Place) -> Answer {
        switch answer {
        case .failed(let reason): return reason.code == .absent ? .absent : .failed
        case .done: return .failed
        case .bytes(let bytes):
            do throws(VaultError) {
                guard let sealer = sealers[place.epoch] else { return .failed }
                return try Answer(bytes, at: place, sealer, hear: hear)
            } catch {
                // The chain is not read on, and its owner hears of it.
                note(error.code == .newerFormat ? .newerFormat : .malformed)
                return .failed
            }
        }
    }

    /// Lists the cards in the remote, which find devices that nobody has quoted yet. What is not listed says nothing.
    ///
    /// - Parameter completion: called when all cards that could be had were read.
    func listCards(_ completion: @escaping () -> Void) {
        link.list(.cards) { [unowned self] answer in
            guard case .bytes(let listing) = answer, let names = cards.unknown(in: listing), !names.isEmpty else {
                return completion()
            }
            var left = names.count
            for name in names {
                link.get(name) { [unowned self] answer in
                    if case .bytes(let bytes) = answer { cards.take(bytes, name) }
                    left -= 1
                    if left == 0 { completion() }
                }
            }
        }
    }

    private func name(of place: Place) -> RemoteName? { sealers.name(of: place) }
}
