// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TextMerge
internal import VaultCore
internal import VaultFormat

/// `CompareJob` serves `vault diff`: the texts are compared on a thread of their own.
final class CompareJob: Job {
    let note: NoteID?
    private let work: Background<Result<ComparedRevisions, VaultError>>

    init(_ note: NoteID, _ old: RevisionSummary?, _ new: RevisionSummary, byWord: Bool) {
        self.note = note
        work = Background { goesOn in
            ComparisonTurn.wait(goesOn) { comparison in
                Result { () throws(VaultError) in try ComparedRevisions(old, new, byWord: byWord, by: comparison) }
            }
        }
    }

    deinit { work.cancel() }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else { return nil }
        do throws(VaultError) {
            connection.reply(try result.get())
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}

/// `MergeJob` is a change that has to merge texts. A thread of its own merges them; whether they are still the ones to
/// be merged is asked again when they are, in the same step that makes the change.
final class MergeJob: Job {
    /// `Change` is what a change needs.
    struct Change {
        let note: NoteID?
        /// What has to be merged now; nil when nothing has, or when `make` will say what is wrong.
        let texts: () -> TextsToMerge?
        /// Makes the change. Texts that were merged count only if they are still the ones.
        let make: (MergedTexts?) throws(VaultError) -> Outcome
        /// How it ends when the vault is locked first; nil for the usual answer.
        var locked: () -> Outcome? = { nil }
    }

    let note: NoteID?
    private let change: Change
    private var texts: TextsToMerge
    private var work: Background<MergedTexts?>
    private var begun = 1
    /// Most times that a merge begins: somebody who writes without a pause would keep it merging for ever. After that
    /// both versions are kept, as if there were no comparison.
    private static let begunMax = 4

    init(_ change: Change, _ texts: TextsToMerge) {
        self.change = change
        self.texts = texts
        note = change.note
        work = Self.merging(texts)
    }

    deinit { work.cancel() }

    var isWaiting: Bool { true }
    func locked() -> Outcome? { change.locked() }

    func step(_ connection: Connection) -> Outcome? {
        guard let merged = work.takeResult() else { return nil }
        if let now = change.texts(), now != texts, begun < Self.begunMax {
            texts = now
            work = Self.merging(now)
            begun += 1
            return nil
        }
        do throws(VaultError) { return try change.make(merged) } catch { return error.outcome }
    }

    /// Starts to merge the texts. The result is nil if they are too large; the change fails for the same reason then.
    private static func merging(_ texts: TextsToMerge) -> Background<MergedTexts?> {
        Background { goesOn in ComparisonTurn.wait(goesOn) { comparison in try? texts.merged(by: comparison) } }
    }
}

extension RequestContext {
    /// Makes a change at once, or as a job when it has to merge texts.
    ///
    /// - Parameter first: done before such a job begins.
    func make(
        _ change: MergeJob.Change, first: () throws(VaultError) -> Void = {}
    ) throws(VaultError) -> Outcome? {
        guard let texts = change.texts() else { return try change.make(nil) }
        try first()
        return start(MergeJob(change, texts))
    }
}
