// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation
internal import SecretMemory

extension CommandTree {
    static let devices = Section(
        title: "Several devices",
        entries: [
            .group(RemoteGroup.self), .group(SyncGroup.self), .group(DeviceGroup.self), .group(ConflictGroup.self),
            .command(CloneCommand.self),
        ])
}

/// `RemoteGroup` is the heading `vault remote`.
enum RemoteGroup: CommandGroup {
    static let name = "remote"
    static var spec: Spec {
        Spec(
            "Manage the remotes over which this vault's devices sync.",
            discussion: """
                A remote is a folder that all devices reach, on a NAS, a stick, or kept the same by a sync program, a \
                WebDAV server, a bucket of an S3 server, a folder of an app in Dropbox, or what the program rclone \
                reaches: Google Drive, iCloud Drive, OneDrive, sftp and others. It holds only encrypted files with random names. It is \
                not trusted, and never locked.
                """,
            examples: [
                "vault remote add folder /mnt/nas/notes": "Sync over a folder.",
                "vault remote ls": "See the remotes, and when each was synced.",
            ])
    }
    static var commands: CommandList {
        [
            RemoteAddCommand.self, RemoteLoginCommand.self, RemoteListCommand.self, RemoteTestCommand.self,
            RemoteSetCommand.self, RemoteRemoveCommand.self,
        ]
    }
}

struct RemoteAddCommand: Command {
    static let name = "add"
    static var spec: Spec {
        Spec(
            "Add a remote.",
            discussion: """
                It is tested first: a file is stored, read, listed and removed. The vault's own folder is never a \
                remote.
                """,
            examples: [
                "vault remote add folder /mnt/nas/notes": "A folder that other devices reach.",
                "vault remote add folder ~/Dropbox/notes --name dropbox": "One that a sync program keeps the same.",
                "vault remote add webdav https://cloud.example/dav --user me": "A WebDAV server, such as Nextcloud.",
                "vault remote add s3 https://s3.example --bucket b --region eu --user KEY": "A bucket.",
                "vault remote add dropbox KEY": "An app's folder in Dropbox; a page shows a code to type.",
                "vault remote add rclone gdrive:notes": "A remote that rclone knows, such as Google Drive.",
            ])
    }
    var kind = ""
    var place = ""
    var options = RemoteOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&kind, "kind", "'folder', 'webdav', 's3', 'dropbox' or 'rclone'.")
        list.word(
            &place, "place", "The folder, the server's address, Dropbox's app key, or rclone's NAME:PATH.",
            completion: .folder)
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let adding = try options.remote(kind, place)
        if adding.kind == .folder {
            try VaultFolders.refuseInside(String(decoding: adding.place, as: UTF8.self), of: context.location())
        }
        return try Session.with(context) { conversation throws(ClientFailure) in
            let secret = try SignIn.secret(of: adding, place, options, context, &conversation)
            return try conversation.perform(adding, secret: secret.duplicate())
        }
    }
}

struct RemoteListCommand: Command {
    static let name = "ls"
    static var spec: Spec {
        Spec("List the remotes.", examples: ["vault remote ls": "See where they are, and when each was synced."])
    }

    mutating func declare(_ list: inout ArgumentList) {}

    func run(_ context: Context) throws(ClientFailure) -> Outcome { try context.send(ListRemotes()) }
}

struct RemoteTestCommand: Command {
    static let name = "test"
    static var spec: Spec {
        Spec(
            "Test a remote: store, read, list and remove a file.",
            examples: ["vault remote test": "See whether the only remote works."])
    }
    var name: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "name", "The remote; may be left out when there is one.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(TestRemote(name: RemotePath.name(name)))
    }
}

struct RemoteRemoveCommand: Command {
    static let name = "rm"
    static var spec: Spec {
        Spec(
            "Forget a remote. Its files stay there.",
            examples: ["vault remote rm folder": "Stop syncing over it."])
    }
    var name = ""

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&name, "name", "The remote.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        try context.send(RemoveRemote(name: RemotePath.name(name)))
    }
}
