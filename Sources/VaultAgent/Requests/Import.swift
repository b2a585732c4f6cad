// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ParserProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultFormat

extension OperationTable {
    static let imports: [any Handled.Type] = [
        BeginImport.self, ImportAttachment.self, ImportNotes.self, ImportTotals.self, EndImport.self,
    ]
}

extension BeginImport: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        work.connection.importSession = ImportSession(self, lockedCount: try work.store.imports.lockedNoteCount())
        return Outcome(.ok)
    }

    /// Begins an import whose notes are to be private.
    func run(in work: RequestContext, secret: consuming SecretBytes) throws(VaultError) -> Outcome? {
        let password = try work.notePassword(secret)
        work.connection.importSession = nil
        return work.start(try ImportPasswordJob(work.store, work.session, self, password))
    }
}

extension ImportAttachment: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let session = work.connection.importSession else { return RequestContext.noImport }
        guard let passed = work.takePassed() else { return RequestContext.noFile }
        do throws(PassedDescriptor.Refusal) { try passed.checkReadable() } catch {
            return Outcome(.usage, "only a regular file or a pipe that is open for reading can be imported")
        }
        return work.start(try StageJob(work.store, session, key, file, passed))
    }
}

extension ImportNotes: Handled {
    /// Saves one batch; it is durable when the client hears of it.
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let session = work.connection.importSession else { return RequestContext.noImport }
        guard records.count <= ImportSession.batchCountMax else {
            return Outcome(.usage, "a batch is at most 200 notes")
        }
        var notes: [ParsedNote] = []
        for record in records {
            // A parser that sends an invalid record is not believed in the rest either.
            guard let note = try? ParsedNote(parsing: record) else {
                return Outcome(.integrity, "the parser sent an invalid record")
            }
            notes.append(note)
        }
        return work.start(try ImportBatchJob(work.store, session, notes))
    }
}

extension ImportTotals: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let session = work.connection.importSession else { return RequestContext.noImport }
        session.nameBrokenPromises()
        work.reply(ImportResult(session, naming: false))
        return Outcome(.ok)
    }
}

extension EndImport: Handled {
    func run(in work: RequestContext) throws(VaultError) -> Outcome? {
        guard let session = work.connection.importSession else { return RequestContext.noImport }
        work.connection.importSession = nil
        session.nameBrokenPromises()
        work.reply(ImportResult(session, naming: true))
        guard session.lossCount > 0 else { return Outcome(.ok) }
        return Outcome(
            .doneWithLosses,
            "\(session.lossCount) thing\(session.lossCount == 1 ? "" : "s") could not be carried over, as listed above")
    }
}

extension RequestContext {
    fileprivate static let noImport = Outcome(.usage, "no import has begun")
}

extension ImportLosses {
    init(_ losses: [ImportLoss]) { self.init(losses.map { Loss($0) }) }
}

extension ImportLosses.Loss {
    fileprivate init(_ loss: ImportLoss) {
        self.init(path: loss.path, code: loss.code, detail: loss.detail, sentence: loss.sentence)
    }
}

extension ImportResult {
    /// Makes the reply about an import.
    ///
    /// - Parameter naming: whether losses are told one by one too, and not only counted.
    init(_ session: ImportSession, naming: Bool) {
        self.init()
        let tally = session.tally
        dryRun = session.order.dryRun
        (created, updated, unchanged, attachments) = (tally.created, tally.updated, tally.unchanged, tally.attachments)
        notCompared = session.notComparedCount
        kept = session.kept.map { Kept($0) }
        lossCount = session.lossCount
        losses = naming ? session.losses.map { ImportLosses.Loss($0) } : []
    }
}

extension ImportResult.Kept {
    fileprivate init(_ kept: ImportKept) {
        self.init(
            code: "\(kept.loss.code)", detail: kept.loss.detail, sentence: kept.loss.code.sentence, count: kept.count)
    }
}
