// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory

extension Conversation {
    /// Sends a request and prints its answer.
    mutating func perform(_ operation: some Operation) throws(ClientFailure) -> Outcome {
        try exchange(checked(operation), operation.effect, secret: nil)
    }

    /// Sends a request and the secret that belongs to it.
    mutating func perform(_ operation: some Operation, secret: consuming SecretBytes) throws(ClientFailure) -> Outcome {
        try exchange(checked(operation), operation.effect, secret: consume secret)
    }

    mutating func perform(_ request: Request) throws(ClientFailure) -> Outcome {
        try exchange(checked(request), noted(request), secret: nil)
    }

    mutating func perform(_ request: Request, secret: consuming SecretBytes) throws(ClientFailure) -> Outcome {
        try exchange(checked(request), noted(request), secret: consume secret)
    }

    /// Sends a request and an open file with it.
    mutating func perform(_ request: Request, descriptor: Int32) throws(ClientFailure) -> Outcome {
        try exchange(checked(request), noted(request), secret: nil, descriptor: descriptor)
    }

    /// Sends a request, an open file with it, and the secret that belongs to it.
    mutating func perform(_ request: Request, secret: consuming SecretBytes, descriptor: Int32) throws(ClientFailure) -> Outcome {
        try exchange(checked(request), noted(request), secret: consume secret, descriptor: descriptor)
    }

    /// Sends a request and one end of a pipe with it; `finish` waits for the answer when the caller has written what belongs there.
    mutating func begin(_ request: Request, descriptor: Int32) throws(ClientFailure) {
        let effect = noted(request)
        begin(effect)
        let encoded = try checked(request)
        do { try channel.send(.request, encoded, descriptor: descriptor) } catch { throw lost(effect) }
    }

    mutating func finish(_ request: Request) throws(ClientFailure) -> Outcome {
        let effect = noted(request)
        do {
            return try ended(try readUntilEnd(), effect)
        } catch let failure as ClientFailure {
            throw failure
        } catch {
            throw lost(effect)
        }
    }
}
