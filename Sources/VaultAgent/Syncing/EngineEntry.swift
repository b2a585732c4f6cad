// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncEngine
internal import VaultCore
internal import VaultFormat

internal import struct SyncEngine.Digest
internal import struct SyncEngine.Entry

/// This extension makes entries as the engine sees them: names and parents, and bytes that it does not look into.
extension Entry {
    /// Reads an entry of another device, as a segment holds it.
    ///
    /// - Throws: `FormatError` for what no program of this version writes.
    init(foreign bytes: [UInt8]) throws {
        self.init(try EntryBody(parsing: bytes).entry, body: bytes)
    }

    /// Makes an entry of this device. Its body is looked up when a segment is sealed: all that is to be told does not
    /// lie in memory.
    init(_ told: EntryToTell) {
        self.init(told.entry, body: (0..<8).map { UInt8(truncatingIfNeeded: told.position >> (56 - 8 * $0)) })
    }

    /// The position of an own entry.
    var position: UInt64 { body.reduce(0) { $0 << 8 | UInt64($1) } }

    private init(_ entry: VaultFormat.Entry, body: [UInt8]) {
        self.init(
            id: Identifier(bytes: entry.revisionID.bytes), note: Identifier(bytes: entry.noteID.bytes),
            kind: entry.operation == .purge ? .purge : .revision,
            parents: entry.parents.map { Identifier(bytes: $0.bytes) },
            removes: entry.operation == .purge || entry.operation == .trash, body: body)
    }
}

extension Answer {
    /// Makes an answer of what a store gave under the name of a place.
    ///
    /// - Parameter hear: hears of each segment that opened, what the engine does not look into.
    /// - Throws: `VaultError.newerFormat`, `.integrity` for what a device of this vault has sealed and no program of
    ///   this version understands.
    init(
        _ bytes: [UInt8], at place: Place, _ sealer: SegmentSealer, hear: (OpenedRemoteSegment) -> Void
    ) throws(VaultError) {
        do {
            let remote = try RemotePlace(place)
            switch place.kind {
            case .card: self = .unreadable
            case .segment:
                let opened = try sealer.openSegment(bytes, at: remote)
                if let opened { hear(opened) }
                self = try opened.map { .segment(try OpenedSegment($0, Entry.init(foreign:))) } ?? .unreadable
            case .span:
                let opened = try sealer.openSpan(bytes, at: remote)
                opened?.forEach(hear)
                self =
                    try opened.map { .span(try $0.map { try OpenedSegment($0, Entry.init(foreign:)) }) } ?? .unreadable
            }
        } catch let error as VaultError { throw error } catch let error as FormatError {
            throw VaultError(
                [.unknownVersion, .unknownFeature, .unknownKind].contains(error.code) ? .newerFormat : .integrity)
        } catch { throw VaultError(.integrity) }
    }
}

extension SyncState {
    /// Makes the state of a device that has said and heard nothing over a remote.
    ///
    /// - Parameter device: 16 random bytes.
    init(new device: [UInt8], epoch: UInt32) {
        // The keys of the first epoch have been nobody else's: a device that has them may speak at once.
        self.init(device: Identifier(bytes: device), epoch: epoch, isFirst: epoch == 1)
    }
}

extension HeardDevice {
    /// Makes one of the engine's name for a device; nil for a name that no device has.
    init?(_ device: Identifier, made: Int64) {
        guard let device = try? VaultFormat.DeviceID(device.bytes) else { return nil }
        self.init(device: device, made: made)
    }
}

extension RemoteState {
    /// Makes what is written down of the engine's state.
    init(_ name: String, _ state: SyncState) {
        self.init(name, state.encoded, sentThrough: state.sentThrough)
    }
}
