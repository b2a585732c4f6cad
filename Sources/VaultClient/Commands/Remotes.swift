// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory

extension CommandTree {
    static let devices = Section(
        title: "Several devices",
        entries: [.group(RemoteGroup.self), .group(SyncGroup.self), .command(CloneCommand.self)])
}

/// `vault remote`.
enum RemoteGroup: CommandGroup {
    static let name = "remote"
    static var spec: Spec {
        Spec(
            "Manage the places over which this vault's devices meet.",
            discussion: """
                A remote is a folder that all devices reach: on a NAS, a stick, or kept the same by a sync program. It \
                holds only encrypted files with random names. It is not trusted, and never locked.
                """,
            examples: [
                "vault remote add folder /mnt/nas/notes": "Sync over a folder.",
                "vault remote ls": "See the remotes, and when each was synced.",
            ])
    }
    static var commands: CommandList {
        [RemoteAddCommand.self, RemoteListCommand.self, RemoteTestCommand.self, RemoteRemoveCommand.self]
    }
}

struct RemoteAddCommand: Command {
    static let name = "add"
    static var spec: Spec {
        Spec(
            "Add a remote.",
            discussion: """
                It is tried first: a file is stored, read, listed and removed. The vault's own folder is never a \
                remote.
                """,
            examples: [
                "vault remote add folder /mnt/nas/notes": "A folder that other devices reach.",
                "vault remote add folder ~/Dropbox/notes --name dropbox": "One that a sync program keeps the same.",
            ])
    }
    var kind = ""
    var place = ""
    var name: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&kind, "kind", "'folder'.")
        list.word(&place, "place", "The folder.", completion: .folder)
        list.option(&name, "name", value: "name", "What to call it; by default its kind.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard kind == "folder" else {
            throw .usage("'\(VisibleText.escaped(kind))' is not a kind of remote", hint: "vault remote add folder DIR")
        }
        let path = try RemotePath.folder(place)
        try VaultFolders.refuseInside(path, of: context.location())
        let adding = AddRemote(name: name ?? kind, kind: .folder, place: Array(path.utf8))
        return try Session.with(context) { conversation throws(ClientFailure) in
            try conversation.perform(adding, secret: SecretBytes(zeroes: 0))
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
            "Try a remote: store, read, list and remove a file.",
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
            "Forget a remote. What lies there stays.",
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

/// What commands take for a remote.
enum RemotePath {
    /// The full path of a folder, as the agent opens it from wherever it is.
    ///
    /// - Throws: `.notFound`, `.usage` for what is no folder.
    static func folder(_ place: String) throws(ClientFailure) -> String {
        let name = VisibleText.escaped(place)
        guard let resolved = unsafe realpath(place, nil) else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other, "cannot open the folder \(name): \(SystemError.text(errno))",
                hint: "mkdir \(ShellWord.quoted(place))")
        }
        defer { unsafe free(resolved) }
        let path = unsafe String(cString: resolved)
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .usage("\(name) is not a folder", hint: "vault remote add folder DIR")
        }
        return path
    }

    static func name(_ name: String?) throws(ClientFailure) -> String {
        guard let name else { return "" }
        guard name.utf8.count <= 64 else { throw .tooLong(name, "name of a remote", count: name.utf8.count, max: 64) }
        return name
    }
}
