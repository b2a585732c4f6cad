// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultFormat

/// What a request may become of: too long to be sent, or sent to an agent that went away.
extension Conversation {
    /// A request as it is sent. What is longer than its limit is refused here: an agent hangs up on whoever sends it.
    func checked(_ operation: some Operation) throws(ClientFailure) -> [UInt8] {
        try checked(operation.encoded(for: presentation)) { (encoded) throws(FormatError) in
            var reader = ByteReader(encoded)
            _ = try Presentation(from: &reader)
            _ = try reader.u8()
            _ = try type(of: operation).init(from: &reader)
        }
    }

    func checked(_ request: Request) throws(ClientFailure) -> [UInt8] {
        try checked(request.encoded(for: presentation)) { (encoded) throws(FormatError) in _ = try Request.parse(encoded) }
    }

    private func checked(_ encoded: [UInt8], _ parse: ([UInt8]) throws(FormatError) -> Void) throws(ClientFailure) -> [UInt8] {
        // No text of a request may be longer only where all of it is longer.
        guard encoded.count > 255 else { return encoded }
        do throws(FormatError) {
            try parse(encoded)
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
    func lost(_ effect: RequestEffect) -> ClientFailure {
        let gone = "the agent ended before it answered"
        switch effect {
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

    /// What a request may have done. An import that only says what it would do changes nothing with any of its requests.
    mutating func noted(_ request: Request) -> RequestEffect {
        if case .importing(.begin(let order)) = request { isTrial = order.dryRun }
        if case .importing = request, isTrial { return .nothing }
        return request.effect
    }
}
