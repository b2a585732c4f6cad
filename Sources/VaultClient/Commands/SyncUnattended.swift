// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory
internal import VaultFormat

struct SyncUnattendedCommand: Command {
    static let name = "unattended"
    static var spec: Spec {
        Spec(
            "Let this machine sync while the vault is locked.",
            discussion: """
                Off by default. It adds a key of its own to the vault, 256 random bits that nobody ever sees, and keeps \
                it in the session's keyring ('keyring') or in a file that only this machine's TPM opens ('tpm'). 'vault \
                sync now --unattended' takes it from there; a timer for systemd that runs it is in Support/systemd. \
                Whoever has your unlocked session, or this machine while it runs, opens the vault with it. 'off' \
                removes the key from both places. After 'vault rotate' it is set again.
                """,
            examples: [
                "vault sync unattended": "See whether this machine does.",
                "vault sync unattended keyring": "Keep a key in the session's keyring.",
                "vault sync unattended off": "Remove the key from the vault and from the keyring.",
            ])
    }
    var choice: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&choice, "where", "keyring, tpm or off; what is set now without it.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let now = try context.settings().unattended
        guard let choice else { return try show(now, context) }
        guard let choice = KeeperChoice(rawValue: choice) else {
            throw .usage(
                "a key is kept in 'keyring' or by 'tpm', or not at all: 'off'", hint: "vault sync unattended keyring")
        }
        let location = try context.location()
        return try Session.with(context) { conversation throws(ClientFailure) in
            if choice == .off { return try end(now, location, context, &conversation) }
            return try begin(choice, location, context, &conversation)
        }
    }

    private func begin(
        _ choice: KeeperChoice, _ location: VaultLocation, _ context: Context, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        let keeper = try KeyKeeper(choice, location)
        let present = try GivenKey.present(context)
        try KeyCommands.check(present, &conversation)
        let name = Self.keyName
        let isThere = try Self.names(&conversation).contains(name)
        let key = try Self.newKey(&conversation)
        try keeper.keep(key)
        // It is random: one derivation need not be dear.
        let new = NewCredential(.password, kdfTargetMilliseconds: 0)
        let pair = PasswordPair.joined(present.secret, key)
        do throws(ClientFailure) {
            if isThere {
                let changing = ChangeKey(kind: present.kind, ref: name, new: new)
                try conversation.ask(changing, secret: pair.duplicate()).outcome.require()
            } else {
                let adding = AddKey(kind: present.kind, name: name, new: new)
                try conversation.ask(adding, secret: pair.duplicate()).outcome.require()
            }
        } catch {
            try? keeper.forget()
            throw error
        }
        try ConfigCommand.change(.syncUnattended, to: choice.rawValue, context)
        context.reporter.talk(
            "\(keeper.description) keeps the key '\(VisibleText.escaped(name))'; this machine syncs with 'vault sync now "
                + "--unattended'")
        return try print(choice, context)
    }

    private func end(
        _ now: KeeperChoice, _ location: VaultLocation, _ context: Context, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        let name = Self.keyName
        if try Self.names(&conversation).contains(name) {
            let present = try GivenKey.present(context)
            try conversation.ask(
                RemoveKey(kind: present.kind, ref: name), secret: present.secret.duplicate()
            ).outcome.require()
        }
        if now != .off { try KeyKeeper(now, location).forget() }
        try ConfigCommand.change(.syncUnattended, to: nil, context)
        context.reporter.talk("this machine syncs while the vault is unlocked only")
        return try print(.off, context)
    }

    private func show(_ now: KeeperChoice, _ context: Context) throws(ClientFailure) -> Outcome {
        context.reporter.talk(
            now == .off
                ? "off: this machine syncs while the vault is unlocked"
                : "\(now.rawValue): 'vault sync now --unattended'")
        return try print(now, context)
    }

    private func print(_ choice: KeeperChoice, _ context: Context) throws(ClientFailure) -> Outcome {
        try context.print(
            json: "{\"schema\":1,\"unattended\":\"\(choice.rawValue)\",\"key\":\(JSONText.quoted(Self.keyName))}",
            text: "")
        return Outcome(.ok)
    }

    private static func names(_ conversation: inout Conversation) throws(ClientFailure) -> [String] {
        let (outcome, lists) = try conversation.ask(ListKeys())
        try outcome.require()
        return lists.flatMap(\.keys).map(\.name)
    }

    /// What the machine's key is called in the vault: all devices have all keys.
    static var keyName: String {
        var name = [CChar](repeating: 0, count: 65)
        _ = unsafe gethostname(&name, name.count - 1)
        return "unattended " + String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns 256 random bits as a text of one line: what a key file would have.
    private static func newKey(_ conversation: inout Conversation) throws(ClientFailure) -> SecretBytes {
        try conversation.ask(MakeKeyFile()).outcome.require()
        guard let text = conversation.received.take(), text.byteCount > 1 else {
            throw ClientFailure(.other, "the agent made no key")
        }
        // Without its line feed, which no program is sure to keep.
        return unsafe text.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.dropLast()))
        }
    }
}
