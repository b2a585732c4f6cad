// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing
import VaultFormat

@testable import VaultAgent

/// Each operation of the table as it lies on the wire, written down by hand from docs/agent-protocol.md §3.
@Suite struct OperationTableTests {
    /// "k7" with its length.
    private static let ref = "00000002 6b37"

    private static let samples: [(operation: any Handled, bytes: String)] = [
        (ListLinks(ref: "k7"), "80 \(ref)"),
        (LinkTarget(ref: "k7", number: 3), "81 \(ref) 00000003"),
        (ListBacklinks(ref: "k7"), "82 \(ref)"),
        (ShareNote(ref: "k7"), "83 \(ref)"),
        (ListHistory(ref: "k7"), "88 \(ref)"),
        (CompareRevisions(ref: "k7", from: "@3", to: nil), "89 \(ref) 01 00000002 4033 00"),
        (RevertNote(ref: "k7", revision: "@3"), "8a \(ref) 00000002 4033"),
        (UndoCommands(commandCount: 2, consent: .answered), "8b 00000002 02"),
        (RedoCommands(commandCount: 2), "8c 00000002"),
        (ThinHistory(), "8d 00278d00 01e13380 00"),
        (ListTags(), "90"),
        (RenameTag(from: ["a", "b"], to: "c"), "91 00000002 00000001 61 00000001 62 00000001 63"),
        (ListNotebooks(), "94"),
        (RenameNotebook(from: "a", to: "b"), "95 00000001 61 00000001 62"),
        (RemoveNotebook(name: "a", withNotes: true), "96 00000001 61 01"),
        (ModifyNotes(refs: ["k7"], change: .title("T")), "98 00000001 \(ref) 01 01 00000001 54"),
        (ModifyNotes(refs: [], change: .title(nil)), "98 00000000 01 00"),
        (ModifyNotes(refs: [], change: .tag(["a"])), "98 00000000 02 00000001 00000001 61"),
        (ModifyNotes(refs: [], change: .untag([])), "98 00000000 03 00000000"),
        (ModifyNotes(refs: [], change: .notebook("a")), "98 00000000 04 00000001 61"),
        (ModifyNotes(refs: [], change: .pinned(true)), "98 00000000 05 01"),
        (ModifyNotes(refs: [], change: .archived(false)), "98 00000000 06 00"),
        (DuplicateNote(ref: "k7"), "99 \(ref)"),
        (MergeNotes(refs: ["k7", "k7"]), "9a 00000002 \(ref) \(ref)"),
        (NoteState(ref: "k7"), "a0 \(ref)"),
        (ProtectNote(ref: "k7", showsTitle: true), "a1 \(ref) 01"),
        (LockNotes(refs: ["k7"]), "a2 00000001 \(ref)"),
        (UnlockNote(ref: "k7"), "a3 \(ref)"),
        (ChangeNotePassword(ref: "k7", newKey: false), "a4 \(ref) 00"),
        (RemoveNotePassword(ref: "k7"), "a5 \(ref)"),
    ]

    private static let presentationByteCount = Request.status.encoded(for: Presentation()).count - 1

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.filter { $0 != " " }
        return stride(from: 0, to: digits.count, by: 2).compactMap { at in
            let start = digits.index(digits.startIndex, offsetBy: at)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
        }
    }

    private func read(_ payload: [UInt8]) throws -> any Handled {
        guard case .operation(let operation) = try Asked.parse(payload).asked else { throw FormatError(.unknownKind) }
        return operation
    }

    private func areEqual<One: Operation>(_ one: One, _ other: any Operation) -> Bool { other as? One == one }

    @Test func everyOperationHasTheBytesOfItsSpecification() throws {
        for (operation, expected) in Self.samples {
            let payload = operation.encoded(for: Presentation())
            #expect(Array(payload.dropFirst(Self.presentationByteCount)) == bytes(expected), "\(operation)")
            #expect(areEqual(operation, try read(payload)), "\(operation)")
        }
    }

    @Test func noOtherBytesAreAnOperation() {
        for (operation, _) in Self.samples {
            let payload = operation.encoded(for: Presentation())
            for count in 0..<payload.count { #expect(throws: FormatError.self, "\(operation) \(count)") { try Asked.parse(Array(payload[..<count])) } }
            #expect(throws: FormatError.self, "\(operation)") { try Asked.parse(payload + [0]) }
        }
    }

    @Test func everyOperationHasAByteOfItsOwnAndASample() {
        let ids = OperationTable.all.map { $0.id }
        #expect(Set(ids).count == ids.count)
        #expect(Set(Self.samples.map { type(of: $0.operation).id }) == Set(ids))
    }

    @Test func aLongListOfNamesIsRefusedBeforeItIsRead() {
        let names = [String](repeating: "", count: 10_001)
        let payload = MergeNotes(refs: names).encoded(for: Presentation())
        let error = #expect(throws: FormatError.self) { try Asked.parse(payload) }
        #expect(error?.code == .tooLarge)
    }
}
