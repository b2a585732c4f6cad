// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory

struct SalvageCommand: Command {
    static let name = "salvage"
    static var spec: Spec {
        Spec(
            "Recover a damaged vault into a new one.",
            discussion: """
                The damaged vault is only read. Every page and file that is authentic counts; what is lost is listed, \
                note by note. The new vault opens with the same password. Private notes stay locked, and keep \
                theirs. Exits with 12 when something is lost.
                """,
            examples: [
                "vault salvage ~/.local/share/notevault/default -o ~/salvaged": "Recover everything that can be read.",
                "vault salvage /media/stick/notes -o ~/salvaged --recovery": "Open it with the recovery key.",
            ])
    }
    var source = ""
    var output: String?
    var recovery = false
    var options = KeyOptions()

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&source, "directory", "The damaged vault.", completion: .folder)
        list.option(
            &output, "output", letter: "o", value: "directory", "Where the new vault is to be; it must not exist.",
            completion: .folder)
        list.flag(&recovery, "recovery", "Open it with the recovery key instead of the password.")
        options.declare(&list)
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        guard let output else {
            throw .usage("where is the new vault to be?", hint: "vault salvage \(ShellWord.quoted(source)) -o NEWDIR")
        }
        return try Salvaging.run(source, to: output, recovery: recovery, options, context)
    }
}

/// `Salvaging` runs `vault salvage`: an agent of its own reads the damaged vault through the descriptor that it gets,
/// and makes the new one.
enum Salvaging {
    static func run(
        _ source: String, to output: String, recovery: Bool, _ key: KeyOptions, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        let target = try VaultLocation(output)
        var status = stat()
        guard unsafe lstat(String(decoding: target.directory, as: UTF8.self), &status) != 0 else {
            throw ClientFailure(
                .conflict, "\(target.name) exists already", hint: "name a place where nothing is: -o NEWDIR")
        }
        try VaultFolders.refuseInside(String(decoding: target.directory, as: UTF8.self))
        let folder = try open(source)
        defer { close(folder) }
        let present =
            recovery
            ? try GivenKey.recovery(context)
            : try GivenKey.present(context, prompt: "Password of the damaged vault: ")
        // A recovery key is no password; and who gives a new one wants it.
        let wantsNew = recovery || key.newPasswordFile != nil || key.newPasswordDescriptor != nil
        let new =
            wantsNew
            ? try NewPassword.get(try GivenKey.newSource(key, context), prompt: "New password of the new vault: ")
            : SecretBytes(zeroes: 0)
        var salvage = SalvageVault(directory: target.directory, credential: present.kind)
        salvage.kdfTargetMilliseconds = key.kdfTargetMilliseconds
        let secret = PasswordPair.joined(present.secret, new)
        let outcome = try perform(salvage, secret, folder, context)
        guard [.ok, .doneWithLosses].contains(outcome.code) else { return outcome }
        let next = "vault --vault " + ShellWord.quoted(output)
        context.reporter.talk("the new vault is in \(target.name); next: \(next) unlock")
        if !recovery { context.reporter.talk("it has no recovery key: \(next) recovery new") }
        return outcome
    }

    /// Asks, where somebody can be asked, whether a key that costs too much is tried anyway.
    private static func perform(
        _ wanted: SalvageVault, _ secret: borrowing SecretBytes, _ folder: Int32, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        var salvage = wanted
        while true {
            let outcome = try Session.withNewAgent(context) { conversation throws(ClientFailure) in
                try conversation.perform(salvage, Enclosure(secret: secret.duplicate(), descriptor: folder))
            }
            guard outcome.code == .failSafe, outcome.hint == SalvageVault.dearKeyHint, !salvage.triesDearKeys,
                !context.options.noInput, Terminal.canAsk
            else { return outcome }
            context.reporter.talk(outcome.message)
            let question = "Trying the password may take minutes. Did you set this cost yourself?"
            guard try Confirmation.ask(question) else { return outcome }
            salvage.triesDearKeys = true
        }
    }

    /// Opens the directory of the damaged vault without following a link.
    ///
    /// - Throws: `.notFound`, `.failSafe` for a link.
    private static func open(_ path: String) throws(ClientFailure) -> Int32 {
        let folder = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder < 0 else { return folder }
        let name = VisibleText.escaped(path)
        switch errno {
        case ENOENT:
            throw ClientFailure(
                .notFound, "there is no directory \(name)",
                hint: "vault salvage DIR -o NEWDIR: DIR is the damaged vault")
        case ELOOP:
            throw ClientFailure(.failSafe, "\(name) is a symbolic link", hint: "name the directory that it points to")
        case ENOTDIR:
            throw .usage("\(name) is not a vault's directory", hint: "vault salvage DIR -o NEWDIR")
        default: throw ClientFailure(.other, "cannot open \(name): \(SystemError.text(errno))")
        }
    }
}
