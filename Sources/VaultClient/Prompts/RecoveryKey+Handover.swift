// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import Presentation
internal import SecretMemory

extension RecoveryKey {
    /// Checks that the recovery key can be handed over. A script has nobody to show it to: it says where the key goes.
    static func checkHandover(_ file: String?, _ context: Context, without: String = "") throws(ClientFailure) {
        if let file { return try checkIsNew(file) }
        guard !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(
                .locked, "the recovery key must be shown and typed back, and there is no terminal to ask on",
                hint: "--recovery-file FILE" + without)
        }
    }

    /// Shows a new key and has it typed back, or writes it to a new file; then the agent may write what it has
    /// prepared.
    ///
    /// - Parameters:
    ///   - commit: the request that the key as typed back belongs to.
    ///   - keepsFile: when the commit is refused the file stays: the key may be in place anyway.
    static func hand(
        _ key: borrowing SecretBytes, to file: String?, _ commit: some Presented, keepsFile: Bool = false,
        _ conversation: inout Conversation, _ context: Context
    ) throws(ClientFailure) -> Outcome {
        try hand(key, to: file, keepsFile: keepsFile, context) { typed throws(ClientFailure) in
            try conversation.perform(commit, secret: typed)
        }
    }

    /// Does the same with a request of the caller's own.
    ///
    /// - Parameters:
    ///   - ofArchive: it opens an archive, and not the vault.
    ///   - commit: sends the request with the key as typed back; once more after a wrong one.
    static func hand(
        _ key: borrowing SecretBytes, to file: String?, ofArchive: Bool = false, keepsFile: Bool = false,
        _ context: Context,
        commit: (consuming SecretBytes) throws(ClientFailure) -> Outcome
    ) throws(ClientFailure) -> Outcome {
        guard let file else { return try typed(key, ofArchive: ofArchive, commit) }
        try save(key, to: file)
        let outcome: Outcome
        do throws(ClientFailure) {
            outcome = try commit(key.duplicate())
        } catch {
            // Nobody has said that nothing was written. An archive that was not finished is removed, too.
            if ofArchive { unsafe unlink(file) } else { sayItMayBeValid(file) }
            throw error
        }
        if outcome.code == .ok {
            context.reporter.talk(
                "recovery key written to \(VisibleText.escaped(file)); keep it apart from the \(ofArchive ? "archive" : "vault")"
            )
        } else if keepsFile {
            sayItMayBeValid(file)
        } else {
            unsafe unlink(file)
        }
        return outcome
    }

    private static func sayItMayBeValid(_ file: String) {
        Streams.say(
            "vault: note: \(VisibleText.escaped(file)) has the new recovery key; it is valid if vault recovery test says so"
        )
    }

    private static func typed(
        _ key: borrowing SecretBytes, ofArchive: Bool,
        _ commit: (consuming SecretBytes) throws(ClientFailure) -> Outcome
    ) throws(ClientFailure) -> Outcome {
        let opens = ofArchive ? "this archive, and nothing else does" : "the vault without the password"
        try show(key, opens: opens)
        var wrong = 0
        while true {
            let typed: SecretBytes
            do throws(ClientFailure) {
                // Every third time the paper itself may be wrong.
                if wrong > 0, wrong % 3 == 0, try Confirmation.ask("Show the recovery key once more?") {
                    try show(key, opens: opens)
                }
                typed = try askBack()
            } catch {
                guard error.outcome.code == .interrupted else { throw error }
                throw ClientFailure(.interrupted, "interrupted; nothing was written")
            }
            let outcome = try commit(typed)
            guard outcome.code == .aborted else { return outcome }
            wrong += 1
            Streams.say("vault: that is not the recovery key; look again")
        }
    }
}
