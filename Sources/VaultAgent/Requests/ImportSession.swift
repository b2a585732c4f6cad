// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ForeignRecords
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// An import that is under way on one connection.
struct ImportSession {
    /// Where the notes come from; part of each note's source, so that two folders do not overwrite each other.
    let source: String
    let dryRun: Bool
    var tally = ImportTally()
    /// All batches are undone together.
    let group = ChangeGroup(.import)
    var losses: [(source: String, loss: Loss)] = []
    var lossCount = 0

    /// Notes of one transaction: reads wait for no more (lesson 17).
    static let batchCountMax = 200
    /// Losses that are named one by one; all are counted.
    static let namedLossCountMax = 1000
}

extension Operations {
    /// Saves one batch; it is durable when the client hears of it.
    func importBatch(_ records: [[UInt8]]) throws(VaultError) -> Outcome {
        guard var session = connection.importSession else { return Outcome(.usage, "no import has begun") }
        guard records.count <= ImportSession.batchCountMax else { return Outcome(.usage, "a batch is at most 200 notes") }
        var drafts: [NoteDraft] = []
        for record in records {
            // A parser that sends what is no record is not believed in the rest either.
            guard let note = try? ParsedNote(parsing: record) else { return Outcome(.integrity, "the parser sent a record that cannot be") }
            drafts.append(Self.draft(note, source: session.source))
            session.lossCount += note.losses.count
            for loss in note.losses where session.losses.count < ImportSession.namedLossCountMax {
                session.losses.append((note.sourceKey, loss))
            }
        }
        session.tally.add(try store.importNotes(drafts, dryRun: session.dryRun, session.group))
        connection.importSession = session
        return Outcome(.ok)
    }

    /// - Parameter skipped: files that the client left out; it names them to people itself, JSON has them here.
    func endImport(_ skipped: [SkippedFile]) -> Outcome {
        guard let session = connection.importSession else { return Outcome(.usage, "no import has begun") }
        connection.importSession = nil
        Answer(connection).imported(session, skipped)
        guard session.lossCount > 0 else { return Outcome(.ok) }
        return Outcome(
            .doneWithLosses, "\(session.lossCount) thing\(session.lossCount == 1 ? "" : "s") could not be carried over; they are named above")
    }

    /// The folder and the path in it; very long ones by their hash, which tells them apart as well.
    private static func source(folder: String, key: String) -> String {
        let whole = "markdown\n" + folder + "\n" + key
        guard whole.utf8.count > 4096, let digest = try? Digest.sha256(Array(whole.utf8)) else { return whole }
        return "markdown\nsha256\n" + Base32.encode(digest)
    }

    private static func draft(_ note: ParsedNote, source: String) -> NoteDraft {
        var draft = NoteDraft(body: note.body, title: note.title)
        draft.tags = note.tags
        draft.notebook = note.notebook
        draft.created = note.created
        draft.modified = note.updated
        draft.source = Self.source(folder: source, key: note.sourceKey)
        return draft
    }
}
