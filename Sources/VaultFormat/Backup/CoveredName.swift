// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `CoveredName` is a file that parity may cover: no other path can be made of it (ThreatModel H05). Spec:
/// docs/format.md §22.1.
public enum CoveredName: Hashable, Sendable, Comparable {
    /// SHA-256 of its bytes, which is its name.
    case piece([UInt8])
    case object(ObjectName)
    case snapshot(SnapshotName)
    /// The file that the parity file lies beside.
    case archive

    private static let digestByteCount = 32
    private static let snapshotByteCountMax = 32

    init(from reader: inout ByteReader) throws(FormatError) {
        let at = reader.offset
        switch try reader.u8() {
        case 1: self = .piece(try reader.bytes(Self.digestByteCount))
        case 2: self = .object(try ObjectName(reader.bytes(ObjectName.byteCount)))
        case 3:
            guard let name = SnapshotName(try reader.text(max: Self.snapshotByteCountMax)) else {
                throw FormatError(.notCanonical, offset: at)
            }
            self = .snapshot(name)
        case 4: self = .archive
        default: throw FormatError(.unknownKind, offset: at)
        }
    }

    func encode(to writer: inout ByteWriter) {
        writer.u8(kind)
        switch self {
        case .piece(let digest): writer.raw(digest)
        case .object(let name): writer.raw(name.bytes)
        case .snapshot(let name): writer.text(name.text)
        case .archive: break
        }
    }

    /// The path from the backup's folder on; nil for an archive.
    public var path: String? {
        switch self {
        case .piece(let digest):
            // A digest is as long as an object's name, and all zeroes is no digest.
            (try? ObjectName(digest)).map { "pieces/\($0.folder)/\($0.hex)" } ?? "pieces/00"
        case .object(let name): "objects/\(name.folder)/\(name.hex)"
        case .snapshot(let name): "snapshots/" + name.text
        case .archive: nil
        }
    }

    private var kind: UInt8 {
        switch self {
        case .piece: 1
        case .object: 2
        case .snapshot: 3
        case .archive: 4
        }
    }

    private var bytes: [UInt8] {
        switch self {
        case .piece(let digest): digest
        case .object(let name): name.bytes
        case .snapshot(let name): Array(name.text.utf8)
        case .archive: []
        }
    }

    public static func < (one: CoveredName, other: CoveredName) -> Bool {
        one.kind != other.kind ? one.kind < other.kind : one.bytes.lexicographicallyPrecedes(other.bytes)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(bytes)
    }
}
