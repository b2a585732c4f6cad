// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import SyncEngine
public import VaultFormat

public import struct SyncEngine.Digest
public import struct SyncEngine.Entry
public import struct VaultFormat.DeviceID

/// This extension makes the engine's words of what lies in a remote. The engine knows nothing of keys, and neither it
/// nor a segment knows what entries consist of: this code does, and reads an entry's name, note and parents out of its
/// body.
extension Place {
    /// Makes the engine's word for a place in a remote.
    public init(_ place: RemotePlace) {
        let kind: Kind
        switch place.kind {
        case .card: kind = .card
        case .segment: kind = .segment
        case .span(let level): kind = .span(level: Int(level))
        }
        self.init(kind: kind, epoch: place.epoch, device: Identifier(place.device.bytes), number: place.number)
    }
}

extension RemotePlace {
    /// Makes a place in a remote of the engine's word for it.
    ///
    /// - Throws: `FormatError.allZero` for a device that there cannot be.
    public init(_ place: Place) throws(FormatError) {
        let kind: Kind =
            switch place.kind {
            case .card: .card
            case .segment: .segment
            case .span(let level): .span(level: UInt8(clamping: level))
            }
        self.init(
            kind: kind, epoch: place.epoch, device: try DeviceID(place.device.bytes), number: place.number)
    }
}

extension OpenedSegment {
    /// Makes the engine's segment from one that was opened.
    ///
    /// - Parameter read: reads an entry from its body; its errors are rethrown.
    public init(_ opened: OpenedRemoteSegment, _ read: ([UInt8]) throws -> Entry) throws {
        let content = opened.content
        var vector: [Identifier: Mark] = [:]
        for mark in content.vector {
            vector[Identifier(mark.device.bytes)] = Mark(number: mark.number, digest: Digest(mark.digest))
        }
        let segment = Segment(
            place: Place(opened.place), previous: Digest(content.previous), vector: vector,
            forked: Set(content.forked.map { Identifier($0.bytes) }),
            retired: Set(content.retired.map { Identifier($0.bytes) }), isPart: content.isPart,
            isWholeState: content.isWholeState, nextHeader: content.nextHeader.map { Digest($0.digest) },
            entries: try content.entries.map(read))
        self.init(segment: segment, digest: Digest(opened.digest))
    }
}

extension RemoteSegment {
    /// Makes a segment of what the engine wants to say, with what it does not know.
    ///
    /// - Parameters:
    ///   - made: in milliseconds since 1970, UTC.
    ///   - header: of this vault now.
    ///   - nextHeader: of the next epoch where the segment ends this one, else nil: of the engine's digest.
    /// - Throws: `FormatError.notCanonical` for another next header than the engine's, `.allZero` for a device that
    ///   there cannot be.
    public init(
        _ segment: Segment, made: Int64, header: HeaderStamp, nextHeader: HeaderStamp? = nil
    ) throws(FormatError) {
        guard segment.nextHeader?.bytes == nextHeader?.digest else { throw FormatError(.notCanonical) }
        self.init(previous: segment.previous.bytes, made: made, header: header)
        self.nextHeader = nextHeader
        (isPart, isWholeState) = (segment.isPart, segment.isWholeState)
        for (device, mark) in segment.vector.sorted(by: { $0.key < $1.key }) {
            vector.append(
                ChainMark(device: try DeviceID(device.bytes), number: mark.number, digest: mark.digest.bytes))
        }
        for device in segment.forked.sorted() { forked.append(try DeviceID(device.bytes)) }
        for device in segment.retired.sorted() { retired.append(try DeviceID(device.bytes)) }
        entries = segment.entries.map(\.body)
    }
}

extension Identifier {
    /// Takes at most 16 bytes; zeros follow where there are fewer, as with a note's ten.
    fileprivate init(_ bytes: [UInt8]) {
        let word = { (range: Range<Int>) in
            range.reduce(UInt64(0)) { $0 << 8 | UInt64($1 < bytes.count ? bytes[$1] : 0) }
        }
        self.init(high: word(0..<8), low: word(8..<16))
    }
}

extension Digest {
    /// Takes 32 bytes.
    fileprivate init(_ bytes: [UInt8]) {
        precondition(bytes.count == 32, "a SHA-256 has 32 bytes")
        let words = stride(from: 0, to: 32, by: 8).map { at in
            bytes[at..<at + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        self.init(words[0], words[1], words[2], words[3])
    }
}
