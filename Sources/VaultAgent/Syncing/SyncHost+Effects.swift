// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

internal import struct SyncEngine.Entry

/// This extension tells the engine what happened, and does what it asks for.
extension SyncHost {
    /// How many entries of one device are taken over in one transaction, where segments have so many.
    private static let entryCountAtOnce = 200
    private static let byteCountAtOnce = 4 << 20
    /// A store may be slow: what is here is not held up for longer.
    private static let secondsHeld = 1.0

    /// Tells the engine; what it asks for is done by `step`.
    func handle(_ event: Event) {
        guard let fresh = try? SecureRandom.bytes(16) else { return fail(VaultError(.libraryFailed)) }
        effects += engine.step(event, now: Machine.now / 1000, fresh: Identifier(bytes: fresh))
    }

    /// Performs an effect, and returns whether something was written.
    func perform(_ effect: Effect) throws(VaultError) -> Bool {
        switch effect {
        case .record(let state):
            // What is written with the next one need not be written alone.
            if case .record? = effects.first { return false }
            if case .commit(_, _, _, .some)? = effects.first { return false }
            try store.remotes.record(RemoteState(name, state))
            return true
        case .commit(let device, let number, let entries, let state):
            try commit(device, number, entries, state)
            return true
        case .seal(let segment): try seal(segment)
        case .bundle(let place, _): try bundle(place)
        case .put(let place): try put(place)
        case .get(let place): get(place)
        case .list: break
        case .delete(let place): delete(place)
        case .tell(let position): try tell(after: position)
        case .retell(let retelling):
            let before = try store.remotes.tellEverything(over: name)
            handle(.retold(retelling, through: before))
            try tell(after: before)
            return true
        case .needKey(let header): try giveKey(header)
        case .alarm(let alarm): raise(alarm)
        }
        return false
    }

    /// Returns whether segments that are to be taken over wait for the one behind them, which was asked for.
    ///
    /// A chain that is read to its end is so taken over in few transactions: each puts a note together once, however
    /// many of its entries have come. Requests that stand behind are sent meanwhile; other work is done in its turn.
    func awaitsMore() -> Bool {
        guard case .commit(let device, _, _, .some)? = effects.first else { return false }
        var (at, count, byteCount) = (effects.startIndex, 0, 0)
        while at < effects.endIndex {
            switch effects[at] {
            case .commit(device, _, let entries, .some):
                count += entries.count
                byteCount += entries.reduce(0) { $0 + $1.body.count }
                at += 1
            case .get(let place):
                effects.remove(at: at)
                get(place)
            default: return false
            }
        }
        guard coming.contains(where: { $0.device == device }), count < Self.entryCountAtOnce,
            byteCount < Self.byteCountAtOnce
        else { return false }
        let begun = heldSince ?? BootClock.seconds
        heldSince = begun
        return BootClock.seconds < begun + Self.secondsHeld
    }

    /// Returns how long segments that are here still wait for more; nil when none does.
    var secondsHeldOn: Double? {
        isAwaiting ? heldSince.map { max(0, $0 + Self.secondsHeld - BootClock.seconds) } : nil
    }

    /// Takes over a segment, and those of the same device that stand behind it.
    private func commit(
        _ device: Identifier, _ first: UInt64, _ entries: [Entry], _ state: SyncState?
    ) throws(VaultError) {
        heldSince = nil
        var (bodies, newest) = (entries.map(\.body), state)
        var made = try lookAt(device, first, state)
        while newest != nil, bodies.count < Self.entryCountAtOnce,
            bodies.reduce(0, { $0 + $1.count }) < Self.byteCountAtOnce,
            case .commit(device, let number, let more, .some(let next))? = effects.first
        {
            effects.removeFirst()
            bodies += more.map(\.body)
            made = try lookAt(device, number, next) ?? made
            newest = next
        }
        let applied = try store.devices.apply(
            bodies, state: newest.map { RemoteState(name, $0) }, heard: made.flatMap { HeardDevice(device, made: $0) },
            over: name)
        receivedCount += applied.entryCount
        log.took(applied.entryCount, of: device)
        joining.add(applied.notes)
        objects.entriesCame(outlived: applied.outlived)
        // Their files may have gone from every remote.
        if !applied.outlived.isEmpty {
            for other in siblings() { other.objects.entriesCame(outlived: applied.outlived) }
        }
    }

    /// Returns when a segment was made, which is known until it is taken over.
    private func lookAt(_ device: Identifier, _ number: UInt64, _ state: SyncState?) throws(VaultError) -> Int64? {
        try pairing.look(at: device, number, state)
        claims.look(at: device, number, state)
        return heard.removeValue(
            forKey: Place(kind: .segment, epoch: engine.state.epoch, device: device, number: number))
    }
}
