// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import VaultFormat

@testable import SealedSQLite
@testable import VaultCore

/// Which version of a row counts where a note was ordinary once and private later, or the other way round.
struct SalvagedRevisionsTests {
    private let note: NoteID
    private let id: RevisionID

    init() throws {
        note = try NoteID([UInt8](repeating: 1, count: 10))
        id = try RevisionID([UInt8](repeating: 2, count: 16))
    }

    private func revision(_ keyEpoch: UInt32, isOlder: Bool) -> SalvagedRevision {
        let version = PageSalvage.Version(page: 3, frame: isOlder ? -1 : 4)
        return SalvagedRevision(
            id: id, note: note, made: 0, keyEpoch: keyEpoch, attachments: [],
            position: PageSalvage.Position(version: version, cell: 0, isOfItsTime: false), isOlder: isOlder)
    }

    private func settled(
        _ versions: [SalvagedRevision], isListedPrivate: Bool? = nil
    ) -> SalvagedRevisions {
        var revisions = SalvagedRevisions()
        for version in versions { revisions.add(version) }
        revisions.settle { _ in isListedPrivate }
        return revisions
    }

    @Test func X30aTextOfBeforeItsNoteBecamePrivateStaysLostWithTheKeyslot() {
        let revisions = settled([revision(1, isOlder: false), revision(0, isOlder: true)])
        #expect(revisions.found.isEmpty && revisions.withoutKeyslot == [note])
    }

    @Test func X30whatTheNewestListsCallPrivateDoesNotComeBackInTheClear() {
        let revisions = settled([revision(0, isOlder: true)], isListedPrivate: true)
        #expect(revisions.found.isEmpty && revisions.withoutKeyslot == [note])
    }

    @Test func X30whereNothingNewestSpeaksForAnOrdinaryNoteOneThatWasPrivateStaysClosed() {
        let revisions = settled([revision(1, isOlder: true), revision(0, isOlder: true)])
        #expect(revisions.found.isEmpty && revisions.withoutKeyslot == [note])
    }

    @Test func aNoteThatBecameOrdinaryAgainIsKept() {
        for listed in [nil, false] as [Bool?] {
            let revisions = settled([revision(0, isOlder: false), revision(1, isOlder: true)], isListedPrivate: listed)
            #expect(revisions.found[id]?.keyEpoch == 0 && revisions.withoutKeyslot.isEmpty)
        }
        let revisions = settled([revision(1, isOlder: true), revision(0, isOlder: true)], isListedPrivate: false)
        #expect(revisions.found[id]?.keyEpoch == 0 && revisions.withoutKeyslot.isEmpty)
    }

    private func slot(_ byte: UInt8, order: UInt64, isOlder: Bool = false) -> SalvagedKeyslot {
        SalvagedKeyslot(sealed: [byte], keyEpoch: 1, isOlder: isOlder, order: order)
    }

    private func settled(_ slots: [SalvagedKeyslot]) -> SalvagedRevisions {
        var revisions = SalvagedRevisions()
        revisions.add(revision(1, isOlder: false))
        for slot in slots { revisions.add(slot, of: note) }
        revisions.settle { _ in nil }
        return revisions
    }

    @Test func ofTwoKeyslotsTheOneThatWasWrittenLastCountsAndTheDifferenceIsTold() {
        for slots in [[slot(1, order: 1), slot(2, order: 2)], [slot(2, order: 2), slot(1, order: 1)]] {
            let revisions = settled(slots)
            #expect(revisions.slots[note]?.sealed == [2] && revisions.uncertainSlots == [note])
            #expect(revisions.found[id] != nil)
        }
    }

    @Test func aRowAndItsSecondCopyAreNoDifference() {
        let revisions = settled([slot(1, order: 1), slot(1, order: 5), slot(2, order: 3, isOlder: true)])
        #expect(revisions.slots[note]?.order == 5 && revisions.uncertainSlots.isEmpty)
    }

    @Test func aKeyslotThatOnlyAnOlderPageHasMayBeOfAnEarlierPassword() {
        let revisions = settled([slot(1, order: 1, isOlder: true), slot(2, order: 2, isOlder: true)])
        #expect(revisions.slots[note]?.sealed == [2] && revisions.uncertainSlots == [note])
    }
}
