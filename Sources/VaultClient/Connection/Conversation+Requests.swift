// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultFormat

/// What a request may become of: too long to be sent, or sent to an agent that went away.
extension Conversation {
    /// A request as it is sent. What is longer than its limit is refused here: an agent hangs up on whoever sends it.
    func checked(_ request: Request) throws(ClientFailure) -> [UInt8] {
        let encoded = request.encoded(for: presentation)
        // No text of a request may be longer only where all of it is longer.
        guard encoded.count > 255 else { return encoded }
        do throws(FormatError) {
            _ = try Request.parse(encoded)
        } catch {
            guard error.code == .tooLarge else { return encoded }
            guard let length = error.length, let offset = error.offset else {
                throw .usage("the command names more than 10,000 items at once", hint: "give it fewer at a time")
            }
            // Four bytes of length, then the text. No secret is in a request.
            let begin = String(decoding: encoded[(offset + 4)...].prefix(24), as: UTF8.self)
            throw .tooLong(begin, nil, count: length.found, max: length.max)
        }
        return encoded
    }

    /// What to tell when the agent went away. Only an `end` promises that something was saved.
    func lost(_ request: Request) -> ClientFailure {
        let gone = "the agent ended before it answered"
        switch effect(of: request) {
        case .change:
            return ClientFailure(
                .localSaveFailed, "\(gone); the change may not have been saved", hint: "vault unlock, then vault ls")
        // An earlier step of the same command was answered: "nothing was changed" would not be true of the command.
        case _ where hasChanged: return ClientFailure(.other, "\(gone); what was saved before that is safe", hint: "vault unlock")
        case .nothing: return ClientFailure(.other, "\(gone); nothing was changed", hint: "vault unlock, then run the command again")
        case .upkeep: return ClientFailure(.other, "\(gone); no note was changed", hint: "vault unlock, then run the command again")
        case .output:
            return ClientFailure(
                .other, "\(gone); nothing in the vault was changed, and what was being written is incomplete",
                hint: "vault unlock, then run the command again")
        }
    }

    /// An import that only says what it would do changes nothing with any of its requests.
    func effect(of request: Request) -> RequestEffect {
        if case .importing = request, isTrial { return .nothing }
        return request.effect
    }

    /// Remembers what was asked for: what an answer that does not come means depends on it.
    mutating func remember(_ request: Request, _ outcome: Outcome) {
        if case .importing(.begin(let order)) = request { isTrial = order.dryRun }
        if effect(of: request) == .change && (outcome.code == .ok || outcome.code == .doneWithLosses) { hasChanged = true }
    }
}
