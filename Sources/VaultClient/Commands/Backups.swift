// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation

/// `BackupGroup` is the heading `vault backup`.
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
    static var commands: CommandList {
        [
            BackupCreateCommand.self, BackupVerifyCommand.self, BackupRestoreCommand.self, BackupListCommand.self,
            BackupPruneCommand.self, BackupDrillCommand.self, BackupMendCommand.self,
        ]
    }
}

struct BackupCreateCommand: Command {
    static let name = "create"
    static var spec: Spec {
        Spec(
            "Make a snapshot; only what is new since the last one is copied.",
            discussion: """
                The first snapshot, and the first one after 'vault rotate', is full. Files are verified as they are \
                copied; of existing files, only the size is compared ('verify' reads everything). If the vault is \
                damaged, the snapshot contains what can be read and lists what is missing.
                """,
            examples: ["vault backup create /media/disk/notes": "Make a snapshot in that folder."])
    }
    var folder = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&folder, "folder", "The folder for backups; created if missing.", completion: .folder)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try BackupCommands.create(folder, context) }
}

struct BackupVerifyCommand: Command {
    static let name = "verify"
    static var spec: Spec {
        Spec(
            "Verify a snapshot by reading everything in it, as 'restore' does.",
            discussion: "Nothing is written. Succeeds only if the newest snapshot can be restored whole.",
            examples: [
                "vault backup verify /media/disk/notes": "Prove that the newest snapshot can be restored.",
                "vault backup verify --all /media/disk/notes": "Check which snapshots can be restored.",
            ])
    }
    var folder = ""
    var snapshot: String?
    var all = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&folder, "folder", "The backup's folder.", completion: .folder)
        list.word(&snapshot, "snapshot", "A snapshot; the newest by default.")
        list.flag(&all, "all", "Verify all snapshots, one after the other.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard !all || snapshot == nil else {
            throw .usage("'--all' and a snapshot exclude each other", hint: "give one of them, or none")
        }
        if all { return try BackupCommands.verifyAll(folder, context) }
        return try BackupCommands.verify(folder, snapshot: snapshot, context)
    }
}

struct BackupRestoreCommand: Command {
    static let name = "restore"
    static var spec: Spec {
        Spec(
            "Restore a vault from a backup or an archive to a new place.",
            discussion: """
                The vault appears under its name only when it is complete. '--vault DIR' says where. If this \
                account knows the vault, the restored one is a copy with its own identity: both can be used side by \
                side. Damaged lists and search words are rebuilt.
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
    var salvage = false
    var options = KeyOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(
            &source, "source", "The backup's folder, or the archive; '-' reads an archive from standard input.",
            completion: .file)
        list.word(&snapshot, "snapshot", "A snapshot of the backup; the newest by default.")
        list.flag(&recovery, "recovery", "Open it with the recovery key instead of the password.")
        list.flag(&asCopy, "as-copy", "Give it its own identity, even if this account does not know the vault.")
        list.flag(&replace, "replace", "Let it replace the vault: once it is unlocked, the other is refused as older.")
        list.flag(&salvage, "salvage", "Restore the readable part of a damaged snapshot, and list the rest.")
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
            salvage: salvage, options, context)
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
