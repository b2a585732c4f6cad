// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import VaultCore
import VaultFormat

/// What is recorded: steps that are each acknowledged at their end, and of which each is one change or none to somebody
/// who looks.
struct PowerLoad {
    final class Run {
        let scene: Scene
        var store: OpenVault?

        init(_ scene: Scene) { self.scene = scene }

        func opened() throws -> OpenVault {
            guard let store else { throw Scene.Failure(words: "the load is wrong: the vault is closed") }
            return store
        }
    }

    let name: String
    /// Before the record begins.
    let prepare: (Scene) throws -> Void
    let steps: [(Run) throws -> Void]

    static var all: [PowerLoad] {
        [
            PowerLoad(
                name: "init", prepare: { try $0.prepare() },
                steps: [{ try $0.scene.creation?.commit(pins: $0.scene.pins) }]),
            PowerLoad(name: "a day", prepare: filled, steps: day),
            PowerLoad(
                name: "passwd", prepare: filled,
                steps: [open, { try FaultJob.passwd.change($0.opened(), $0.scene) }, close]),
            PowerLoad(
                name: "rotate", prepare: filled,
                steps: [open, { try FaultJob.rotate.change($0.opened(), $0.scene) }, close]),
        ]
    }

    private static func filled(_ scene: Scene) throws {
        try scene.prepare()
        try scene.fill()
    }

    private static func open(_ run: Run) throws {
        run.store = try run.scene.open()
        try run.store?.recordProgress()
    }

    private static func close(_ run: Run) throws {
        try run.store?.close()
        run.store = nil
    }

    private static var day: [(Run) throws -> Void] {
        [
            open,
            { _ = try $0.opened().notes.create(NoteDraft(body: Scene.marker + " new")) },
            { run in
                let store = try run.opened()
                _ = try store.notes.edit(store.notes.resolve(Scene.marker + " new")) {
                    $0.body += " and longer\n" + String(repeating: "text ", count: 3000)
                }
            },
            { try FaultJob.attach.change($0.opened(), $0.scene) },
            { try FaultJob.book.change($0.opened(), $0.scene) },
            { try $0.opened().recordProgress() },
            { _ = try $0.opened().notes.setTrashed($0.opened().notes.resolve(Scene.marker + " second"), true) },
            { _ = try $0.opened().notes.setTrashed($0.opened().notes.resolve(Scene.marker + " second"), false) },
            // One note, for each is one change.
            { _ = try $0.opened().notes.purgeTrash(limit: 1) },
            { while try $0.opened().attachments.removePending() {} },
        ]
            + (0..<3).map { number in
                { run in
                    var draft = NoteDraft(body: "\(Scene.marker) imported \(number)")
                    draft.source = "folder/\(number).md"
                    _ = try run.opened().imports.save([draft], dryRun: false)
                }
            }
            + [
                close, open,
                { _ = try $0.opened().notes.create(NoteDraft(body: Scene.marker + " after the log was emptied")) },
                close,
            ]
    }
}
