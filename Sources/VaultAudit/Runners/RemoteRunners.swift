// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `RemoteRunners` tests cards, segments and spans of a remote. Each is taken apart step by step, so that the step
/// which refuses is known, and then given to what the product opens it with: the two must agree. Spec: docs/format.md
/// §25.4 and §25.5.
enum RemoteRunners {
    static func card(_ test: VectorTest) throws -> Verdict {
        let place = try RemotePlaceOfTest(test)
        let sealer = try place.sealer()
        let name = try RemoteName(test.bytes("name"), in: .cards)
        let sealed = try sealed(test)
        let context = RemoteCard.context(named: name, in: place.vault, epoch: place.place.epoch).encoded
        return try agreeing(try? sealer.openCard(sealed, named: name)) { opened in
            guard sealed.count == RemoteCard.sealedByteCount else { throw Refusal("size") }
            let padded = try self.opened(sealed, place, context)
            let content = try SealedRunners.unpad(padded)
            let card = try RemoteCard(parsing: content)
            let own = RemotePlace(kind: .card, epoch: place.place.epoch, device: card.device)
            guard try sealer.names.name(of: own) == name else { throw Refusal("place") }
            guard test.has("salt") else { return .accepted }
            return try .comparing([
                ("device", card.device.bytes == test.bytes("device")), ("made", card.made == test.number("made")),
                ("card, written again", card.encoded == content), ("card, opened by the product", opened == card),
                ("sealed", SealedRunners.seal(padded, place.key.subkey(.sync), context, test) == sealed),
            ])
        }
    }

    static func segment(_ test: VectorTest) throws -> Verdict {
        let content = try test.bytes("content")
        let segment = try RemoteSegment(parsing: content)
        guard test.has("segmentFlags") else { return .accepted }
        let flags =
            (segment.isPart ? 1 : 0) | (segment.isWholeState ? 2 : 0) | (segment.nextHeader != nil ? 4 : 0)
            | (segment.elsewhere.isEmpty ? 0 : 8)
        let vector = segment.vector.map { mark in
            JSONValue.list([text(mark.device.bytes), number(mark.number), text(mark.digest)])
        }
        let elsewhere = segment.elsewhere.map { mark in
            JSONValue.list([text(mark.place), text(mark.device.bytes), number(mark.number), text(mark.digest)])
        }
        return try .comparing([
            ("flags", flags == test.integer("segmentFlags")), ("previous", segment.previous == test.bytes("previous")),
            ("made", segment.made == test.number("made")),
            ("header", stamp(segment.header) == test.list("header")),
            ("nextHeader", (segment.nextHeader.map(stamp) ?? []) == test.list("nextHeader")),
            ("vector", vector == test.list("vector")),
            ("forked", segment.forked.map { text($0.bytes) } == test.list("forked")),
            ("retired", segment.retired.map { text($0.bytes) } == test.list("retired")),
            ("elsewhere", elsewhere == test.list("elsewhere")),
            ("entries", segment.entries.map(text) == test.list("entries")),
            ("segment, written again", segment.encoded == content),
        ])
    }

    static func sealedSegment(_ test: VectorTest) throws -> Verdict {
        let place = try RemotePlaceOfTest(test)
        let sealer = try place.sealer()
        let sealed = try sealed(test)
        let context = place.place.context(in: place.vault).encoded
        return try agreeing(try? sealer.openSegment(sealed, at: place.place)) { opened in
            let padded = try self.opened(sealed, place, context)
            let content = try unpad(padded)
            let segment = try RemoteSegment(parsing: content)
            guard segment.fits(place.place) else { throw Refusal("place") }
            guard test.has("salt") else { return .accepted }
            return try .comparing([
                ("content", content == test.bytes("content")),
                ("segment, opened by the product", opened?.content == segment),
                ("digest", opened?.digest == test.bytes("digest")),
                ("sealed", SealedRunners.seal(padded, place.key.subkey(.sync), context, test) == sealed),
            ])
        }
    }

    static func sealedSpan(_ test: VectorTest) throws -> Verdict {
        let place = try RemotePlaceOfTest(test)
        let sealer = try place.sealer()
        let sealed = try sealed(test)
        let context = place.place.context(in: place.vault).encoded
        return try agreeing(try? sealer.openSpan(sealed, at: place.place)) { opened in
            let padded = try self.opened(sealed, place, context)
            let content = try unpad(padded)
            let span = try RemoteSpan(parsing: content)
            guard let numbers = place.place.coveredNumbers, numbers.count == span.segments.count else {
                throw Refusal("place")
            }
            for (packed, number) in zip(span.segments, numbers) {
                guard let packed else { continue }
                let own = RemotePlace(
                    kind: .segment, epoch: place.place.epoch, device: place.place.device, number: number)
                guard try RemoteSegment(parsing: packed.content).fits(own) else { throw Refusal("place") }
            }
            guard test.has("salt") else { return .accepted }
            let digests = (opened ?? []).map { JSONValue.list([number($0.place.number), text($0.digest)]) }
            return try .comparing([
                ("content", content == test.bytes("content") && span.encoded == content),
                ("digests", digests == test.list("digests")),
                ("sealed", SealedRunners.seal(padded, place.key.subkey(.sync), context, test) == sealed),
            ])
        }
    }

    /// Compares the product with the single steps: it opens nothing that a step refuses.
    private static func agreeing<Value>(_ opened: Value??, _ steps: (Value?) throws -> Verdict) throws -> Verdict {
        let value = opened ?? nil
        do {
            let verdict = try steps(value)
            if case .accepted = verdict, value == nil { return .differs("the product refuses it") }
            return verdict
        } catch {
            guard value == nil else { return .differs("the product opens it") }
            throw error
        }
    }

    private static func sealed(_ test: VectorTest) throws -> [UInt8] {
        guard test.has("base") else { return try test.bytes("sealed") }
        return try SealedEdit.apply(test.list("edit"), to: test.base().bytes("sealed"))
    }

    private static func opened(_ sealed: [UInt8], _ place: RemotePlaceOfTest, _ context: [UInt8]) throws -> [UInt8] {
        let key = try place.key.subkey(.sync)
        guard let padded = try? Cobblestone().open(sealed, key: key, context: context) else { throw Refusal("open") }
        return padded
    }

    private static func unpad(_ padded: [UInt8]) throws -> [UInt8] {
        guard let content = try? Padme.unpad(padded, floor: RemoteSegment.paddedByteCountMin) else {
            throw Refusal("padding")
        }
        return content
    }

    private static func stamp(_ stamp: HeaderStamp) -> [JSONValue] { [number(stamp.counter), text(stamp.digest)] }
    private static func number(_ value: UInt64) -> JSONValue {
        Int(exactly: value).map(JSONValue.integer) ?? .large(value)
    }
    private static func text(_ bytes: [UInt8]) -> JSONValue { .text(Hexadecimal.encode(bytes)) }
}
