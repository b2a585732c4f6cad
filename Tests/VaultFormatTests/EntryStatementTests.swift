// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat
import VaultTesting

/// Statements: each kind has one encoding, and is said of a note or of none.
struct EntryStatementTests {
    private let note: NoteID
    private let device: DeviceID

    init() throws {
        note = try NoteID((1...10).map { UInt8($0) })
        device = try DeviceID((0x31...0x40).map { UInt8($0) })
    }

    private func statements() throws -> [EntryStatement] {
        let other = try DeviceID([UInt8](repeating: 7, count: 16))
        let origin = DeviceStatement.Origin(device: other, sequence: 5, chain: [UInt8](repeating: 8, count: 32))
        var slot = Keyslot(
            kind: .recoveryKey, slotID: [UInt8](repeating: 9, count: 16), memoryKiB: 0, iterations: 0, parallelism: 0,
            salt: [UInt8](repeating: 1, count: 32))
        slot.wrappedKey = [UInt8](repeating: 2, count: Keyslot.wrappedKeyByteCount)
        let record = AttachmentRecord(
            id: try AttachmentID([UInt8](repeating: 4, count: 16)), noteID: note,
            object: try ObjectName([UInt8](repeating: 5, count: 32)), fileByteCount: 100,
            commitment: [UInt8](repeating: 6, count: 32), isPrivate: false, details: [])
        return [
            .device(DeviceStatement(device: device, name: "laptop", system: "Linux x86_64", chains: [device, other])),
            .device(DeviceStatement(device: device, name: "", system: "", chains: [], origin: origin)),
            .keyslotAdded(KeyslotStatement(epoch: 1, slot: slot, name: "paper", target: 1000)),
            .keyslotRemoved(epoch: 1, slotID: [UInt8](repeating: 9, count: 16)),
            .noteKey(NoteKeyStatement(keyID: [UInt8](repeating: 3, count: 16), slot: nil)), .attachment(record),
        ]
    }

    private func body(_ statement: EntryStatement, of note: NoteID) throws -> EntryBody {
        var body = EntryBody(
            entry: Entry(
                device: device.bytes, sequence: 2, operation: .statement, noteID: note,
                revisionID: try RevisionID((0x21...0x30).map { UInt8($0) }), parents: [],
                previous: [UInt8](repeating: 3, count: 32)))
        body.statement = statement
        return body
    }

    @Test func eachKindIsReadAgain() throws {
        let all = try statements()
        #expect(Set(all.map(\.kind)) == Set(EntryStatement.Kind.allCases))
        for statement in all {
            let bytes = statement.encoded
            #expect(try EntryStatement(parsing: bytes) == statement)
            for count in 0..<bytes.count {
                #expect(throws: FormatError.self) { try EntryStatement(parsing: Array(bytes.prefix(count))) }
            }
            #expect(throws: FormatError.self) { try EntryStatement(parsing: bytes + [0]) }
        }
    }

    @Test func aStatementIsOfANoteOrOfNone() throws {
        for statement in try statements() {
            let isOfNote = [.noteKey, .attachment].contains(statement.kind)
            for home in [note, NoteID.none] {
                let bytes = try body(statement, of: home).encoded
                if isOfNote == (home == note) {
                    #expect(try EntryBody(parsing: bytes).encoded == bytes)
                } else {
                    #expect(throws: FormatError.self) { try EntryBody(parsing: bytes) }
                }
            }
        }
    }

    @Test func onlyAStatementIsOfNoNote() throws {
        var entry = try body(statements()[0], of: .none).entry
        #expect(try Entry(parsing: entry.encoded) == entry)
        for operation in [Entry.Operation.create, .edit, .purge, .drop] {
            entry.operation = operation
            #expect(throws: FormatError.self) { try Entry(parsing: entry.encoded) }
        }
    }

    /// A number that no program of this version writes is a newer program's, and number 5 is never given out.
    @Test func otherKindsAreANewerPrograms() throws {
        for kind: UInt8 in [0, 5, 7, 255] {
            do {
                _ = try EntryStatement(parsing: [0, 1, kind])
                Issue.record("kind \(kind) was read")
            } catch { #expect(error.code == .unknownKind) }
        }
        do {
            _ = try EntryStatement(parsing: [0, 2, 1])
            Issue.record("version 2 was read")
        } catch { #expect(error.code == .unknownVersion) }
    }

    @Test func namesOfOneDeviceRiseAndAreBounded() throws {
        let chains = try (1...64).map { try DeviceID([UInt8](repeating: UInt8($0), count: 16)) }
        let full = EntryStatement.device(
            DeviceStatement(device: device, name: "a", system: "b", chains: chains.reversed()))
        #expect(try EntryStatement(parsing: full.encoded) == full)
        let (count, first) = (3 + 16 + 5 + 5, 3 + 16 + 5 + 5 + 4)
        var swapped = full.encoded
        swapped.replaceSubrange(first..<first + 32, with: chains[1].bytes + chains[0].bytes)
        #expect(throws: FormatError.self) { try EntryStatement(parsing: swapped) }
        var more = full.encoded
        more[count + 3] = 65
        #expect(throws: FormatError.self) { try EntryStatement(parsing: more) }
        let long = EntryStatement.device(
            DeviceStatement(device: device, name: String(repeating: "a", count: 257), system: "", chains: []))
        #expect(throws: FormatError.self) { try EntryStatement(parsing: long.encoded) }
    }

    @Test func noChangedByteTraps() throws {
        var random = SeededGenerator(9)
        for statement in try statements() {
            let bytes = statement.encoded
            for at in bytes.indices {
                var changed = bytes
                changed[at] = UInt8.random(in: 0...255, using: &random)
                if let read = try? EntryStatement(parsing: changed) { #expect(read.encoded == changed) }
            }
        }
    }

    /// The bytes of docs/format.md §10.
    @Test func theWorkedStatementIsTheDocuments() throws {
        let statement = EntryStatement.device(
            DeviceStatement(
                device: device, name: "laptop", system: "Linux x86_64",
                chains: [try DeviceID((0xA1...0xB0).map { UInt8($0) })]))
        let file = Repository.root.appending(path: "docs/format.md")
        let document = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").joined()
        #expect(document.contains(statement.encoded.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()))
    }
}
