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
                Anyone with your unlocked session, or this machine while it runs, can open the vault with it. 'off' \
                removes the key from both places. 'vault rotate' drops the key, and asks before it does: set it again then.
                """,
            examples: [
                "vault sync unattended": "See whether this machine does.",
                "vault sync unattended keyring": "Keep a key in the session's keyring.",
                "vault sync unattended off": "Remove the key from the vault and from the keyring.",
            ])
    }
    var choice: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&choice, "where", "keyring, tpm or off; without it, shows the current setting.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        let vault = try Unattended.name(of: location)
        let record = UnattendedRecord(of: vault)
        guard let choice else { return try show(record, context) }
        guard let choice = KeeperChoice(rawValue: choice) else {
            throw .usage(
                "a key is kept in the 'keyring' or by the 'tpm', or not at all: 'off'",
                hint: "vault sync unattended keyring")
        }
        return try Session.with(context) { conversation throws(ClientFailure) in
            if choice == .off { return try end(record, vault, context, &conversation) }
            return try begin(choice, record, vault, context, &conversation)
        }
    }

    /// The new key is kept and opens the vault before the old one goes: whatever fails in between, one of them works.
    private func begin(
        _ choice: KeeperChoice, _ before: UnattendedRecord?, _ vault: String, _ context: Context,
        _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        let tag = UnattendedRecord.newTag()
        let keeper = try KeyKeeper(choice, of: vault, tag: tag)
        let present = try GivenKey.present(context)
        try KeyCommands.check(present, &conversation)
        let key = try Self.newKey(&conversation)
        try keeper.keep(key)
        let slot: KeyRow
        do throws(ClientFailure) {
            // It is random: one derivation need not be dear.
            let adding = AddKey(
                kind: present.kind, name: "unattended \(Self.machine) \(tag.prefix(4))",
                new: NewCredential(.password, kdfTargetMilliseconds: 0))
            let (outcome, rows) = try conversation.ask(adding, secret: PasswordPair.joined(present.secret, key))
            try outcome.require()
            guard let row = rows.first else { throw ClientFailure(.other, "the agent named no key") }
            slot = row
        } catch {
            try? keeper.forget()
            throw error
        }
        let record = UnattendedRecord(choice, tag: tag, slot: hexadecimal(slot.slotID))
        do throws(ClientFailure) {
            try record.write(of: vault)
            try ConfigCommand.change(.syncUnattended, to: choice.rawValue, context)
        } catch {
            // A key of which this machine knows nothing would open the vault for ever.
            try? remove(record, vault, present.duplicate(), &conversation)
            if let before { try? before.write(of: vault) } else { _ = try? UnattendedRecord.remove(of: vault) }
            throw error
        }
        if let before { try remove(before, vault, present, &conversation) }
        context.reporter.talk(
            "\(keeper.description) keeps the key '\(VisibleText.escaped(slot.name))'; this machine syncs with 'vault sync "
                + "now --unattended'")
        return try print(choice, slot.name, context)
    }

    private func end(
        _ record: UnattendedRecord?, _ vault: String, _ context: Context, _ conversation: inout Conversation
    ) throws(ClientFailure) -> Outcome {
        if let record {
            let isThere = try Self.slot(record.slot, &conversation) != nil
            try remove(record, vault, isThere ? try GivenKey.present(context) : nil, &conversation)
            if try !UnattendedRecord.remove(of: vault) { try ConfigCommand.change(.syncUnattended, to: nil, context) }
        }
        context.reporter.talk("this machine syncs while the vault is unlocked only")
        return try print(.off, nil, context)
    }

    /// Removes a key from the vault, then from where it is kept.
    private func remove(
        _ record: UnattendedRecord, _ vault: String, _ present: consuming Credential?,
        _ conversation: inout Conversation
    ) throws(ClientFailure) {
        if let present, let slot = try Self.slot(record.slot, &conversation) {
            try conversation.ask(
                RemoveKey(kind: present.kind, ref: slot.shortID), secret: present.secret.duplicate()
            ).outcome.require()
        }
        try KeyKeeper(record.choice, of: vault, tag: record.tag).forget()
    }

    private func show(_ record: UnattendedRecord?, _ context: Context) throws(ClientFailure) -> Outcome {
        let choice = record?.choice ?? .off
        let state =
            record?.isDead == true
            ? "its key no longer opens the vault: vault sync unattended \(choice.rawValue)"
            : "'vault sync now --unattended'"
        context.reporter.talk(
            choice == .off ? "off: this machine syncs while the vault is unlocked" : "\(choice.rawValue): \(state)")
        return try print(choice, nil, context)
    }

    private func print(_ choice: KeeperChoice, _ key: String?, _ context: Context) throws(ClientFailure) -> Outcome {
        try context.print(
            json: "{\"schema\":1,\"unattended\":\"\(choice.rawValue)\",\"key\":\(JSONText.quotedOrNull(key))}",
            text: "")
        return Outcome(.ok)
    }

    private static func slot(
        _ id: String, _ conversation: inout Conversation
    ) throws(ClientFailure) -> KeyRow? {
        let (outcome, lists) = try conversation.ask(ListKeys())
        try outcome.require()
        return lists.flatMap(\.keys).first { hexadecimal($0.slotID) == id }
    }

    /// What the machine is called, in the key's name: all devices have all keys.
    private static var machine: String {
        var name = [CChar](repeating: 0, count: 65)
        _ = unsafe gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
