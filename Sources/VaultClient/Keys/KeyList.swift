// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import SecretMemory

extension KeyList {
    /// Returns the vault's keys.
    static func fetch(_ conversation: inout Conversation) throws(ClientFailure) -> [KeyRow] {
        let (outcome, replies) = try conversation.ask(ListKeys())
        try Session.require(outcome)
        guard let list = replies.first else { throw ClientFailure(.other, "the agent listed no keys") }
        return list.keys
    }

    /// Returns the identifier of the slot that a credential opens.
    static func opened(by key: borrowing Credential, _ conversation: inout Conversation) throws(ClientFailure)
        -> [UInt8]
    {
        let (outcome, replies) = try conversation.ask(VerifyKey(kind: key.kind), secret: key.secret.duplicate())
        try Session.require(outcome)
        guard let opened = replies.first else { throw ClientFailure(.other, "the agent named no key") }
        return opened.slotID
    }
}
