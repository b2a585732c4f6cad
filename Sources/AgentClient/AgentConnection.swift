// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Glibc
public import SecretMemory
internal import VaultFormat

/// `AgentConnection` is one connection to an agent: requests, and what it answers. It prints nothing, asks nobody, and
/// takes no signal.
///
/// A request is followed by `next` until the `end`; or `ask` does both. Spec: docs/agent-protocol.md §3.
public struct AgentConnection: ~Copyable {
    /// `Event` is something that an agent said.
    public enum Event: Sendable {
        /// A value of the operation's `Reply`, encoded.
        case reply([UInt8])
        case notice(Notice)
        case progress(Progress)
        case editText(EditText)
        case attachment(DescribedAttachment)
        case picture(ShownPicture)
        /// `takeSecret` gives it.
        case secret
        case end(Outcome)
    }

    private let channel: Channel
    /// What the agent is told of us with each request.
    public var traits: ClientTraits
    /// What came of a value that is longer than a frame.
    private var part: [UInt8] = []
    /// The last one that came.
    private var secret: SecretBytes?
    /// Whether a change was acknowledged on this connection.
    private(set) var hasChanged = false
    /// Whether an import was begun that only says what it would do.
    private var isTrial = false
    /// What the current request may have done.
    public private(set) var effect = RequestEffect.nothing
    /// Whether `cancel` was called since the last request was sent.
    public private(set) var wasInterrupted = false

    public var descriptor: Int32 { channel.descriptor }

    /// Greets an agent.
    ///
    /// - Parameters:
    ///   - directory: identity of the vault's directory; the agent refuses when it has another copy open.
    ///   - isNew: whether this process started it.
    ///   - whenSilent: told the agent's number when it has not greeted for two seconds.
    /// - Throws: `.other` if its version differs, or it ends.
    public init(
        _ channel: consuming Channel, traits: ClientTraits, directory: [UInt8] = [], isNew: Bool = false,
        whenSilent: (Int32) -> Void = { _ in }
    ) throws(ClientFailure) {
        self.channel = channel
        self.traits = traits
        do {
            try self.channel.send(.hello, Hello(directory: directory).encoded)
            if !isNew { Self.waitForHello(self.channel.descriptor, whenSilent) }
            guard case .frame(.hello, let payload) = try self.channel.receive(),
                let hello = try? Hello(parsing: payload),
                hello.isOurs
            else { throw Channel.Failure.malformed }
        } catch let failure as Channel.Failure where failure == .closed && !isNew {
            throw .endOfAgent
        } catch {
            throw isNew
                ? ClientFailure(
                    .other, "vault-agent is not the same version as this program, or cannot start",
                    hint: "install all of vault's programs from one build")
                : ClientFailure(
                    .other, "the running agent is not the same version as this program",
                    hint: "vault lock, then vault unlock")
        }
    }

    /// Connects to the agent that has a vault open; nil when there is none.
    ///
    /// - Throws: `.failSafe` for an agent that others could listen in the place of, `.other`.
    public static func toRunning(
        _ location: VaultLocation, traits: ClientTraits, whenSilent: (Int32) -> Void = { _ in }
    ) throws(ClientFailure) -> AgentConnection? {
        // The socket of an agent that was killed takes connections until the last of its threads is out of the kernel,
        // and a slow disk keeps one there for seconds. It greets nobody any more: it counts as gone when it is.
        var looks = 0
        while let channel = try channel(to: location.vaultID()) {
            do throws(ClientFailure) {
                return try AgentConnection(
                    channel, traits: traits, directory: location.identity, whenSilent: whenSilent)
            } catch {
                looks += 1
                guard error == .endOfAgent, looks < looksMax else { throw error }
            }
            usleep(20_000)
        }
        return nil
    }

    /// How often an agent that ends is looked for, each time 20 ms later.
    private static let looksMax = 500

    /// Returns the socket of the agent that listens for a vault; nil when there is none.
    public static func channel(to vaultID: [UInt8]) throws(ClientFailure) -> Channel? {
        do {
            return try AgentAddress.connect(to: try AgentAddress.socketPath(vaultID: vaultID))
        } catch .noAgent {
            return nil
        } catch {
            throw failure(error)
        }
    }

    /// Waits for an agent's greeting, and tells of an agent that stays silent: it greets at once, unless it is stopped
    /// or in the middle of a long step.
    private static func waitForHello(_ descriptor: Int32, _ whenSilent: (Int32) -> Void) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, AgentProcess.silenceMilliseconds) == 0,
            let pid = AgentProcess.pid(of: descriptor)
        else { return }
        whenSilent(pid)
    }

    // MARK: Requests

    /// Sends a request with what belongs to it.
    ///
    /// - Throws: `.usage` for a text that is longer than the agent takes; what `lost` says when the agent is gone.
    public mutating func send<Asked: Operation>(_ operation: Asked, _ enclosure: consuming Enclosure = Enclosure())
        throws(ClientFailure)
    {
        if let order = operation as? BeginImport { isTrial = order.dryRun }
        effect = isTrial ? .nothing : operation.effect
        if operation is EndImport { isTrial = false }
        let (hasSecret, hasDescriptor) = (enclosure.hasSecret, enclosure.descriptor != nil)
        precondition(
            operation.needsSecret == hasSecret,
            "an agent waits for the secret that an operation needs, and takes no other")
        precondition(
            operation.needsDescriptor == hasDescriptor,
            "an agent takes a descriptor with the operations that need one alone")
        part = []
        secret = nil
        wasInterrupted = false
        let encoded = try checked(operation)
        do {
            if let descriptor = enclosure.descriptor {
                try channel.send(.request, encoded, descriptor: descriptor)
            } else {
                try channel.send(.request, encoded)
            }
            if let secret = enclosure.secret { try channel.send(secret: secret) }
        } catch {
            // An agent that was locked meanwhile has said so before it went.
            var waiting = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
            guard !hasChanged, unsafe poll(&waiting, 1, 0) == 1,
                case .frame(.end, let payload)? = try? channel.receive(),
                let outcome = try? Outcome(parsing: payload), outcome.code == .locked
            else { throw lost(effect) }
            throw ClientFailure(outcome)
        }
    }

    /// Asks the agent to stop the request that is running; its `end` still comes.
    public mutating func cancel() throws(ClientFailure) {
        wasInterrupted = true
        do { try channel.send(.cancel, []) } catch { throw lost(effect) }
    }

    /// Waits for what the agent says next; nil when a part of a long value came.
    ///
    /// - Throws: what `lost` says when the agent is gone, or says what no agent of ours says.
    public mutating func next() throws(ClientFailure) -> Event? {
        do {
            switch try channel.receive() {
            case .secret(let bytes):
                secret = consume bytes
                return .secret
            case .frame(let kind, let payload): return try event(kind, payload)
            }
        } catch { throw lost(effect) }
    }

    private mutating func event(_ kind: FrameKind, _ payload: [UInt8]) throws -> Event? {
        switch kind {
        case .replyPart:
            guard part.count + payload.count <= Frame.replyByteCountMax else { throw Channel.Failure.malformed }
            part += payload
            return nil
        case .reply:
            defer { part = [] }
            return .reply(part.isEmpty ? payload : part + payload)
        case .notice: return .notice(try Notice(parsing: payload))
        case .editText: return .editText(try EditText(parsing: payload))
        case .attachment: return .attachment(try DescribedAttachment(parsing: payload))
        case .picture: return .picture(try ShownPicture(parsing: payload))
        case .progress: return .progress(try Progress(parsing: payload))
        case .end:
            let outcome = try Outcome(parsing: payload)
            if effect == .change && (outcome.code == .ok || outcome.code == .doneWithLosses) { hasChanged = true }
            return .end(outcome)
        case .hello, .request, .secret, .cancel: throw Channel.Failure.malformed
        }
    }

    /// Sends a request and waits for all of its answer.
    ///
    /// - Parameter heard: told of everything but replies and the end, such as pictures and notices.
    public mutating func ask<Asked: Operation>(
        _ operation: Asked, _ enclosure: consuming Enclosure = Enclosure(), heard: (Event) -> Void = { _ in }
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        try send(operation, enclosure)
        return try answer(to: operation, heard: heard)
    }

    /// Waits for all of the answer to the request that was sent.
    ///
    /// - Parameter heard: told of everything but replies and the end, such as pictures and notices.
    public mutating func answer<Asked: Operation>(
        to operation: Asked, heard: (Event) -> Void
    ) throws(ClientFailure) -> (outcome: Outcome, replies: [Asked.Reply]) {
        var replies: [Asked.Reply] = []
        while true {
            guard let event = try next() else { continue }
            switch event {
            case .reply(let bytes): replies.append(try reply(bytes, to: operation))
            case .end(let outcome): return (outcome, replies)
            case .notice, .progress, .editText, .attachment, .picture, .secret: heard(event)
            }
        }
    }

    /// Returns a secret that came with the answer, such as a new recovery key; it is given once.
    public mutating func takeSecret() -> SecretBytes? { secret.take() }

    /// Reads a value of an answer.
    public func reply<Asked: Operation>(_ bytes: [UInt8], to operation: Asked) throws(ClientFailure) -> Asked.Reply {
        do throws(FormatError) { return try Asked.Reply(parsing: bytes) } catch { throw lost(effect) }
    }

    /// Returns a request as it is sent. What is longer than its limit is refused here: an agent hangs up on a client
    /// that sends it.
    private func checked<Sent: Operation>(_ operation: Sent) throws(ClientFailure) -> [UInt8] {
        let encoded = operation.encoded(for: traits)
        guard encoded.count < Frame.byteCountMax - 1 else {
            throw .usage("the command names too much at once", hint: "give it fewer at a time")
        }
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

    /// Says why no agent can be reached, or none can listen, in words.
    public static func failure(_ failure: AgentAddress.Failure) -> ClientFailure {
        switch failure {
        case _ where failure.systemError != 0: SystemError.failure("cannot look for the agent", failure.systemError)
        case .notOurs:
            ClientFailure(
                .failSafe, "other users can access the agent's socket or its directory; somebody may be listening",
                hint: "look at $XDG_RUNTIME_DIR/notevault: it must be yours, with mode 0700")
        case .pathTooLong:
            ClientFailure(
                .other, "the path of the agent's socket is too long", hint: "set XDG_RUNTIME_DIR to a shorter path")
        default:
            ClientFailure(
                .other, "there is no private runtime directory for the agent's socket",
                hint: "set XDG_RUNTIME_DIR to a directory that you own, with mode 0700")
        }
    }
}
