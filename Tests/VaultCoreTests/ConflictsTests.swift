// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultFormat

@testable import VaultCore

/// Notes with several versions: what is told of them, and how their owner ends that.
struct ConflictsTests {
    /// Two devices that wrote into one line.
    private func forked(_ body: String = "monday") throws -> (DeviceSet, NoteID) {
        var note: NoteID?
        let set = try DeviceSet { note = try $0.notes.create(NoteDraft(body: body, title: "Plan")).id }
        let id = try #require(note)
        _ = try set[0].notes.edit(id) { $0.body = "tuesday" }
        _ = try set[1].notes.edit(id) { $0.body = "friday" }
        try set.exchange()
        return (set, id)
    }

    private func bodies(_ store: OpenVault, _ id: NoteID) throws -> Set<String> {
        let versions = try store.conflicts.conflict(of: id).versions
        return Set(try versions.map { String(decoding: try store.history.text(of: $0.revision, id), as: UTF8.self) })
    }

    @Test func eachVersionIsToldWithTheDeviceThatMadeIt() throws {
        let (set, id) = try forked()
        for number in 0..<2 {
            let note = try #require(try set[number].conflicts.notes().first)
            let conflict = try set[number].conflicts.conflict(of: note)
            #expect(conflict.note.id == id && conflict.versions.count == 2)
            #expect(conflict.versions.map(\.isShown) == [true, false])
            #expect(conflict.versions[0].revision == conflict.note.revision)
            #expect(conflict.versions.filter(\.isOwn).map(\.device) == [try set[number].devices.own])
            #expect(Set(conflict.versions.map(\.device)).count == 2)
            #expect(conflict.versions.allSatisfy { $0.made > 0 })
        }
        let alone = try set[0].notes.create(NoteDraft(body: "alone")).id
        #expect(try set[0].conflicts.conflict(of: alone).versions.count == 1)
        #expect(try set[0].conflicts.notes().count == 1)
        try set.end()
    }

    @Test func oneVersionIsKeptOnAllDevicesAndUndoBringsTheOtherBack() throws {
        let (set, id) = try forked()
        let hidden = try #require(try set[0].conflicts.conflict(of: id).versions.last).revision
        let text = String(decoding: try set[0].history.text(of: hidden, id), as: UTF8.self)
        let version = try set[0].conflicts.version(String(hidden.text.prefix(6)), of: id)
        #expect(version == hidden)
        #expect(try !set[0].conflicts.keep(hidden, of: id).isForked)
        try set.exchange()
        try set.expectAlike([id])
        #expect(try set[1].body(id) == text && set[1].conflicts.notes().isEmpty)
        #expect(try set[0].history.revisions(of: id).count == 4)
        _ = try set[0].history.undo(limit: 100)
        #expect(try bodies(set[0], id) == ["tuesday", "friday"])
        _ = try set[0].history.redo()
        #expect(try set[0].body(id) == text && set[0].conflicts.notes().isEmpty)
        try set.exchange()
        try set.expectAlike([id])
        try set.end()
    }

    @Test func theShownVersionIsKeptToo() throws {
        let (set, id) = try forked()
        let shown = try set[0].conflicts.conflict(of: id).versions[0].revision
        let text = try set[0].body(id)
        _ = try set[0].conflicts.keep(shown, of: id)
        #expect(try set[0].conflicts.notes().isEmpty && set[0].body(id) == text)
        try set.exchange()
        try set.expectAlike([id])
        try set.end()
    }

    @Test func bothAreKeptAsTwoNotes() throws {
        let (set, id) = try forked()
        let (store, before) = (set[0], try set[0].body(id))
        let notes = try store.conflicts.keepAll(of: id)
        #expect(notes.count == 2 && notes[0].id == id && notes.allSatisfy { !$0.isForked && $0.title == "Plan" })
        #expect(try store.body(id) == before)
        #expect(Set(try notes.map { try store.body($0.id) }) == ["tuesday", "friday"])
        try set.exchange()
        try set.expectAlike(notes.map(\.id))
        #expect(try set[1].conflicts.notes().isEmpty && set[1].body(notes[1].id) == store.body(notes[1].id))
        _ = try store.history.undo(limit: 100)
        #expect(try bodies(store, id) == ["tuesday", "friday"])
        #expect(try store.notes.listed(notes[1].id).place == .trash)
        try set.exchange()
        try set.expectAlike(notes.map(\.id))
        try set.end()
    }

    @Test func whatIsNoVersionIsRefused() throws {
        let (set, id) = try forked()
        let first = try #require(try set[0].history.revisions(of: id).last).id
        expect(.noRevision) { try set[0].conflicts.keep(first, of: id) }
        for reference in [first.text, "@9", "@-1", "", "z", "@"] {
            expect(.noRevision) { try set[0].conflicts.version(reference, of: id) }
        }
        let alone = try set[0].notes.create(NoteDraft(body: "alone"))
        expect(.noRevision) { try set[0].conflicts.keep(alone.revision, of: alone.id) }
        expect(.noRevision) { try set[0].conflicts.keepAll(of: alone.id) }
        #expect(try bodies(set[0], id) == ["tuesday", "friday"])
        try set.end()
    }

    @Test func aLockedNoteIsListedAndLeftAsItIs() throws {
        let (set, id) = try forked()
        try set[0].makePrivate(id)
        let conflict = try set[0].conflicts.conflict(of: try #require(try set[0].conflicts.notes().first))
        #expect(conflict.note.protection == .locked && conflict.versions.count == 2)
        expect(.noteLocked) { try set[0].conflicts.keep(conflict.versions[1].revision, of: id) }
        expect(.isPrivate) { try set[0].conflicts.keepAll(of: id) }
        try set[0].openPrivate(id)
        _ = try set[0].conflicts.keep(conflict.versions[1].revision, of: id)
        #expect(try set[0].conflicts.notes().isEmpty && check(set[0]).problems.isEmpty)
        try set.end()
    }
}
