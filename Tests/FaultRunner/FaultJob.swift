// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SecretMemory
import VaultCore
import VaultCrypto
import VaultFormat

/// Something that is done with a vault while the system fails at one of its steps.
enum FaultJob: String, CaseIterable {
    case `init`, unlock, save, book, attach, passwd, rotate, `import`, check, restore, backup, fromBackup, fromArchive

    /// Does it, from an unlocked vault to a locked one.
    ///
    /// - Returns: whether it was acknowledged: then it must be there afterwards.
    func run(_ scene: Scene) -> Bool {
        do {
            if self == .`init` {
                try scene.creation?.commit(pins: scene.pins)
                return true
            }
            if self == .fromBackup || self == .fromArchive {
                try scene.restore(fromArchive: self == .fromArchive)
                return true
            }
            let store = try scene.open()
            let isAcknowledged: Bool
            do {
                try change(store, scene)
                isAcknowledged = true
            } catch {
                isAcknowledged = false
            }
            try? store.close()
            return isAcknowledged
        } catch { return false }
    }

    func change(_ store: OpenVault, _ scene: Scene) throws {
        switch self {
        case .`init`, .fromBackup, .fromArchive: break
        case .backup: try scene.backUp(store, made: 86_400_000)
        case .unlock: try store.recordProgress()
        case .save: _ = try store.notes.create(NoteDraft(body: Scene.marker + " saved"))
        case .book:
            let details = BookDetails(shelf: .reading, added: 1_700_000_000_000)
            let book = try store.books.add(BookDraft(title: Scene.marker + " book", details)).note.id
            _ = try store.books.log(book, day: 20_000, .page, 50, Scene.marker + " line")
            let note = try store.notes.resolve(Scene.marker + " first edited")
            _ = try store.books.put([note], NewPlace(book: book, chapter: Scene.marker + " chapter"))
        case .attach:
            let note = try store.notes.resolve(Scene.marker + " first edited")
            let file = AddedContent(
                kind: .file, name: "new.bin", mediaType: "application/octet-stream", bytes: Scene.bytes(90_000))
            _ = try store.attachments.add([file], to: note)
        case .restore:
            // Out of the trash, with its attachments.
            let note = try store.notes.resolve(Scene.marker + " thrown away")
            _ = try store.notes.setTrashed(note, false)
        case .passwd:
            let proof = try KeyslotProof(store.header, .recoveryKey(scene.key(.old)))
            let new = try NewKeyslot(
                proof, .recoveryKey(scene.key(.new)), name: "new", cost: .recommended, targetMilliseconds: 0)
            try store.keyslots.replace([proof.slotID], by: new, proof)
        case .rotate: try rotate(store, scene)
        case .`import`:
            for number in 0..<3 {
                var draft = NoteDraft(body: "\(Scene.marker) imported \(number)")
                draft.source = "folder/\(number).md"
                _ = try store.imports.save([draft], dryRun: false)
                try store.recordProgress()
            }
        case .check:
            let check = VaultCheck(store)
            while try check.step() {}
            guard check.report.problems.isEmpty else { throw VaultError(.integrity) }
        }
    }

    private func rotate(_ store: OpenVault, _ scene: Scene) throws {
        let proof = try KeyslotProof(store.header, .recoveryKey(scene.key(.old)))
        let next = try NextEpoch(
            proof, .recoveryKey(scene.key(.new)), name: "new", cost: .recommended, targetMilliseconds: 0,
            withRecoveryKey: false)
        let start = try RotationStart(store, next, RotationPlan(store.rotation.planRequest()))
        while try start.step() {}
        let file = start.descriptorToSync()
        defer { close(file) }
        guard fsync(file) == 0 else { throw VaultError(.saveFailed) }
        try start.commit()
        try Scene.finishRotation(store)
    }
}
