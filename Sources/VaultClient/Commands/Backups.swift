// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

/// `vault backup`.
enum BackupGroup: CommandGroup {
    static let name = "backup"
    static var spec: Spec {
        Spec(
            "Back up the vault to a folder, and restore it.",
            discussion: """
                Only encrypted files are copied, each once. A snapshot opens with the passwords that were valid when \
                it was made.
                """,
            examples: [
                "vault backup create /media/disk/notes": "Make a snapshot; the next one copies only what is new.",
                "vault --vault ~/again backup restore /media/disk/notes": "Restore the newest one to a new vault.",
            ])
    }
    static var commands: [any Command.Type] {
        [BackupCreateCommand.self, BackupVerifyCommand.self, BackupRestoreCommand.self, BackupListCommand.self]
    }
}

struct BackupCreateCommand: Command {
    static let name = "create"
    static var spec: Spec {
        Spec(
            "Make a snapshot; only what is new since the last one is copied.",
            discussion: "The first snapshot, and the first one after 'vault rotate', is full.",
            examples: ["vault backup create /media/disk/notes": "Make a snapshot in that folder."])
    }
    var folder = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&folder, "folder", "A folder of yours; created if missing.", completion: .folder)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try BackupCommands.create(folder, context) }
}

struct BackupVerifyCommand: Command {
    static let name = "verify"
    static var spec: Spec {
        Spec(
            "Restore a snapshot into memory, and compare it with what was written.",
            discussion: "Every page, revision and attachment is opened.",
            examples: ["vault backup verify /media/disk/notes": "Prove that the newest snapshot can be restored."])
    }
    var folder = ""
    var snapshot: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&folder, "folder", "The backup's folder.", completion: .folder)
        list.word(&snapshot, "snapshot", "A snapshot; the newest by default.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try BackupCommands.verify(folder, snapshot: snapshot, context)
    }
}

struct BackupRestoreCommand: Command {
    static let name = "restore"
    static var spec: Spec {
        Spec(
            "Restore a vault from a backup or an archive to a new place.",
            discussion: """
                The vault appears under its name only when all of it is there. '--vault DIR' says where. If this \
                account knows the vault, the restored one is a copy with its own identity: both can be used side by \
                side.
                """,
            examples: [
                "vault backup restore /media/disk/notes": "Restore the vault on a new machine.",
                "vault --vault ~/old backup restore notes.vault": "Restore an archive beside the present vault.",
                "age -d notes.vault.age | vault backup restore -": "Restore an archive that is encrypted with age.",
            ])
    }
    var source = ""
    var snapshot: String?
    var recovery = false
    var asCopy = false
    var replace = false
    var options = KeyOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(
            &source, "source", "The backup's folder, or the archive; '-' reads an archive from standard input.",
            completion: .file)
        list.word(&snapshot, "snapshot", "A snapshot of the backup; the newest by default.")
        list.flag(&recovery, "recovery", "Open it with the recovery key instead of the password.")
        list.flag(&asCopy, "as-copy", "Give it its own identity, even if this account does not know the vault.")
        list.flag(&replace, "replace", "Let it replace the vault: once it is unlocked, the other is refused as older.")
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard !asCopy || !replace else {
            throw .usage(
                "'--as-copy' and '--replace' exclude each other",
                hint: "give one of them, or none: see vault help backup restore")
        }
        return try BackupRestoring.run(
            source, snapshot: snapshot, recovery: recovery, as: asCopy ? .copy : replace ? .original : .automatic,
            options, context)
    }
}

struct BackupListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec(
            "List the snapshots of a backup.",
            discussion: "No password is needed.",
            examples: ["vault backup ls /media/disk/notes": "See the snapshots, and which ones open with an old key."])
    }
    var folder = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&folder, "folder", "The backup's folder.", completion: .folder)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try BackupCommands.list(folder, context) }
}

/// `vault backup create|verify|ls`: the folder with the snapshots is opened here and passed to the agent, which copies
/// sealed files only.
enum BackupCommands {
    static func create(_ path: String, _ context: Context) throws(ClientFailure) -> Outcome {
        try VaultFolders.refuseInside(path, of: context.location())
        return try Session.with(context) { conversation throws(ClientFailure) in
            // Only when the vault is open: a mistake leaves no empty folder behind.
            let isNew = unsafe mkdir(path, 0o700) == 0
            let folder = try BackupPlace.open(path)
            defer { close(folder) }
            let outcome = try conversation.perform(CreateBackup(), descriptor: folder)
            if isNew, outcome.code != .ok { unsafe rmdir(path) }
            return outcome
        }
    }

    static func verify(_ path: String, snapshot: String?, _ context: Context) throws(ClientFailure) -> Outcome {
        let folder = try BackupPlace.open(path)
        defer { close(folder) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            try conversation.perform(VerifyBackup(snapshot: snapshot ?? ""), descriptor: folder)
        }
    }

    /// Without an agent and without a password: on a machine where nothing else is left.
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
