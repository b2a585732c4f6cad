// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RefusedEntry` is a part of a container that gave neither note nor attachment: `UInt8 reason | text name`.
public struct RefusedEntry: Sendable, Hashable {
    public static let nameByteCountMax = 1024

    /// The raw values are those of the record: never reused.
    public enum Reason: UInt8, Sendable, Hashable, CaseIterable {
        case symbolicLink = 1
        case hardLink = 2
        case specialFile = 3
        case unsafePath = 4
        case tooDeep = 5
        case tooLarge = 6
        case encrypted = 7
        case damaged = 8
        case duplicate = 9
        case notUsed = 10
        case unknownKind = 11
        case oldVersion = 12
        /// From here on the whole container is given up.
        case tooManyEntries = 13
        case tooManyBytes = 14
        case bomb = 15
        case malformedContainer = 16
        case declarations = 17
        case unknownVersion = 18
        case partMissing = 19

        /// Words for a person; the name stands before them.
        public var sentence: String {
            switch self {
            case .symbolicLink: "a symbolic link; links are never followed"
            case .hardLink: "a hard link; links are never followed"
            case .specialFile: "neither a file nor a folder"
            case .unsafePath: "its path is absolute or leaves the container"
            case .tooDeep: "it is nested too deeply"
            case .tooLarge: "it is larger than such an item may be"
            case .encrypted: "it is encrypted; decrypt it with the program that wrote it, then import again"
            case .damaged: "it is damaged and could not be read"
            case .duplicate: "another entry has the same name or identifier; the first is used"
            case .notUsed: "no note shows this file"
            case .unknownKind: "items of this kind have no place in the vault"
            case .oldVersion: "an earlier version of a note; only the current one is imported"
            case .tooManyEntries: "there are more entries than an import takes"
            case .tooManyBytes: "there is more data than an import takes"
            case .bomb: "it grows out of all proportion when it is unpacked"
            case .malformedContainer: "the file is not what its kind promises, or is damaged"
            case .declarations: "it declares entities or types of its own, which is refused"
            case .unknownVersion: "it is written in a version of its format that this program does not know"
            case .partMissing: "it is missing, so the export is incomplete"
            }
        }

        public var endsImport: Bool { rawValue >= Reason.tooManyEntries.rawValue }
    }

    public let reason: Reason
    /// Made of bytes that are not ASCII letters as `ForeignFile.sourceKey` does; it is cut where it is too long. A
    /// terminal obeys nothing in it.
    public let name: String

    /// Makes an entry whose name is the path, which may be any bytes, in printable ASCII: another byte and "%" are
    /// written as "%" and two hexadecimal digits, and a path that is too long is cut.
    public init(_ reason: Reason, path: some Sequence<UInt8>) {
        self.reason = reason
        var name = ""
        for byte in path {
            guard name.utf8.count <= Self.nameByteCountMax - 3 else { break }
            if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
                name.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                name += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        self.name = name
    }

    init(_ reader: inout RecordReader) throws(RecordError) {
        let at = reader.offset
        guard let reason = Reason(rawValue: try reader.u8()) else { throw RecordError(.unknownLoss, offset: at) }
        let name = try reader.text(max: Self.nameByteCountMax)
        guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw RecordError(.notCanonical, offset: at + 1)
        }
        self.reason = reason
        self.name = name
    }

    func write(_ writer: inout RecordWriter) {
        writer.u8(reason.rawValue)
        writer.text(name)
    }
}
