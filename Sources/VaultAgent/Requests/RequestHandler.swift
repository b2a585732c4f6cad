// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `RequestHandler` serves requests, one after another for each connection. It never answers with a key.
final class RequestHandler {
    let session: Session
    /// A client asked to lock: the server ends after the answer is sent.
    private(set) var wantsLock = false
    private(set) var hasUnrecordedWrites = false

    init(_ session: Session) { self.session = session }

    func lockIsDone() { wantsLock = false }

    /// Records that background work has written: manifest and pin follow.
    func noteWrites() { hasUnrecordedWrites = true }

    /// Ends what a connection has under way: jobs hold the store, and its keys go only with the last of them.
    /// One that `closes` is told so, too, where a request of its own may be on the way.
    func endWork(of connection: Connection, closes: Bool = false) {
        if let job = connection.job {
            connection.job = nil
            connection.end(job.locked() ?? Self.locked)
        } else if closes, connection.mayHaveAsked {
            connection.end(Self.locked)
        }
        connection.importSession = nil
        connection.attaching = nil
        connection.handedOver = nil
        connection.awaitsSecret = nil
        (connection.pendingKeys, connection.signIn) = (nil, nil)
    }

    /// Forgets what was put for notes that were locked, and tells their readers that they are locked.
    func forget(_ notes: Set<NoteID>, on connection: Connection) {
        if let attaching = connection.attaching, notes.contains(attaching.note) { connection.attaching = nil }
        guard let note = connection.job?.note, notes.contains(note) else { return }
        connection.job = nil
        connection.end(VaultError(.noteLocked).outcome)
    }

    func handle(_ incoming: consuming Connection.Incoming, from connection: Connection) {
        switch consume incoming {
        case .secret(let secret): receive(secret, from: connection)
        case .frame(let kind, let payload): receive(kind, payload, from: connection)
        }
    }

    private func receive(_ kind: FrameKind, _ payload: [UInt8], from connection: Connection) {
        // Only a request comes with one.
        if kind != .request, connection.takePassed() != nil {
            connection.closesAfterSending = true
            return
        }
        switch kind {
        case .hello where !connection.isGreeted: greet(payload, connection)
        case .cancel:
            if connection.job != nil {
                connection.job = nil
                connection.end(Outcome(.interrupted, "interrupted"))
            }
        case .request where connection.isGreeted && connection.job == nil && connection.awaitsSecret == nil:
            request(payload, connection)
        case .hello, .request, .secret, .notice, .progress, .end, .editText, .attachment, .picture, .replyPart, .reply:
            connection.closesAfterSending = true
        }
    }

    private func greet(_ payload: [UInt8], _ connection: Connection) {
        connection.send(.hello, Hello().encoded)
        guard let hello = try? Hello(parsing: payload), hello.isOurs else {
            connection.closesAfterSending = true
            return
        }
        connection.isGreeted = true
        let served = session.store.map { DirectoryIdentity.of(descriptor: $0.directory.descriptor) }
        connection.meansAnotherCopy = served != nil && !hello.directory.isEmpty && hello.directory != served
    }

    private func request(_ payload: [UInt8], _ connection: Connection) {
        // Whatever comes with a frame that asks for nothing is closed.
        let passed = connection.takePassed()
        guard let (operation, client) = try? OperationTable.handled(payload),
            operation.needsDescriptor == (passed != nil)
        else {
            connection.closesAfterSending = true
            return
        }
        connection.handedOver = passed
        connection.client = client
        // Only who writes a text says what becomes of its tags.
        if operation.writesText { session.store?.readsTags = client.readsTags }
        // Its time is over, or it is locked: an edit may still hand over its text, and nothing else is served on its
        // connection.
        if session.isOver || (session.store == nil && connection.edit != nil) {
            return operateLocked(operation, connection)
        }
        switch operation {
        case _ where operation.needsSecret: connection.awaitsSecret = operation
        case let options as UnlockVault: unlock(options, nil, connection)
        case let probe as ProbeVault:
            answer(connection) { () throws(VaultError) in
                let probed = try session.probe(probe)
                connection.reply(ProbedVault(probed.costlyKeyslots))
            }
        case let measure as MeasureCost where session.isEmpty:
            answer(connection) { () throws(VaultError) in
                connection.reply(KDFCost(try KeyWork.cost(measure.targetMilliseconds)))
            }
        case let start as StartSignIn: start.answer(connection, session.store)
        case let mending as MendBackup where session.isEmpty: mend(mending, connection)
        case is LockVault:
            wantsLock = true
            connection.awaitsLock = true
        default: operate(operation, connection)
        }
    }

    private func operate(_ operation: any Handled, _ connection: Connection) {
        guard let store = session.store else { return operateLocked(operation, connection) }
        guard !connection.meansAnotherCopy else { return connection.end(Self.anotherCopy) }
        defer { if !(operation is WatchNotes) && !connection.client.isUnattended { session.requestServed() } }
        do throws(VaultError) {
            try store.lookAfterFiles()
            let before = store.checks.transactionCount
            session.edits.look(store)
            hasUnrecordedWrites = hasUnrecordedWrites || store.checks.transactionCount != before
            if let news = session.edits.takeNews() { connection.tell(news) }
            let work = RequestContext(store: store, session: session, connection: connection)
            connection.transactionsBefore =
                operation.mayWrite && !(operation is CheckVault) ? store.checks.transactionCount : nil
            let meant = try session.handles.resolved(operation, for: connection)
            if let outcome = try meant.run(in: work) { end(connection, outcome) }
            hasUnrecordedWrites = hasUnrecordedWrites || operation.mayWrite
        } catch { connection.end(error.outcome) }
    }

    /// Serves a request of an open vault that a note's password belongs to.
    private func operate(_ operation: any Handled, _ secret: consuming SecretBytes, _ connection: Connection) {
        guard let store = session.store, !session.isOver else { return operateLocked(operation, connection) }
        guard !connection.meansAnotherCopy else { return connection.end(Self.anotherCopy) }
        defer { session.requestServed() }
        do throws(VaultError) {
            try store.lookAfterFiles()
            let work = RequestContext(store: store, session: session, connection: connection)
            connection.transactionsBefore = store.checks.transactionCount
            let meant = try session.handles.resolved(operation, for: connection)
            if let outcome = try meant.run(in: work, secret: secret) { end(connection, outcome) }
            hasUnrecordedWrites = true
        } catch { connection.end(error.outcome) }
    }

    private func operateLocked(_ operation: any Handled, _ connection: Connection) {
        guard let edit = connection.edit else {
            return connection.end(session.isRepairing ? Self.isRepairing : Self.locked)
        }
        do throws(VaultError) {
            guard let (outcome, isOver) = try session.serveLocked(operation, edit) else {
                return connection.end(Self.locked)
            }
            connection.end(outcome)
            if isOver { connection.edit = nil }
        } catch { connection.end(error.outcome) }
    }

    /// Ends the work of a client that is gone; what its editor saved is a draft now.
    func disconnected(_ connection: Connection) {
        [connection].keepRecordings(seconds: 0.5)
        // A job may hold its connection.
        (connection.job, connection.attaching, connection.importSession) = (nil, nil, nil)
        guard let edit = connection.edit else { return }
        connection.edit = nil
        session.edits.interrupted(edit)
    }

    /// Does a step of the connection's long request.
    func continueJob(of connection: Connection) {
        guard var job = connection.job, connection.queuedByteCount < Connection.queuedByteCountMax else { return }
        let outcome = job.step(connection)
        // One that only watches is no sign of life of its client: its place may be needed.
        if outcome != nil || !job.isWatching { connection.job = outcome == nil ? job : nil }
        if let outcome { end(connection, outcome) }
        guard !job.isWatching else { return }
        hasUnrecordedWrites = true
        if !connection.client.isUnattended { session.requestServed() }
    }

    /// Ends a request; a client that wrote into a vault whose last check found something hears of it.
    private func end(_ connection: Connection, _ outcome: Outcome) {
        if let before = connection.transactionsBefore, let store = session.store,
            store.checks.transactionCount > before,
            let check = store.checks.last, check.problems > 0
        {
            connection.tell(Notice(.lastCheckFailed, count: check.problems))
        }
        connection.transactionsBefore = nil
        if session.takeChainNews() { connection.tell(Notice(.chainDamaged)) }
        connection.end(outcome)
    }

    private func receive(_ secret: consuming SecretBytes, from connection: Connection) {
        guard connection.takePassed() == nil, let operation = connection.awaitsSecret else {
            connection.closesAfterSending = true
            return
        }
        connection.awaitsSecret = nil
        switch operation {
        case let options as UnlockVault: unlock(options, secret, connection)
        case let options as CreateVault: create(options, secret, connection)
        case is CommitCreation:
            do throws(VaultError) {
                try session.commitCreation(typed: secret)
                connection.end(Outcome(.ok))
            } catch { connection.end(error.outcome) }
        case let restoring as RestoreVault: restore(restoring, secret, connection)
        case let cloning as CloneVault: clone(cloning, secret, connection)
        case let salvaging as SalvageVault: salvage(salvaging, secret, connection)
        case let repairing as RepairVault: repair(repairing, secret, connection)
        default: operate(operation, secret, connection)
        }
    }

    private func unlock(_ options: UnlockVault, _ secret: consuming SecretBytes?, _ connection: Connection) {
        do throws(VaultError) {
            if let secret { try session.unlock(options, secret: secret) } else { try session.openMade(options) }
            if let news = session.edits.takeNews() { connection.tell(news) }
            if let store = session.store { connection.reply(opened(store, stays: options.stays)) }
            // A client that asked us to stay hears the end when we listen.
            if !options.stays { connection.end(Outcome(.ok)) }
        } catch { connection.end(error.outcome) }
    }

    private func opened(_ store: OpenVault, stays: Bool) -> OpenedVault {
        var opened = OpenedVault()
        opened.firstSight = session.firstSight ?? ""
        opened.isUnpinned = !store.pinIsRecorded
        if store.isReadOnly {
            opened.readOnlyReason = SystemRefusal(store.refusal)?.message ?? "the disk is full or read-only"
        }
        if let (taken, target) = store.keyslots.oldCost {
            (opened.attemptMilliseconds, opened.intendedMilliseconds) = (Int(taken), Int(target))
        }
        opened.isRotating = store.isRotating && stays
        if let loss = store.loss {
            opened.manifestWasMade = loss.manifestWasMade
            opened.hasLostChanges = loss.hasLostChanges
            opened.lostChanges = Int(clamping: loss.commitCount)
            opened.notesWithLostChanges = loss.notes.map(\.text)
            opened.keptLog = loss.keptLog ?? ""
            opened.oldPages = loss.oldPageCount
        }
        opened.tornLog = store.tornLog.map { TornLogEnd($0) }
        opened.conflictedCopies = store.checks.conflictedCopies()
        opened.rescued = store.checks.rescued()
        // Once for each account and vault: who knows it need not be told each time.
        if session.firstSight != nil { opened.fileSystem = store.directory.sharingWarning ?? "" }
        return opened
    }

    private func create(_ options: CreateVault, _ secret: consuming SecretBytes, _ connection: Connection) {
        do throws(VaultError) {
            switch try session.create(options, password: secret) {
            case .none: break
            case .some(let text): connection.send(secret: text)
            }
            connection.end(Outcome(.ok))
        } catch { connection.end(error.outcome) }
    }

    func reportListening(_ isListening: Bool, to connection: Connection) {
        connection.end(
            isListening
                ? Outcome(.ok)
                : Outcome(
                    .failSafe, "no safe place for the agent's socket",
                    hint: "set XDG_RUNTIME_DIR to a directory that you own, with mode 0700"))
    }

    /// Writes manifest and pin, which follow the writes.
    func recordProgress() {
        hasUnrecordedWrites = false
        try? session.store?.recordProgress()
    }

    private func answer(_ connection: Connection, _ body: () throws(VaultError) -> Void) {
        do throws(VaultError) {
            try body()
            connection.end(Outcome(.ok))
        } catch { connection.end(error.outcome) }
    }
}
