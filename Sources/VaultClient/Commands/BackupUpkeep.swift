// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

struct BackupPruneCommand: Command {
    static let name = "prune"
    static var spec: Spec {
        Spec(
            "Remove snapshots that no rule keeps, and the files that only they need.",
            discussion: """
                At least one rule must be given; a snapshot stays if any rule keeps it. Days, weeks from Monday on, \
                months and years are in UTC, and the last snapshot of each counts. The newest that opens always \
                stays.
                """,
            examples: [
                "vault backup prune /media/disk/notes --keep-last 3 --dry-run": "See what would be removed.",
                "vault backup prune /media/disk/notes --keep-daily 7 --keep-monthly 12":
                    "Keep one for each of seven days and of twelve months.",
            ])
    }
    var folder = ""
    var last: UInt32?
    var daily: UInt32?
    var weekly: UInt32?
    var monthly: UInt32?
    var yearly: UInt32?
    var dryRun = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&folder, "folder", "The backup's folder.", completion: .folder)
        list.option(&last, "keep-last", value: "count", "Keep the last snapshots.")
        list.option(&daily, "keep-daily", value: "count", "Keep the last snapshot of each of this many days.")
        list.option(&weekly, "keep-weekly", value: "count", "Keep the last snapshot of each of this many weeks.")
        list.option(&monthly, "keep-monthly", value: "count", "Keep the last snapshot of each of this many months.")
        list.option(&yearly, "keep-yearly", value: "count", "Keep the last snapshot of each of this many years.")
        list.flag(&dryRun, "dry-run", "Say what would be removed, and remove nothing.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        var pruning = PruneBackup()
        (pruning.last, pruning.daily, pruning.weekly) = (last ?? 0, daily ?? 0, weekly ?? 0)
        (pruning.monthly, pruning.yearly, pruning.isTrial) = (monthly ?? 0, yearly ?? 0, dryRun)
        guard
            [pruning.last, pruning.daily, pruning.weekly, pruning.monthly, pruning.yearly].contains(where: { $0 > 0 })
        else {
            throw .usage(
                "no rule says what to keep",
                hint: "vault backup prune \(ShellWord.quoted(folder)) --keep-daily 7 --keep-weekly 5 --dry-run")
        }
        return try BackupCommands.prune(folder, pruning, context)
    }
}

struct BackupDrillCommand: Command {
    static let name = "drill"
    static var spec: Spec {
        Spec(
            "Restore the newest snapshot into memory, and compare it with the vault.",
            discussion: """
                Notes, revisions and attachments that were there when the snapshot was made must be the same. 'vault \
                status' says when the last drill succeeded.
                """,
            examples: ["vault backup drill /media/disk/notes": "Rehearse a restore, and leave nothing behind."])
    }
    var folder = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&folder, "folder", "The backup's folder.", completion: .folder)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try BackupCommands.drill(folder, context) }
}

struct BackupMendCommand: Command {
    static let name = "mend"
    static var spec: Spec {
        Spec(
            "Repair damaged files of a backup or an archive from parity.",
            discussion: """
                Backups and archives get parity while 'vault config set durability.parity 10%' is set. Each file is \
                compared with its checksums; no password is needed. Files that cannot be repaired are listed and left \
                unchanged.
                """,
            examples: [
                "vault backup mend /media/stick/notes": "Repair a backup on a stick that has begun to fail.",
                "vault backup mend notes.vault --dry-run": "See whether an archive is whole, or can be mended.",
            ])
    }
    var source = ""
    var dryRun = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&source, "source", "The backup's folder, or the archive.", completion: .file)
        list.flag(&dryRun, "dry-run", "Say what would be mended, and change nothing.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try BackupMending.run(source, isTrial: dryRun, context)
    }
}
