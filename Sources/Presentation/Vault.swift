// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText
internal import VaultFormat

extension ProbeVault: Presented {
    public func present(_ reply: ProbedVault, on page: inout Page) {
        for key in reply.costlyKeys {
            switch key.obstacle {
            case .memory:
                page.talk(
                    "vault: note: key \(key.shortID) needs \(Quantity.grouped(key.memoryMiB)) MiB of memory, more than half of this machine's: it is not tried"
                )
            case .work:
                page.talk(
                    "vault: warning: this header is not the one last seen here, and its key \(key.shortID) needs \(Quantity.grouped(key.times)) times the work of the one seen before"
                )
            }
        }
    }
}

extension UnlockVault: Presented {
    public func present(_ reply: OpenedVault, on page: inout Page) {
        if !reply.firstSight.isEmpty { page.talk("vault: note: " + reply.firstSight) }
        if reply.isUnpinned {
            page.talk(
                "vault: warning: the state directory cannot be written: an older copy of the vault would not be noticed"
            )
        }
        presentLoss(reply, on: &page)
        presentTornLog(reply, on: &page)
        if !reply.readOnlyReason.isEmpty {
            page.talk("vault: warning: \(reply.readOnlyReason): the vault is open read-only")
        }
        if reply.intendedMilliseconds > 0 {
            let (taken, intended) = (
                Quantity.grouped(reply.attemptMilliseconds), Quantity.grouped(reply.intendedMilliseconds)
            )
            page.talk("vault: note: this password is now cheap to guess: \(taken) ms a try, \(intended) intended")
            page.talk("vault: hint: vault passwd --upgrade raises the cost")
        }
        if reply.isRotating {
            page.talk(
                "vault: note: a rotation is under way and continues now; vault rotate --resume shows its progress")
        }
        presentFiles(reply, on: &page)
    }
}

extension CreateVault: Presented {}
extension CommitCreation: Presented {}
extension LockVault: Presented {}

extension MeasureCost: Presented {
    public func present(_ reply: KDFCost, on page: inout Page) {
        page.output("\(reply.memoryKiB) \(reply.iterations) \(reply.parallelism)")
    }
}

extension ShowStatus: Presented {
    public func present(_ reply: VaultStatus, on page: inout Page) {
        if page.style.json { page.json(reply.json) } else { page.output(reply.text) }
    }
}

extension VaultStatus {
    fileprivate var json: JSONText {
        .answer([
            ("state", .string("unlocked")), ("agentPID", .count(agentPID)), ("vault", .string(directory)),
            ("vaultID", .string(vaultID)),
            ("copyID", copyID.map { .string($0) } ?? .null), ("notes", .count(notes)), ("archived", .count(archived)),
            ("trashed", .count(trashed)), ("drafts", .count(drafts)), ("generation", .count(generation)),
            ("epoch", .int(Int64(epoch))),
            ("readOnly", .bool(isReadOnly)), ("idleSecondsLeft", .count(idleMillisecondsLeft / 1000)),
            ("maxSecondsLeft", .count(maxMillisecondsLeft / 1000)), ("memoryLocked", .bool(keysAreLocked)),
            ("rotationPercent", rotationPercent.map { .count($0) } ?? .null),
            ("rotationFailure", rotationFailure.isEmpty ? .null : .string(rotationFailure)),
            ("kdf", kdf?.json ?? .null),
            ("wordsLeft", .bool(hasWordsLeft)), ("lockedNotes", .count(lockedNotes)),
            ("fileSystem", fileSystem.isEmpty ? .null : .string(fileSystem)),
            (
                "lastCheck",
                lastCheck.map { .object([("made", .date($0.made)), ("problems", .count($0.problems))]) } ?? .null
            ),
            ("lastBackup", lastBackup.map { .date($0) } ?? .null), ("lastDrill", lastDrill.map { .date($0) } ?? .null),
            ("drillDue", .bool(isDrillDue)), ("tornLog", tornLog?.json ?? .null),
            ("fingerprint", fingerprint.isEmpty ? .null : .string(fingerprint)),
            ("chainDamaged", .bool(isChainDamaged)), ("uploads", uploads?.json ?? .null),
        ])
    }

    /// A few aligned lines for people.
    fileprivate var text: String {
        let others = [(archived, "archived"), (trashed, "in the trash")].filter { $0.0 > 0 }
        let more = others.map { ", \(Quantity.grouped($0.0)) \($0.1)" }.joined()
        var lines = [
            ("vault", SafeText.singleLine(directory)), ("state", isReadOnly ? "unlocked, read-only" : "unlocked"),
            ("notes", Quantity.grouped(notes) + more),
            (
                "locks",
                "after \(Self.duration(idleMillisecondsLeft)) idle, in \(Self.duration(maxMillisecondsLeft)) at the latest"
            ),
            ("agent", "pid \(agentPID)"),
        ]
        if !fingerprint.isEmpty || isChainDamaged {
            let print = fingerprint.isEmpty ? "fingerprint unknown" : "fingerprint " + SafeText.singleLine(fingerprint)
            lines.append(("chain", print + (isChainDamaged ? "; damaged or altered: vault check" : "")))
        }
        if let uploads { lines.append(("sync", uploads.words)) }
        if let rotationPercent {
            let trouble = rotationFailure.isEmpty ? "" : ", stopped: " + rotationFailure
            lines.append(("keys", "re-encrypting, \(rotationPercent) %\(trouble): vault rotate --resume"))
        }
        if hasWordsLeft { lines.append(("words", "of notes that became private are partly still on the disk")) }
        if let lastCheck {
            let found =
                lastCheck.problems == 0
                ? "no problems" : "\(lastCheck.problems) problem\(lastCheck.problems == 1 ? "" : "s"): vault check"
            lines.append(("check", "\(DateStyle.rfc3339(lastCheck.made)), \(found)"))
        }
        if let tornLog { lines.append(("log", tornLog.sentence)) }
        if !fileSystem.isEmpty { lines.append(("disk", fileSystem)) }
        if let lastBackup {
            let drilled = lastDrill.map { "last drill \(DateStyle.rfc3339($0))" } ?? "no drill yet"
            let due = isDrillDue ? ": vault backup drill DIR" : ""
            lines.append(("backup", "\(DateStyle.rfc3339(lastBackup)), \(drilled)\(due)"))
        }
        if drafts > 0 { lines.append(("drafts", "\(drafts): vault draft ls")) }
        if !keysAreLocked {
            lines.append(("note", "keys could not be locked in memory (ulimit -l); they may reach swap"))
        }
        return lines.map { $0.0.padded(to: 7) + $0.1 + "\n" }.joined()
    }

    /// Returns a time as minutes, or hours and minutes; minutes that have begun count whole.
    private static func duration(_ milliseconds: Int) -> String {
        let minutes = milliseconds / 60_000 + (milliseconds % 60_000 == 0 ? 0 : 1)
        return minutes < 100 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

extension VaultStatus.Uploads {
    fileprivate var json: JSONText {
        .object([("uploaded", .count(uploaded)), ("pending", .count(pending)), ("removals", .count(removals))])
    }

    /// What the remotes have, in a few words.
    fileprivate var words: String {
        guard pending + removals > 0 else { return "the remotes have all notes" }
        let parts = [(pending, "note"), (removals, "deletion")].filter { $0.0 > 0 }
            .map { "\(Quantity.grouped($0.0)) \($0.1)\($0.0 == 1 ? "" : "s")" }
        return parts.joined(separator: " and ") + " not uploaded yet: vault sync status"
    }
}

extension TornLogEnd {
    fileprivate var json: JSONText {
        .object([
            ("frames", .count(frameCount)), ("byteCount", .count(byteCount)),
            ("lastWritten", lastWritten > 0 ? .date(lastWritten) : .null),
        ])
    }
}

extension KDFCost {
    fileprivate var json: JSONText {
        .object([
            ("memoryKiB", .int(Int64(memoryKiB))), ("iterations", .int(Int64(iterations))),
            ("parallelism", .int(Int64(parallelism))),
        ])
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
