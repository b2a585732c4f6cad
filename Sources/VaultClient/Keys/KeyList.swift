// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import FoundationEssentials
internal import SecretMemory

/// The vault's keys, as the agent lists them for programs.
enum KeyList {
    struct Key: Decodable {
        let id: String
        let name: String
        let kind: String

        var isRecovery: Bool { kind == "recovery key" }
        /// 16 bytes.
        var slotID: [UInt8] {
            let digits = id.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
            return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
    }

    private struct Listed: Decodable { let keys: [Key] }
    private struct One: Decodable { let key: Key }

    static func fetch(_ conversation: inout Conversation) throws(ClientFailure) -> [Key] {
        let answer = try collected(&conversation) { conversation throws(ClientFailure) in try conversation.perform(ListKeys()) }
        guard let listed = try? JSONDecoder().decode(Listed.self, from: Data(answer)) else { throw ClientFailure(.other, "the agent listed no keys") }
        return listed.keys
    }

    /// Identifier of the slot that a credential opens.
    static func opened(by key: borrowing GivenKey, _ conversation: inout Conversation) throws(ClientFailure) -> [UInt8] {
        let secret = key.secret.duplicate()
        let kind = key.kind
        let answer = try collected(&conversation) { conversation throws(ClientFailure) in
            try conversation.perform(VerifyKey(kind: kind), secret: secret.duplicate())
        }
        guard let one = try? JSONDecoder().decode(One.self, from: Data(answer)) else { throw ClientFailure(.other, "the agent named no key") }
        return one.key.slotID
    }

    private static func collected(
        _ conversation: inout Conversation, _ body: (inout Conversation) throws(ClientFailure) -> Outcome
    ) throws(ClientFailure) -> [UInt8] {
        let before = conversation.presentation
        conversation.presentation.json = true
        conversation.output = .collect
        defer {
            conversation.presentation = before
            conversation.output = .print
        }
        try Session.require(try body(&conversation))
        return conversation.takeCollected()
    }
}
