// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import Presentation
internal import SecretMemory
internal import VaultFormat

/// Requests to one agent and its answers, printed as they come.
///
/// A first Ctrl-C asks the agent to stop and waits for its last word; a second one leaves at once.
struct Conversation: ~Copyable {
    let channel: Channel
    /// What the agent is told of us.
    var client: ClientTraits
    /// How its answers look.
    var style: PageStyle
    let quiet: Bool
    /// A secret that came before the last `end`.
    var received: SecretBytes?
    /// What an edit was begun with, when the last request began one.
    private(set) var editText: EditText?
    /// What the last request described.
    private(set) var attachment: DescribedAttachment?
    /// Makes of a value of the answer what is to be printed of it.
    var receiver: (([UInt8]) throws(FormatError) -> Page)?
    /// What was done is not told, only what should be known of it.
    var dropsOutput = false
    /// What came of a value that is longer than a frame.
    private var part: [UInt8] = []
    private var pictures: [ShownPicture] = []
    private static let pictureCountMax = 20
    /// Output goes through it when it is longer than the screen.
    private var paged: PagedOutput?
    /// Said while a pager had the terminal; told when it is gone.
    private var unsaid: [[UInt8]] = []
    /// Whether Ctrl-C was pressed during the last request.
    private(set) var wasInterrupted = false
    /// Ctrl-C is meant for another program that runs beside this request.
    var ignoresInterrupts = false
    /// SIGTERM and SIGHUP as `EndSignals` gives them: they end a request as Ctrl-C does. Negative: they end this process.
    var endSignals: Int32 = -1

    /// Whether a change was acknowledged on this connection.
    var hasChanged = false
    /// Whether an import was begun that only says what it would do.
    var isTrial = false

    /// Greets an agent.
    ///
    /// - Parameters:
    ///   - directory: identity of the vault's directory; the agent refuses when it has another copy open.
    ///   - isNew: whether this process started it.
    /// - Throws: `.other` when it is of another version.
    init(
        _ channel: consuming Channel, client: ClientTraits, style: PageStyle, quiet: Bool, directory: [UInt8] = [], isNew: Bool = false
    ) throws(ClientFailure) {
        self.channel = channel
        self.client = client
        self.style = style
        self.quiet = quiet
        do {
            try self.channel.send(.hello, Hello(directory: directory).encoded)
            if !isNew { Self.waitForHello(self.channel.descriptor) }
            guard case .frame(.hello, let payload) = try self.channel.receive(), let hello = try? Hello(parsing: payload),
                hello.isOurs
            else { throw Channel.Failure.malformed }
        } catch let failure as Channel.Failure where failure == .closed && !isNew {
            throw ClientFailure(.other, "the agent ended before it answered", hint: "vault status, then vault unlock")
        } catch {
            throw isNew
                ? ClientFailure(
                    .other, "vault-agent is not the same version as this program, or cannot start",
                    hint: "install all of vault's programs from one build")
                : ClientFailure(
                    .other, "the running agent is not the same version as this program", hint: "vault lock, then vault unlock")
        }
    }

    private var changes = false  // the request at hand may change the vault
    /// What was to be printed of a change and could not be, and why.
    private var unprinted: (bytes: [UInt8], failure: ClientFailure)?

    /// An agent greets at once, unless it is stopped or in the middle of a long step.
    private static func waitForHello(_ descriptor: Int32) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, AgentProcess.silenceMilliseconds) == 0, let pid = AgentProcess.pid(of: descriptor) else { return }
        AgentProcess.sayItIsSilent(pid)
    }

    /// Forgets the answer before.
    mutating func begin(_ effect: RequestEffect) { (wasInterrupted, changes, unprinted) = (false, effect == .change, nil) }

    /// Sends what `checked` gave, and prints the answer.
    mutating func exchange(
        _ encoded: [UInt8], _ effect: RequestEffect, _ enclosure: consuming Enclosure
    ) throws(ClientFailure) -> Outcome {
        let descriptor = enclosure.descriptor
        received = nil
        editText = nil
        attachment = nil
        begin(effect)
        let isHeldHere = Interrupts.hold()
        defer { if isHeldHere { Interrupts.release() } }
        do {
            if let descriptor { try channel.send(.request, encoded, descriptor: descriptor) } else { try channel.send(.request, encoded) }
            if let secret = enclosure.secret { try channel.send(secret: secret) }
            return try ended(try readUntilEnd(), effect)
        } catch let failure as ClientFailure {
            throw failure
        } catch {
            throw lost(effect)
        }
    }

    /// What an answer that does not come to a later request means depends on this one.
    mutating func ended(_ outcome: Outcome, _ effect: RequestEffect) throws(ClientFailure) -> Outcome {
        if effect == .change && (outcome.code == .ok || outcome.code == .doneWithLosses) { hasChanged = true }
        return try withoutOutput(outcome)
    }

    mutating func readUntilEnd() throws -> Outcome {
        var bar = ProgressBar(isWanted: client.wantsProgress)
        while true {
            try waitForFrame(&bar)
            switch try channel.receive() {
            case .secret(let secret): received = consume secret
            case .frame(let kind, let payload):
                if let outcome = try handle(kind, payload, &bar) { return outcome }
            }
        }
    }

    private mutating func handle(_ kind: FrameKind, _ payload: [UInt8], _ bar: inout ProgressBar) throws -> Outcome? {
        switch kind {
        case .replyPart:
            guard part.count + payload.count <= Frame.replyByteCountMax else { throw Channel.Failure.malformed }
            part += payload
        case .reply:
            bar.clear()
            try receive(part + payload)
            part = []
        case .notice:
            bar.clear()
            var page = Page(style)
            try Notice(parsing: payload).present(on: &page)
            try print(page)
        case .editText: editText = try EditText(parsing: payload)
        case .attachment: attachment = try DescribedAttachment(parsing: payload)
        case .picture: if pictures.count < Self.pictureCountMax { pictures.append(try ShownPicture(parsing: payload)) }
        case .progress:
            let progress = try Progress(parsing: payload)
            if !isPaging { bar.show(progress) }
        case .end:
            bar.clear()
            return try Outcome(parsing: payload)
        case .hello, .request, .secret, .cancel: throw Channel.Failure.malformed
        }
        return nil
    }

    private mutating func receive(_ value: [UInt8]) throws {
        guard let receiver else { throw Channel.Failure.malformed }
        try print(try receiver(value))
    }

    private mutating func print(_ page: Page) throws {
        for piece in page.pieces {
            switch piece {
            case .output(let bytes): if !dropsOutput { try print(bytes) }
            case .talk(let line): say(line)
            }
        }
    }

    /// With `--quiet` only warnings are told.
    func mayTalk(_ line: [UInt8]) -> Bool { !quiet || line.starts(with: "vault: warning:".utf8) }

    /// A reader that takes nothing must not make Ctrl-C wait: while we write, it acts at once. Who has left the pager wants no more.
    private mutating func print(_ payload: [UInt8]) throws {
        if isHolding {
            let goesOn = try paged!.write(payload)
            if !goesOn && !wasInterrupted {
                wasInterrupted = true
                try channel.send(.cancel, [])
            }
            return
        }
        Interrupts.release()
        defer { Interrupts.hold() }
        guard unprinted == nil else {
            unprinted?.bytes += payload
            return
        }
        do throws(ClientFailure) { try Streams.write(payload) } catch {
            // Of a change the end says first whether it was saved.
            guard changes else { throw error }
            unprinted = (payload, error)
        }
    }

    /// A change was saved, and what says so could not be printed: it must not look as if nothing had happened.
    private mutating func withoutOutput(_ outcome: Outcome) throws(ClientFailure) -> Outcome {
        guard let (bytes, failure) = unprinted else { return outcome }
        unprinted = nil
        guard [.ok, .doneWithLosses].contains(outcome.code) else { return outcome }
        Streams.say("vault: warning: the change was saved; what could not be printed is:")
        Streams.writeAll(bytes.last == 0x0A ? bytes : bytes + [0x0A], to: Streams.talk)
        throw failure
    }

    /// Pictures that came, to be drawn below the text: a pager may have the terminal until then.
    mutating func takePictures() -> [ShownPicture] {
        defer { pictures = [] }
        return pictures
    }

    private mutating func say(_ line: [UInt8]) {
        guard mayTalk(line) else { return }
        // What is held back for a pager comes first.
        if isHolding { unsaid.append(line) } else { Streams.writeAll(line, to: Streams.talk) }
    }

    private var isPaging: Bool {
        switch paged {
        case .none: false
        case .some(let output): output.isPaging
        }
    }

    private var isHolding: Bool {
        switch paged {
        case .none: false
        case .some: true
        }
    }

    /// Sends a request whose answer may be long: on a terminal a pager shows it.
    mutating func performPaged(_ operation: some Presented, _ settings: Settings) throws(ClientFailure) -> Outcome {
        paged = PagedOutput(
            settings.page, PagerChoice.find(setting: settings.pager), isTerminal: Terminal.isOutput && !style.json,
            size: Terminal.size(of: Streams.output))
        let result: Result<Outcome, ClientFailure>
        do throws(ClientFailure) { result = .success(try perform(operation)) } catch { result = .failure(error) }
        let wasPaging = isPaging
        try paged?.finish()
        paged = nil
        unsaid.forEach { Streams.writeAll($0, to: Streams.talk) }
        unsaid = []
        let outcome = try result.get()
        // Leaving the pager early is no failure.
        return wasPaging && outcome.code == .interrupted ? Outcome(.ok) : outcome
    }

    private mutating func waitForFrame(_ bar: inout ProgressBar) throws {
        var turns: Int32 = 0
        while true {
            var waiting = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
            let isReady = unsafe poll(&waiting, 1, 100) > 0
            let isEnding = endSignals >= 0 && vs_take_signal(endSignals) > 0
            if isEnding || (!isPaging && Interrupts.take() && !ignoresInterrupts) {
                bar.clear()
                // One that is stopped would never hear of it.
                guard !wasInterrupted, stoppedAgent == nil else { throw ClientFailure(.interrupted, "interrupted") }
                wasInterrupted = true
                try channel.send(.cancel, [])
            }
            if isReady { return }
            turns += 1
            // A long request may be silent for long: only one that cannot go on is told of.
            if turns * 100 == AgentProcess.silenceMilliseconds, !isPaging, let pid = stoppedAgent {
                bar.clear()
                AgentProcess.sayItIsSilent(pid)
            }
        }
    }

    /// Our agent's number while it is stopped. One that this process has started is seen as this process itself: nothing is known of it.
    private var stoppedAgent: pid_t? {
        AgentProcess.pid(of: channel.descriptor).flatMap { $0 != getpid() && AgentProcess.isStopped($0) ? $0 : nil }
    }
}
