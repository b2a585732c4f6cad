// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ForeignRecords
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension Operations {
    func importing(_ importing: Importing) throws(VaultError) -> Outcome? {
        if case .begin(let order) = importing {
            connection.importSession = ImportSession(order)
            return Outcome(.ok)
        }
        guard let session = connection.importSession else { return Outcome(.usage, "no import has begun") }
        switch importing {
        case .begin: return Outcome(.usage, "an import has begun already")
        case .attachment(let key, let file): return try stage(key, file, session)
        case .notes(let records): return try save(records, session)
        case .totals:
            answer.json(.importTotals(session))
            return Outcome(.ok)
        case .end(let end): return finish(end, session)
        }
    }

    /// An import whose notes are to be private.
    func importing(_ order: ImportOrder, _ password: PasswordBox) throws(VaultError) -> Outcome? {
        connection.importSession = nil
        return start(try ImportPasswordJob(store, session, order, password))
    }

    private func stage(_ key: String, _ file: AddedFile, _ session: ImportSession) throws(VaultError) -> Outcome? {
        guard let passed = connection.handedOver else { return Outcome(.usage, "no file came with the request") }
        connection.handedOver = nil
        do throws(PassedDescriptor.Refusal) { try passed.checkReadable() } catch {
            return Outcome(.usage, "only a regular file or a pipe that is open for reading can be imported")
        }
        return start(try StageJob(store, session, key, file, passed))
    }

    /// Saves one batch; it is durable when the client hears of it.
    private func save(_ records: [[UInt8]], _ session: ImportSession) throws(VaultError) -> Outcome? {
        guard records.count <= ImportSession.batchCountMax else { return Outcome(.usage, "a batch is at most 200 notes") }
        var notes: [ParsedNote] = []
        for record in records {
            // A parser that sends what is no record is not believed in the rest either.
            guard let note = try? ParsedNote(parsing: record) else { return Outcome(.integrity, "the parser sent an invalid record") }
            notes.append(note)
        }
        return start(try ImportBatchJob(store, session, notes))
    }

    private func finish(_ end: ImportEnd, _ session: ImportSession) -> Outcome {
        connection.importSession = nil
        session.nameBrokenPromises()
        answer.imported(session, end)
        guard session.lossCount > 0 else { return Outcome(.ok) }
        return Outcome(
            .doneWithLosses, "\(session.lossCount) thing\(session.lossCount == 1 ? "" : "s") could not be carried over, as listed above")
    }
}
