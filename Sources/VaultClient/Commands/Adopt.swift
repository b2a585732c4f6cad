// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory

struct AdoptCommand: Command {
    static let name = "adopt"
    static var spec: Spec {
        Spec(
            "Merge changes from another copy of this vault.",
            discussion: """
                For two machines that wrote one folder, or a copy that was changed separately. The other copy is only \
                read. A note that both have changed gets two versions; an edit wins over the trash. Private notes come \
                along locked. 'vault undo' undoes all of it. Exits with 12 when something could not be taken \
                over, with 13 when it does not open. A conflicted copy of the index that Dropbox, Syncthing or \
                another sync program has left in the vault's own folder is named by its file.
                """,
            examples: [
                "vault adopt ~/Sync/notes-other --dry-run": "See what each copy has that the other lacks.",
                "vault adopt ~/Sync/notes-other": "Keep the notes of both.",
                "vault adopt index-1-laptop.db": "Merge what a sync program put beside the index.",
            ])
    }
    var directory = ""
    var dryRun = false
    var recovery = false

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&directory, "directory", "The other copy, or a conflicted copy of the index.", completion: .file)
        list.flag(&dryRun, "dry-run", "Only show what each copy has that the other lacks.")
        list.flag(&recovery, "recovery", "If it has another key: open it with its recovery key.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let (path, file) = try Self.place(directory, context)
        let folder = try Self.open(path)
        defer { close(folder) }
        return try Session.with(context) { conversation throws(ClientFailure) in
            var adopt = AdoptVault(dryRun: dryRun, file: file)
            let own = try conversation.perform(
                adopt, Enclosure(secret: SecretBytes(zeroes: 0), descriptor: folder))
            guard own.code == .wrongPassword, own.hint == AdoptVault.keyHint else { return own }
            let key =
                recovery
                ? try GivenKey.recovery(context)
                : try GivenKey.present(context, prompt: "Password of the other copy: ")
            adopt.credential = key.kind
            while true {
                let outcome = try conversation.perform(
                    adopt, Enclosure(secret: key.secret.duplicate(), descriptor: folder))
                guard outcome.code == .failSafe, outcome.hint == AdoptVault.dearKeyHint, !adopt.triesDearKeys,
                    !context.options.noInput, Terminal.canAsk
                else { return outcome }
                context.reporter.talk(outcome.message)
                let question = "Trying the password may take minutes. Did you set this cost yourself?"
                guard try Confirmation.ask(question) else { return outcome }
                adopt.triesDearKeys = true
            }
        }
    }

    /// Returns the folder, and the file in it where one is named. A name without a folder is one in the vault's own.
    private static func place(
        _ named: String, _ context: Context
    ) throws(ClientFailure) -> (folder: String, file: String?) {
        var status = stat()
        let isThere = unsafe lstat(named, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG { return (named, nil) }
        guard !named.contains("/") else {
            guard isThere, let cut = named.lastIndex(of: "/") else { return (named, nil) }
            return (cut == named.startIndex ? "/" : String(named[..<cut]), String(named[named.index(after: cut)...]))
        }
        let own = String(decoding: try context.location().directory, as: UTF8.self)
        if unsafe lstat(own + "/" + named, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return (own, named) }
        return isThere ? (".", named) : (named, nil)
    }

    /// Opens the directory of the other copy without following a link.
    ///
    /// - Throws: `.notFound`, `.failSafe` for a link.
    private static func open(_ path: String) throws(ClientFailure) -> Int32 {
        let folder = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder < 0 else { return folder }
        let name = VisibleText.escaped(path)
        switch errno {
        case ENOENT:
            throw ClientFailure(
                .notFound, "there is no directory \(name)", hint: "vault adopt DIR: DIR is another copy of this vault")
        case ELOOP:
            throw ClientFailure(.failSafe, "\(name) is a symbolic link", hint: "name the directory that it points to")
        case ENOTDIR: throw .usage("\(name) is not a vault's directory", hint: "vault adopt DIR")
        default: throw ClientFailure(.other, "cannot open \(name): \(SystemError.text(errno))")
        }
    }
}
