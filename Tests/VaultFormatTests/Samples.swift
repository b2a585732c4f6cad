// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

/// Well-formed values of every kind, and one way to read and write each, so that one test serves all parsers.
enum Samples {
    static let vaultID = try! VaultID(Array(0xA0...0xAF))
    static let noteID = try! NoteID(Array(1...10))
    static let revisionID = try! RevisionID(Array(0x11...0x20))

    static let header: UnverifiedHeader = {
        var password = Keyslot(
            kind: .password, slotID: Array(0xB0...0xBF), memoryKiB: 65536, iterations: 3, parallelism: 4,
            salt: Array(0xC0...0xDF))
        password.wrappedKey = (0..<104).map { UInt8($0) }
        var recovery = Keyslot(
            kind: .recoveryKey, slotID: Array(0xD0...0xDF), memoryKiB: 0, iterations: 0, parallelism: 0,
            salt: Array(0xE0...0xFF))
        recovery.wrappedKey = (0..<104).map { UInt8(200 - $0) }
        var header = UnverifiedHeader(vaultID: vaultID, epoch: 1, counter: 1, keyslots: [password, recovery])
        header.mac = (0..<64).map { UInt8($0) }
        return header
    }()

    static let manifest: Manifest = {
        var manifest = Manifest(
            generation: 42, pageCount: 7, logSalt: Array(0x20...0x3F), syncedByteCount: 8312, isOpen: true)
        (manifest.headerCounter, manifest.headerDigest) = (9, Array(0x40...0x5F))
        manifest.map = MapRoot(slot: 1, hash: Array(0x80...0x9F))
        return manifest
    }()
    static let pin = Pin(
        vaultID: vaultID, epoch: 3, counter: 9, digest: Array(0x40...0x5F), generation: 1 << 40, sequence: 7,
        chain: Array(0x60...0x7F))

    static let record: NoteRecord = {
        var record = NoteRecord(noteID: noteID, created: 1_700_000_000_000, modified: -1, body: "milk\nbread\n漢字 🥖\n\0")
        record.title = "Groceries"
        record.notebook = "Home/Kitchen"
        record.tags = ["food", "u\u{308}bung", ""]
        record.source = "md:Home/Groceries.md"
        return record
    }()

    static let entry = Entry(
        device: Array(0x60...0x6F), sequence: 5, operation: .edit, noteID: noteID, revisionID: revisionID,
        parents: [try! RevisionID(Array(0x21...0x30)), revisionID], previous: Array(0x70...0x8F))

    static let segment: RemoteSegment = {
        let devices = [try! DeviceID(Array(0x60...0x6F)), try! DeviceID(Array(0x70...0x7F))]
        var segment = RemoteSegment(
            previous: Array(0x40...0x5F), made: 1_700_000_300_000,
            header: HeaderStamp(counter: 3, digest: Array(0x20...0x3F)))
        segment.nextHeader = HeaderStamp(counter: 4, digest: Array(0x21...0x40))
        segment.isPart = true
        segment.vector = devices.map { ChainMark(device: $0, number: 5, digest: Array(0x70...0x8F)) }
        segment.forked = [devices[0]]
        segment.retired = devices
        segment.entries = [entry.encoded, [1]]
        return segment
    }()

    static let span = RemoteSpan(segments: [
        .init(salt: Array(0x10...0x27), content: [1, 2, 3]), nil, .init(salt: Array(0x30...0x47), content: []),
    ])

    static let pairing: PairingCode = {
        let point = try! PairedPoint(
            epoch: 3, device: DeviceID(Array(0x60...0x6F)), number: 1 << 40, digest: Array(0x40...0x5F))
        return try! PairingCode(
            vault: vaultID.bytes, header: HeaderStamp(counter: 3, digest: Array(0x20...0x3F)), point: point,
            kind: .folder, place: Array("/mnt/nas/notes".utf8))
    }()

    static let all: [Parser] = [
        Parser(name: "pairing code", sample: pairing.encoded) { bytes throws(FormatError) in
            try PairingCode(parsing: bytes).encoded
        },
        Parser(name: "segment", sample: segment.encoded) { bytes throws(FormatError) in
            try RemoteSegment(parsing: bytes).encoded
        },
        Parser(name: "span", sample: span.encoded) { bytes throws(FormatError) in
            try RemoteSpan(parsing: bytes).encoded
        },
        Parser(name: "card", sample: RemoteCard(device: try! DeviceID(Array(0x60...0x6F)), made: -1).encoded) {
            bytes throws(FormatError) in try RemoteCard(parsing: bytes).encoded
        },
        Parser(name: "header", sample: header.encoded) { bytes throws(FormatError) in
            try UnverifiedHeader(parsing: bytes).encoded
        },
        Parser(name: "manifest", sample: manifest.encoded) { bytes throws(FormatError) in
            try Manifest(parsing: bytes).encoded
        },
        Parser(name: "pin", sample: pin.encoded) { bytes throws(FormatError) in try Pin(parsing: bytes).encoded },
        Parser(name: "record", sample: record.encoded) { bytes throws(FormatError) in
            try NoteRecord(parsing: bytes).encoded
        },
        Parser(name: "entry", sample: entry.encoded) { bytes throws(FormatError) in try Entry(parsing: bytes).encoded },
    ]
}

/// One format: an encoding of it, and reading with writing again.
struct Parser: Sendable, CustomTestStringConvertible {
    let name: String
    let sample: [UInt8]
    let readAndWrite: @Sendable ([UInt8]) throws(FormatError) -> [UInt8]

    var testDescription: String { name }

    /// Refused, or written again with the same bytes: there is no third.
    func isRefusedOrCanonical(_ bytes: [UInt8]) -> Bool {
        guard let again = try? readAndWrite(bytes) else { return true }
        return again == bytes
    }
}
