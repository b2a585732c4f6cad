// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

/// `UndoJob` serves `vault undo` and `vault redo`: whole commands, some entries at a time. An undo of many commands, or
/// one that takes notes out of the list, is told first, and done only when somebody agrees.
struct UndoJob: Job {
    private let store: OpenVault
    private let redoes: Bool
    private let consent: UndoConsent
    private var left: UInt32
    private var preview: UndoPreview?
    private var steps: [UndoStep] = []
    private var hasBegun = false
    private static let stepCount = 50
    /// Most commands that are undone without a question.
    private static let unaskedCountMax = 10

    init(_ store: OpenVault, commandCount: UInt32, _ consent: UndoConsent) throws(VaultError) {
        self.store = store
        self.consent = consent
        redoes = false
        left = max(1, commandCount)
        if consent == .ask { preview = try UndoPreview(store, commandCount: Int(left)) }
    }

    init(redoing store: OpenVault, commandCount: UInt32) {
        self.store = store
        consent = .given
        redoes = true
        left = max(1, commandCount)
    }

    mutating func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if let preview {
                if try preview.step() { return nil }
                self.preview = nil
                guard preview.commands.count > Self.unaskedCountMax || preview.leavingCount > 0 else { return nil }
                connection.undoSeen = preview.entriesSeen
                connection.reply(UndoneChanges(preview, store))
                return Outcome(.aborted, "needs confirmation", hint: "vault undo --yes")
            }
            if consent == .answered, !hasBegun, try connection.undoSeen != store.history.entryCount() {
                return Outcome(
                    .conflict, "something was changed meanwhile; nothing was undone", hint: "run vault undo again")
            }
            hasBegun = true
            return try take(connection)
        } catch { return error.outcome }
    }

    private mutating func take(_ connection: Connection) throws(VaultError) -> Outcome? {
        let continuing = steps.last.flatMap { $0.isWhole ? nil : $0.command }
        guard
            let step = try redoes
                ? store.history.redo(continuing: continuing)
                : store.history.undo(limit: Self.stepCount, continuing: continuing)
        else {
            if !steps.isEmpty { return finish(connection) }
            return redoes
                ? Outcome(
                    .notFound, "there is nothing to redo",
                    hint: "vault undo first; after another change, nothing can be redone")
                : Outcome(.notFound, "there is nothing to undo", hint: "vault history ID shows a note's earlier texts")
        }
        add(step)
        if step.isWhole {
            // Of a command whose notes were all purged meanwhile nothing is told, and it does not count.
            if steps.last?.notes.isEmpty == true { steps.removeLast() } else { left -= 1 }
        }
        guard left == 0 else {
            let done = UInt64(steps.reduce(0) { $0 + $1.notes.count })
            connection.send(.progress, Progress(label: redoes ? "redoing" : "undoing", done: done, total: 0).encoded)
            return nil
        }
        return finish(connection)
    }

    private mutating func add(_ step: UndoStep) {
        if let last = steps.last, !last.isWhole {
            steps[steps.count - 1].notes += step.notes
            steps[steps.count - 1].isWhole = step.isWhole
        } else {
            steps.append(step)
        }
    }

    private func finish(_ connection: Connection) -> Outcome {
        connection.reply(UndoneChanges(steps, store))
        return Outcome(.ok)
    }
}
