// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultFormat

extension Conversation {
    /// Sends a request and prints its answer.
    mutating func perform(_ operation: some Operation) throws(ClientFailure) -> Outcome {
        try exchange(checked(operation), noted(operation), secret: nil)
    }

    /// Sends a request and the secret that belongs to it.
    mutating func perform(_ operation: some Operation, secret: consuming SecretBytes) throws(ClientFailure) -> Outcome {
        try exchange(checked(operation), noted(operation), secret: consume secret)
    }

    /// Sends a request and an open file with it.
    mutating func perform(_ operation: some Operation, descriptor: Int32) throws(ClientFailure) -> Outcome {
        try exchange(checked(operation), noted(operation), secret: nil, descriptor: descriptor)
    }

    /// Sends a request, an open file with it, and the secret that belongs to it.
    mutating func perform(
        _ operation: some Operation, secret: consuming SecretBytes, descriptor: Int32
    ) throws(ClientFailure) -> Outcome {
        try exchange(checked(operation), noted(operation), secret: consume secret, descriptor: descriptor)
    }

    /// Sends a request and one end of a pipe with it; `finish` waits for the answer when the caller has written what belongs there.
    mutating func begin(_ operation: some Operation, descriptor: Int32) throws(ClientFailure) {
        let effect = noted(operation)
        begin(effect)
        let encoded = try checked(operation)
        do { try channel.send(.request, encoded, descriptor: descriptor) } catch { throw lost(effect) }
    }

    mutating func finish(_ operation: some Operation) throws(ClientFailure) -> Outcome {
        let effect = noted(operation)
        do {
            return try ended(try readUntilEnd(), effect)
        } catch let failure as ClientFailure {
            throw failure
        } catch {
            throw lost(effect)
        }
    }

    /// What a request may have done. An import that only says what it would do changes nothing with any of its requests.
    private mutating func noted(_ operation: some Operation) -> RequestEffect {
        if let order = operation as? BeginImport { isTrial = order.dryRun }
        return isTrial ? .nothing : operation.effect
    }

    /// A request as it is sent. What is longer than its limit is refused here: an agent hangs up on whoever sends it.
    private func checked<Sent: Operation>(_ operation: Sent) throws(ClientFailure) -> [UInt8] {
        let encoded = operation.encoded(for: presentation)
        // No text of a request may be longer only where all of it is longer.
        guard encoded.count > 255 else { return encoded }
        do throws(FormatError) {
            var reader = ByteReader(encoded)
            _ = try Presentation(from: &reader)
            _ = try reader.u8()
            _ = try Sent(from: &reader)
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
}
