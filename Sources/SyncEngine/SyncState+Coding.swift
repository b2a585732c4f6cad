// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `StateError` says why bytes are not a valid state.
public enum StateError: Error, Sendable {
    /// Another version than this program's.
    case unknownVersion
    /// Anything that `SyncState.encoded` does not give.
    case malformed
}

/// This extension writes a state as its host keeps it, and reads it back. It has one encoding, so equal states are
/// equal bytes.
///
///     UInt8 version, device 16, UInt32 epoch, optional header 32, own mark, sentThrough, optional outgoing,
///     chains, forked, retired, retellings, suspicions, verified, flag card sent, spans sent and swept of 3 levels,
///     deletedThrough, left out, flag whole, UInt8 owed (1 the whole state, 2 who was given up), endings,
///     optional own ending
///
/// A chain is a device, its mark, numbers of what it has read, UInt32 epoch, flag ended, UInt8 of 1 for one that is
/// late and 2 for one with a mark of what was taken, which follows. A mark is UInt64 number, digest 32. Lists have
/// their count as UInt32 before them and are in the order of their keys.
extension SyncState {
    /// Of this encoding.
    public static let version: UInt8 = 1
    /// The size of the longest state that is read, in bytes.
    public static let byteCountMax = 16 << 20

    /// The state as bytes.
    public var encoded: [UInt8] {
        var writer = StateWriter()
        writer.byte(Self.version)
        writer.id(device)
        writer.half(epoch)
        writer.optional(header) { $0.digest($1) }
        writer.mark(own)
        writer.word(sentThrough)
        writer.optional(outgoing) { $0.outgoing($1) }
        writer.list(chains.sorted { $0.key < $1.key }) { writer, one in
            writer.id(one.key)
            writer.chain(one.value)
        }
        for ids in [forked, retired] { writer.list(ids.sorted()) { $0.id($1) } }
        writer.list(retellings) { $0.retelling($1) }
        let suspected = suspicions.map { (suspicion: StateWriter.bytes(of: $0.key), since: $0.value) }
        writer.list(suspected.sorted { $0.suspicion.lexicographicallyPrecedes($1.suspicion) }) { writer, one in
            for byte in one.suspicion { writer.byte(byte) }
            writer.word(UInt64(bitPattern: one.since))
        }
        writer.word(verified)
        writer.flag(isCardSent)
        for number in spansSent + spansSwept { writer.word(number) }
        writer.word(deletedThrough)
        writer.list(leftOut.sorted()) { $0.word($1) }
        writer.flag(isWhole)
        writer.byte((owesWholeState ? 1 : 0) | (owesRetired ? 2 : 0))
        writer.list(endings.values.sorted { $0.header < $1.header }) { $0.ending($1) }
        writer.optional(ownEnding) { $0.digest($1) }
        return writer.bytes
    }

    /// Reads a state back.
    ///
    /// - Throws: `StateError` for anything that `encoded` does not give.
    public init(parsing bytes: [UInt8]) throws(StateError) {
        guard bytes.count <= Self.byteCountMax else { throw .malformed }
        var reader = StateReader(bytes)
        guard try reader.byte() == Self.version else { throw .unknownVersion }
        self.init(
            device: try reader.id(), epoch: try reader.half(),
            header: try reader.optional { (reader) throws(StateError) in try reader.digest() })
        own = try reader.mark()
        sentThrough = try reader.number()
        outgoing = try reader.optional { (reader) throws(StateError) in try reader.outgoing() }
        let chains = try reader.ascending(by: \.id) { (reader) throws(StateError) in
            (id: try reader.id(), chain: try reader.chain())
        }
        self.chains = Dictionary(uniqueKeysWithValues: chains.map { ($0.id, $0.chain) })
        forked = try reader.ids()
        retired = try reader.ids()
        retellings = try reader.list { (reader) throws(StateError) in try reader.retelling() }
        let suspected = try reader.list { (reader) throws(StateError) in
            (suspicion: try reader.suspicion(), since: Int64(bitPattern: try reader.word()))
        }
        suspicions = Dictionary(suspected.map { ($0.suspicion, $0.since) }) { first, _ in first }
        verified = try reader.number()
        isCardSent = try reader.flag()
        for level in 0..<3 { spansSent[level] = try reader.number() }
        for level in 0..<3 { spansSwept[level] = try reader.number() }
        deletedThrough = try reader.number()
        leftOut = Set(try reader.ascending(by: { $0 }) { (reader) throws(StateError) in try reader.number() })
        isWhole = try reader.flag()
        let owed = try reader.byte()
        guard owed < 4 else { throw .malformed }
        (owesWholeState, owesRetired) = (owed & 1 != 0, owed & 2 != 0)
        let endings = try reader.ascending(by: \.header) { (reader) throws(StateError) in try reader.ending() }
        self.endings = Dictionary(uniqueKeysWithValues: endings.map { ($0.header, $0) })
        ownEnding = try reader.optional { (reader) throws(StateError) in try reader.digest() }
        try reader.end()
        // Whatever order something was in, there is one encoding of it.
        guard encoded == bytes else { throw .malformed }
    }
}

extension StateWriter {
    static func bytes(of suspicion: SyncState.Suspicion) -> [UInt8] {
        var writer = StateWriter()
        switch suspicion {
        case .hidden(let device):
            writer.byte(1)
            writer.id(device)
        case .lost(let number):
            writer.byte(2)
            writer.word(number)
        case .unreadable(let place):
            writer.byte(3)
            writer.place(place)
        }
        return writer.bytes
    }

    mutating func outgoing(_ value: SyncState.Outgoing) {
        place(value.place)
        digest(value.digest)
        word(value.through)
        flag(value.isWholeState)
        optional(value.ending) { $0.ending($1) }
    }

    mutating func chain(_ value: SyncState.Chain) {
        mark(value.seen)
        numbers(value.passed)
        half(value.epoch)
        flag(value.hasEnded)
        byte((value.isLate ? 1 : 0) | (value.taken == nil ? 0 : 2))
        if let taken = value.taken { mark(taken) }
    }

    mutating func ending(_ value: Ending) {
        digest(value.header)
        half(value.epoch)
        numbers(value.cut)
    }

    mutating func retelling(_ value: SyncState.Retelling) {
        switch value {
        case .everything: byte(1)
        case .chain(let device):
            byte(2)
            id(device)
        case .beyond(let cut):
            byte(3)
            numbers(cut)
        }
    }
}

extension StateReader {
    mutating func suspicion() throws(StateError) -> SyncState.Suspicion {
        switch try byte() {
        case 1: .hidden(try id())
        case 2: .lost(try number())
        case 3: .unreadable(try place())
        default: throw .malformed
        }
    }

    mutating func outgoing() throws(StateError) -> SyncState.Outgoing {
        SyncState.Outgoing(
            place: try place(), digest: try digest(), through: try number(), isWholeState: try flag(),
            ending: try optional { (reader) throws(StateError) in try reader.ending() })
    }

    mutating func chain() throws(StateError) -> SyncState.Chain {
        let (seen, passed) = (try mark(), try numbers())
        let (epoch, hasEnded, more) = (try half(), try flag(), try byte())
        guard more < 4 else { throw .malformed }
        return SyncState.Chain(
            seen: seen, taken: more & 2 == 0 ? nil : try mark(), passed: passed, epoch: epoch, hasEnded: hasEnded,
            isLate: more & 1 != 0)
    }

    mutating func ending() throws(StateError) -> Ending {
        let header = try digest()
        return Ending(epoch: try half(), cut: try numbers(), header: header)
    }

    mutating func retelling() throws(StateError) -> SyncState.Retelling {
        switch try byte() {
        case 1: .everything
        case 2: .chain(try id())
        case 3: .beyond(try numbers())
        default: throw .malformed
        }
    }
}

extension Identifier {
    /// Makes the identifier of at most 16 bytes; zeros follow where there are fewer.
    public init(bytes: [UInt8]) {
        let word = { (range: Range<Int>) in
            range.reduce(UInt64(0)) { $0 << 8 | UInt64($1 < bytes.count ? bytes[$1] : 0) }
        }
        self.init(high: word(0..<8), low: word(8..<16))
    }
}

extension Digest {
    /// Makes the digest of 32 bytes; nil for any other number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        let words = stride(from: 0, to: 32, by: 8).map { at in
            bytes[at..<at + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        self.init(words[0], words[1], words[2], words[3])
    }
}
