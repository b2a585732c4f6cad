// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore

/// `RepairJob` serves `vault repair`, on a thread of its own. The session has no vault meanwhile, and gets it back at
/// the end, whatever that is.
final class RepairJob: Job {
    private enum Ending: Sendable {
        case done(RepairReport)
        case failed(VaultError)
    }

    private let repair: VaultRepair
    private let work: Background<Ending>
    private let stage: SharedNumber
    private let session: Session
    private var isOver = false

    init(_ repair: VaultRepair, _ session: Session) {
        let stage = SharedNumber()
        (self.repair, self.stage, self.session) = (repair, stage, session)
        work = Background { goesOn in
            do throws(VaultError) {
                return .done(
                    try repair.run { at, done, total in
                        stage.value = Self.number(at)
                        // One number comes through: promille where the whole is known.
                        return goesOn(total > 0 ? min(done, total) * 1000 / total : done)
                    })
            } catch { return .failed(error) }
        }
    }

    /// Ends the thread, which is not to outlive the client that waits for it, and gives the vault back.
    deinit {
        work.cancelAndWait()
        if !isOver { _ = session.endRepair(repair) }
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let ending = work.takeResult() else {
            let isCounted = stage.value == Self.number(.checking)
            connection.send(
                .progress,
                Progress(label: label, done: work.done, total: isCounted ? 0 : 1000).encoded)
            return nil
        }
        isOver = true
        let failure = session.endRepair(repair)
        switch ending {
        case .failed(let error): return error.outcome
        case .done(let report):
            let repaired = RepairedVault(report)
            connection.reply(repaired)
            if let failure { return failure.outcome }
            guard !repaired.isComplete else { return Outcome(.ok) }
            return Outcome(
                .integrity, "not everything could be brought back",
                hint: report.isRebuilt
                    ? "what is lost may be in a backup; the damaged index is kept"
                    : "restore what is named from a backup")
        }
    }

    private var label: String {
        switch stage.value {
        case Self.number(.reading): "reading what is left"
        case Self.number(.writing): "writing the new index"
        default: "checking"
        }
    }

    private static func number(_ stage: VaultRepair.Stage) -> UInt64 {
        switch stage {
        case .checking: 0
        case .reading: 1
        case .writing: 2
        }
    }
}
