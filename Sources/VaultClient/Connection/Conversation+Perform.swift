// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Presentation
internal import SecretMemory
internal import VaultFormat

/// What a request sends besides its fields.
struct Enclosure: ~Copyable {
    /// Follows the request.
    var secret: SecretBytes?
    /// An open file or pipe.
    var descriptor: Int32?

    init(secret: consuming SecretBytes? = nil, descriptor: Int32? = nil) {
        self.secret = secret
        self.descriptor = descriptor
    }
}

extension Conversation {
    /// Sends a request and prints its answer as it comes.
    mutating func perform<Asked: Presented>(
        _ operation: Asked, _ enclosure: consuming Enclosure = Enclosure()
    ) throws(ClientFailure) -> Outcome {
        receiver = Self.presenter(of: operation, style)
        return try exchange(checked(operation), noted(operation), enclosure)
    }

    mutating func perform(_ operation: some Presented, secret: consuming SecretBytes) throws(ClientFailure) -> Outcome {
        try perform(operation, Enclosure(secret: consume secret))
    }

    mutating func perform(_ operation: some Presented, descriptor: Int32) throws(ClientFailure) -> Outcome {
        try perform(operation, Enclosure(descriptor: descriptor))
    }

    mutating func perform(_ operation: some Presented, secret: consuming SecretBytes, descriptor: Int32) throws(ClientFailure) -> Outcome {
        try perform(operation, Enclosure(secret: consume secret, descriptor: descriptor))
    }

    /// Sends a request and gives its answer, of which nothing is printed.
    mutating func ask<Asked: Operation>(
        _ operation: Asked, _ enclosure: consuming Enclosure = Enclosure()
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        let replies = Replies<Asked.Reply>(style)
        receiver = replies.receive
        return (try exchange(checked(operation), noted(operation), enclosure), replies.all)
    }

    mutating func ask<Asked: Operation>(
        _ operation: Asked, secret: consuming SecretBytes
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        try ask(operation, Enclosure(secret: consume secret))
    }

    mutating func ask<Asked: Operation>(
        _ operation: Asked, descriptor: Int32
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        try ask(operation, Enclosure(descriptor: descriptor))
    }

    mutating func ask<Asked: Operation>(
        _ operation: Asked, secret: consuming SecretBytes, descriptor: Int32
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        try ask(operation, Enclosure(secret: consume secret, descriptor: descriptor))
    }

    /// Prints what was asked for before.
    func show<Asked: Presented>(_ replies: [Asked.Reply], of operation: Asked) throws(ClientFailure) {
        var page = Page(style)
        for reply in replies { operation.present(reply, on: &page) }
        for piece in page.pieces {
            switch piece {
            case .output(let bytes): try Streams.write(bytes)
            case .talk(let line): if mayTalk(line) { Streams.writeAll(line, to: Streams.talk) }
            }
        }
    }

    /// Sends a request and one end of a pipe with it; `finish` waits for the answer when the caller has written what belongs there.
    mutating func begin(_ operation: some Operation, descriptor: Int32) throws(ClientFailure) {
        let effect = noted(operation)
        begin(effect)
        let encoded = try checked(operation)
        do { try channel.send(.request, encoded, descriptor: descriptor) } catch { throw lost(effect) }
    }

    mutating func finish<Asked: Presented>(_ operation: Asked) throws(ClientFailure) -> Outcome {
        receiver = Self.presenter(of: operation, style)
        return try awaitEnd(of: operation)
    }

    mutating func finishAsking<Asked: Operation>(_ operation: Asked) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        let replies = Replies<Asked.Reply>(style)
        receiver = replies.receive
        return (try awaitEnd(of: operation), replies.all)
    }

    private mutating func awaitEnd(of operation: some Operation) throws(ClientFailure) -> Outcome {
        let effect = noted(operation)
        do {
            return try ended(try readUntilEnd(), effect)
        } catch let failure as ClientFailure {
            throw failure
        } catch {
            throw lost(effect)
        }
    }

    private static func presenter<Asked: Presented>(of operation: Asked, _ style: PageStyle) -> ([UInt8]) throws(FormatError) -> Page {
        { (bytes) throws(FormatError) in
            var page = Page(style)
            operation.present(try Asked.Reply(parsing: bytes), on: &page)
            return page
        }
    }

    /// What a request may have done. An import that only says what it would do changes nothing with any of its requests.
    private mutating func noted(_ operation: some Operation) -> RequestEffect {
        if let order = operation as? BeginImport { isTrial = order.dryRun }
        return isTrial ? .nothing : operation.effect
    }

    /// A request as it is sent. What is longer than its limit is refused here: an agent hangs up on whoever sends it.
    private func checked<Sent: Operation>(_ operation: Sent) throws(ClientFailure) -> [UInt8] {
        let encoded = operation.encoded(for: client)
        // No text of a request may be longer only where all of it is longer.
        guard encoded.count > 255 else { return encoded }
        do throws(FormatError) {
            var reader = ByteReader(encoded)
            _ = try ClientTraits(from: &reader)
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

/// The values of one answer, as they come.
private final class Replies<Value: ReplyValue> {
    private(set) var all: [Value] = []
    private let nothing: Page

    init(_ style: PageStyle) { nothing = Page(style) }

    func receive(_ bytes: [UInt8]) throws(FormatError) -> Page {
        all.append(try Value(parsing: bytes))
        return nothing
    }
}
