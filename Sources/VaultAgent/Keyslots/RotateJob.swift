// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import VaultCore
internal import VaultFormat

/// `RotateJob` serves `vault rotate` from the plan to the end. Before the commit it goes with its client; after it, the
/// session drives what is left, and this only looks on.
final class RotateJob: Job {
    private enum Phase {
        case planning(NextEpoch, Background<RotationPlan>)
        case copying(RotationStart)
        /// On a thread that has nothing but a descriptor.
        case syncing(RotationStart, Background<Bool>)
        /// An attachment is being written; until it is done the key stays.
        case waiting(RotationStart)
        case watching
    }

    private let store: OpenVault
    private let session: Session
    /// The device that it is made against.
    private let revoking: Revocation
    private var phase: Phase

    init(
        _ store: OpenVault, _ session: Session, _ next: NextEpoch, _ revoking: Revocation = Revocation()
    ) throws(VaultError) {
        let request = try store.rotation.planRequest()
        self.store = store
        self.session = session
        self.revoking = revoking
        phase = .planning(next, Background { _ in RotationPlan(request) })
    }

    /// Looks on at a rotation that is under way.
    init(watching store: OpenVault, _ session: Session) {
        self.store = store
        self.session = session
        revoking = Revocation()
        phase = .watching
        session.resumeRotation()
        session.rotationWatchers += 1
    }

    /// Abandons a rotation that was not committed, of which nothing is left then; after the commit the session goes on
    /// with it.
    deinit {
        switch phase {
        case .planning: break
        case .copying(let start), .syncing(let start, _), .waiting(let start): start.abandon()
        case .watching: session.rotationWatchers -= 1
        }
    }

    var isWaiting: Bool {
        switch phase {
        case .planning, .syncing, .watching: true
        case .copying: false
        case .waiting(let start): start.hasAttachmentUnderWay
        }
    }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            switch phase {
            case .planning(let next, let work):
                guard let plan = work.takeResult() else { return nil }
                if let failure = plan.failure { throw failure }
                phase = .copying(try RotationStart(store, next, plan))
            case .copying(let start):
                let hasMore = try start.step()
                let (done, total) = start.progress
                connection.send(
                    .progress,
                    Progress(label: "copying the index", done: done * 4096, total: total * 4096, isBytes: true).encoded)
                if !hasMore { phase = .syncing(start, Self.sync(start.descriptorToSync())) }
            case .syncing(let start, let work):
                guard let isSynced = work.takeResult() else { return nil }
                guard isSynced else { throw VaultError(.saveFailed) }
                phase = .waiting(start)
            case .waiting(let start):
                guard try !start.mustWait() else { return nil }
                try start.commit(remoteStates: revoking.states(store))
                session.beginRotation()
                session.rotationWatchers += 1
                phase = .watching
                // The loop comes back for what follows.
                BackgroundWake.ring()
                connection.tell(Notice(.newKeyInPlace))
            case .watching: return watch(connection)
            }
            return nil
        } catch { return error.outcome }
    }

    private static func sync(_ descriptor: Int32) -> Background<Bool> {
        Background { _ in
            defer { close(descriptor) }
            return fdatasync(descriptor) == 0
        }
    }

    private func watch(_ connection: Connection) -> Outcome? {
        guard let driver = session.rotation else {
            return store.isRotating ? VaultError(.readOnly).outcome : done(connection)
        }
        if let failure = driver.failure { return failed(failure) }
        if driver.isDone { return store.isRotating ? VaultError(.integrity).outcome : done(connection) }
        if let (done, total, label) = driver.progress {
            connection.send(.progress, Progress(label: label, done: done, total: total, isBytes: true).encoded)
        }
        return nil
    }

    private func done(_ connection: Connection) -> Outcome {
        connection.reply(EndedRotation(epoch: store.header.epoch))
        return Outcome(.ok)
    }

    /// Returns the answer for a rotation that cannot end: the old key is kept for as long as something may need it.
    private func failed(_ failure: VaultError) -> Outcome {
        guard failure.code == .integrity else { return failure.outcome }
        return Outcome(
            .integrity,
            "something in the vault opens under neither key: everything else is re-encrypted, and the old key is kept",
            hint: "vault check names it; once it is repaired or removed: vault rotate --resume")
    }
}
