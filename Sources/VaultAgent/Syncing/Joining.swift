// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import TextMerge
internal import VaultCore
internal import VaultFormat

/// `Joining` joins the heads of notes that fit together, after entries of other devices came in. Texts are merged on a
/// thread of their own, by a process of its own (docs/decisions/0030): a first try finds what there is to be merged, a
/// second one takes the answers.
final class Joining {
    private let store: OpenVault
    /// Answers at once; nil for a process of its own.
    private let comparison: (any TokenComparison)?
    private var notes: [NoteID] = []
    private var isWaitingFor: Set<NoteID> = []
    private var known: [MergeQuestion: MergeAnswer] = [:]
    private var work: Background<[MergeQuestion: MergeAnswer]>?
    private var tries = 0
    private(set) var joinedCount = 0
    private static let stepCount = 50
    /// Most questions for some notes: a note with many heads asks one after the other. What is left after that many
    /// keeps its heads.
    private static let triesMax = 16

    init(_ store: OpenVault, _ comparison: (any TokenComparison)?) {
        (self.store, self.comparison) = (store, comparison)
    }

    deinit { work?.cancel() }

    var isIdle: Bool { notes.isEmpty && work == nil }
    /// Whether there is something to do at once.
    var hasWork: Bool { !notes.isEmpty && work == nil }

    func add(_ changed: [NoteID]) {
        for note in changed where isWaitingFor.insert(note).inserted { notes.append(note) }
    }

    func end() {
        work?.cancel()
        (notes, isWaitingFor, work) = ([], [], nil)
    }

    /// Does a little of it.
    ///
    /// - Returns: whether something was perhaps written.
    func step() throws(VaultError) -> Bool {
        if let work {
            guard let answers = work.takeResult() else { return false }
            self.work = nil
            known.merge(answers) { first, _ in first }
        }
        guard !notes.isEmpty else { return false }
        let batch = Array(notes.prefix(Self.stepCount))
        let answered = AnsweredComparison(known)
        store.comparison = answered
        defer { store.comparison = WholeTexts() }
        joinedCount += try store.devices.join(batch).count
        tries += 1
        let questions = answered.questions
        if !questions.isEmpty, tries < Self.triesMax {
            if let comparison {
                known.merge(MergeQuestion.answers(questions, by: comparison)) { first, _ in first }
                return true
            }
            work = Background { goesOn in ComparisonTurn.wait(goesOn) { by in MergeQuestion.answers(questions, by: by) }
            }
            return true
        }
        notes.removeFirst(batch.count)
        isWaitingFor.subtract(batch)
        (known, tries) = ([:], 0)
        return true
    }
}

/// `MergeQuestion` is what a merge asks a comparison. Numbers alone: no text is in it.
struct MergeQuestion: Hashable, Sendable {
    let base: [UInt32]
    let ours: [UInt32]
    /// Nil where only what turns one into the other is asked for.
    let theirs: [UInt32]?

    static func answers(
        _ questions: [MergeQuestion], by comparison: some TokenComparison
    ) -> [MergeQuestion: MergeAnswer] {
        defer { comparison.finish() }
        var answers: [MergeQuestion: MergeAnswer] = [:]
        for question in questions {
            answers[question] =
                if let theirs = question.theirs {
                    .merged(comparison.merge(base: question.base, ours: question.ours, theirs: theirs))
                } else { .changes(comparison.changes(old: question.base, new: question.ours)) }
        }
        return answers
    }
}

/// `MergeAnswer` is what came of it; nil when it did not work.
enum MergeAnswer: Sendable {
    case merged([MergeElement]?)
    case changes([TokenChange]?)
}

/// `AnsweredComparison` answers what is known, and remembers what is not.
private final class AnsweredComparison: TokenComparison {
    private let known: [MergeQuestion: MergeAnswer]
    private(set) var questions: [MergeQuestion] = []

    init(_ known: [MergeQuestion: MergeAnswer]) { self.known = known }

    func changes(old: [UInt32], new: [UInt32]) -> [TokenChange]? {
        let question = MergeQuestion(base: old, ours: new, theirs: nil)
        if case .changes(let changes)? = known[question] { return changes }
        questions.append(question)
        return nil
    }

    func merge(base: [UInt32], ours: [UInt32], theirs: [UInt32]) -> [MergeElement]? {
        let question = MergeQuestion(base: base, ours: ours, theirs: theirs)
        if case .merged(let merged)? = known[question] { return merged }
        questions.append(question)
        return nil
    }
}
