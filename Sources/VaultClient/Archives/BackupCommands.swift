// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

/// `BackupCommands` runs `vault backup create|verify|prune|drill|ls`: the folder with the snapshots is opened here and
/// passed to the agent, which reads and writes sealed files only.
enum BackupCommands {
    static func create(_ path: String, _ context: Context) throws(ClientFailure) -> Outcome {
        try VaultFolders.refuseInside(path, of: context.location())
        var creating = CreateBackup()
        creating.parity = UInt32(try context.settings().parityPercent ?? 0)
        return try Session.with(context) { conversation throws(ClientFailure) in
            // Only when the vault is open: a mistake leaves no empty folder behind.
            let isNew = unsafe mkdir(path, 0o700) == 0
            let folder = try BackupPlace.open(path)
            defer { close(folder) }
            let outcome = try conversation.perform(creating, descriptor: folder)
            // A folder with a snapshot in it stays.
            if isNew, outcome.code != .ok { unsafe rmdir(path) }
            return outcome
        }
    }

    static func verify(_ path: String, snapshot: String?, _ context: Context) throws(ClientFailure) -> Outcome {
        let folder = try BackupPlace.open(path)
        defer { close(folder) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            let outcome = try conversation.perform(VerifyBackup(snapshot: snapshot ?? ""), descriptor: folder)
            return BackupMending.advised(outcome, path, folder)
        }
    }

    /// Verifies one snapshot after the other; the worst that was found is how it ends.
    static func verifyAll(_ path: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let folder = try BackupPlace.open(path)
        defer { close(folder) }
        let names = BackupPlace.snapshots(in: folder).map(\.name)
        guard !names.isEmpty else {
            throw ClientFailure(
                .notFound, "no snapshots in \(VisibleText.escaped(path))",
                hint: "vault backup create \(ShellWord.quoted(path))")
        }
        return try Session.with(context) { conversation throws(ClientFailure) in
            var (bad, old) = (0, 0)
            for name in names {
                let asked = VerifyBackup(snapshot: name)
                let (outcome, replies) = try conversation.ask(asked, Enclosure(descriptor: folder))
                try conversation.show(replies, of: asked)
                switch outcome.code {
                case .ok: break
                case .integrity, .failSafe, .conflict:
                    context.reporter.talk("\(name): \(outcome.message)")
                    // A script gets an object for each; one that does not open has no answer of its own.
                    if context.options.json, replies.isEmpty { try Streams.write(unverified(name, outcome)) }
                    if outcome.code == .conflict { old += 1 } else { bad += 1 }
                case .other, .usage, .locked, .wrongPassword, .notFound, .ambiguous, .network, .localSaveFailed,
                    .aborted, .doneWithLosses, .interrupted:
                    return outcome
                }
            }
            guard bad == 0 else {
                let outcome = Outcome(
                    .integrity, "\(bad) of \(names.count) snapshots cannot be restored whole",
                    hint: "vault backup create NEWDIR makes a backup that shares nothing with this one")
                return BackupMending.advised(outcome, path, folder)
            }
            guard old == 0 else {
                return Outcome(
                    .conflict, "\(old) of \(names.count) snapshots open with an older key, and were not verified",
                    hint: "the others are intact")
            }
            return Outcome(.ok)
        }
    }

    /// Returns what JSON says of a snapshot that does not open.
    private static func unverified(_ name: String, _ outcome: Outcome) -> String {
        "{\"schema\":1,\"snapshot\":\(JSONText.quoted(name)),\"verified\":false,\"whole\":false,"
            + "\"message\":\(JSONText.quoted(outcome.message))}\n"
    }

    static func prune(_ path: String, _ pruning: PruneBackup, _ context: Context) throws(ClientFailure) -> Outcome {
        let folder = try BackupPlace.open(path)
        defer { close(folder) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            try conversation.perform(pruning, descriptor: folder)
        }
    }

    static func drill(_ path: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let folder = try BackupPlace.open(path)
        defer { close(folder) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            try conversation.perform(DrillBackup(), descriptor: folder)
        }
    }

    /// Prints the snapshots of a backup. It needs neither an agent nor a password: it works on a machine where nothing
    /// else is left.
    static func list(_ path: String, _ context: Context) throws(ClientFailure) -> Outcome {
        let folder = try BackupPlace.open(path)
        defer { close(folder) }
        let snapshots = BackupPlace.snapshots(in: folder)
        let newest = snapshots.compactMap(\.epoch).max() ?? 0
        if context.options.json {
            let rows = snapshots.map { snapshot in
                "{\"snapshot\":\(JSONText.quoted(snapshot.name)),\"made\":\(JSONText.quotedOrNull(snapshot.made)),\"epoch\":\(snapshot.epoch.map(String.init) ?? "null"),"
                    + "\"oldKey\":\(snapshot.epoch.map { $0 < newest } ?? false)}"
            }
            try Streams.write("{\"schema\":1,\"snapshots\":[\(rows.joined(separator: ","))]}\n")
            return Outcome(.ok)
        }
        for snapshot in snapshots {
            let state =
                snapshot.epoch.map { $0 < newest ? "  opens with a key that rotate has replaced" : "" } ?? "  damaged"
            try Streams.write("\(snapshot.name)  \(snapshot.made ?? "")\(state)\n")
        }
        if snapshots.isEmpty {
            context.reporter.talk(
                "no snapshots in \(VisibleText.escaped(path)); next: vault backup create \(ShellWord.quoted(path))")
        }
        return Outcome(.ok)
    }
}
