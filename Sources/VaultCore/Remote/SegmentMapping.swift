// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SyncEngine
public import VaultFormat

public import struct SyncEngine.Digest
public import struct SyncEngine.Entry

/// What the engine speaks of, as it lies in a remote. The engine knows nothing of keys and of what entries hold; the
/// format knows nothing of the engine's rules. The body of an engine's entry is the items that tell it.
extension Place {
    /// - Returns: nil where the engine has no such object: it speaks of spans of one level.
    public init?(_ place: RemotePlace) {
        let kind: Kind
        switch place.kind {
        case .card: kind = .card
        case .segment: kind = .segment
        case .span(level: 1): kind = .span
        case .span: return nil
        }
        self.init(kind: kind, epoch: place.epoch, device: Identifier(place.device.bytes), number: place.number)
    }
}

extension RemotePlace {
    /// - Throws: `FormatError.allZero` for a device that there cannot be.
    public init(_ place: Place) throws(FormatError) {
        let kind: Kind =
            switch place.kind {
            case .card: .card
            case .segment: .segment
            case .span: .span(level: 1)
            }
        self.init(
            kind: kind, epoch: place.epoch, device: try VaultFormat.DeviceID(place.device.bytes), number: place.number)
    }
}

extension OpenedSegment {
    /// - Returns: nil for a place that the engine does not have.
    public init?(_ opened: OpenedRemoteSegment) {
        guard let place = Place(opened.place) else { return nil }
        let content = opened.content
        var vector: [Identifier: Mark] = [:]
        for mark in content.vector {
            vector[Identifier(mark.device.bytes)] = Mark(number: mark.number, digest: Digest(mark.digest))
        }
        let segment = Segment(
            place: place, previous: Digest(content.previous), vector: vector,
            continues: content.continues.map { Identifier($0.device.bytes) },
            continuesFrom: content.continues?.number ?? 0,
            forked: Set(content.forked.map { Identifier($0.bytes) }),
            retired: Set(content.retired.map { Identifier($0.bytes) }), isPart: content.isPart,
            isWholeState: content.isWholeState, isEnding: content.nextHeader != nil,
            entries: content.entries.map(Entry.init))
        self.init(segment: segment, digest: Digest(opened.digest))
    }
}

extension RemoteSegment {
    /// What the engine wants to say, with what it does not know.
    ///
    /// - Parameters:
    ///   - made: in milliseconds since 1970, UTC.
    ///   - header: of this vault now.
    ///   - nextHeader: of the next epoch where the segment ends this one, else nil.
    /// - Throws: `FormatError` for an entry whose body is not the items that tell it, and for an ending without the
    ///   next header.
    public init(
        _ segment: Segment, made: Int64, header: HeaderStamp, nextHeader: HeaderStamp? = nil
    ) throws(FormatError) {
        guard segment.isEnding == (nextHeader != nil) else { throw FormatError(.notCanonical) }
        self.init(previous: segment.previous.bytes, made: made, header: header)
        self.nextHeader = nextHeader
        if let device = segment.continues {
            continues = Continuation(device: try VaultFormat.DeviceID(device.bytes), number: segment.continuesFrom)
        }
        (isPart, isWholeState) = (segment.isPart, segment.isWholeState)
        for (device, mark) in segment.vector.sorted(by: { $0.key < $1.key }) {
            vector.append(
                ChainMark(
                    device: try VaultFormat.DeviceID(device.bytes), number: mark.number, digest: mark.digest.bytes))
        }
        for device in segment.forked.sorted() { forked.append(try VaultFormat.DeviceID(device.bytes)) }
        for device in segment.retired.sorted() { retired.append(try VaultFormat.DeviceID(device.bytes)) }
        for entry in segment.entries {
            let told = try RemoteEntry(parsing: entry.body)
            // What the engine goes by must be what everybody will read.
            let read = Entry(told)
            guard read.id == entry.id, read.note == entry.note, read.kind == entry.kind,
                read.parents == entry.parents, read.removes == entry.removes
            else { throw FormatError(.notCanonical) }
            entries.append(told)
        }
    }
}

extension Entry {
    /// As the engine knows it: a note's entry by its revision and parents, anything else as an entry of no note.
    public init(_ entry: RemoteEntry) {
        guard let told = entry.told else {
            self.init(id: Identifier(entry.id), note: Identifier(high: 0, low: 0), parents: [], body: entry.encoded)
            return
        }
        self.init(
            id: Identifier(entry.id), note: Identifier(told.noteID.bytes),
            kind: told.operation == .purge ? .purge : .revision, parents: told.parents.map { Identifier($0.bytes) },
            removes: told.operation == .purge || told.operation == .trash, body: entry.encoded)
    }
}

extension Identifier {
    /// Of at most 16 bytes; zeros follow where there are fewer, as with a note's ten.
    fileprivate init(_ bytes: [UInt8]) {
        let word = { (range: Range<Int>) in
            range.reduce(UInt64(0)) { $0 << 8 | UInt64($1 < bytes.count ? bytes[$1] : 0) }
        }
        self.init(high: word(0..<8), low: word(8..<16))
    }
}

extension Digest {
    /// Of 32 bytes.
    fileprivate init(_ bytes: [UInt8]) {
        precondition(bytes.count == 32, "a SHA-256 has 32 bytes")
        let words = stride(from: 0, to: 32, by: 8).map { at in
            bytes[at..<at + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        self.init(words[0], words[1], words[2], words[3])
    }
}
