// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import Presentation
internal import SecretMemory

/// `Conversation` sends requests to one agent and prints its answers as they come.
///
/// A first Ctrl-C asks the agent to stop and waits for its last word; a second one leaves at once.
struct Conversation: ~Copyable {
    var agent: AgentConnection
    /// How its answers look.
    var style: PageStyle
    var quiet: Bool
    /// A secret that came before the last `end`.
    var received: SecretBytes?
    /// What an edit was begun with, when the last request began one.
    private(set) var editText: EditText?
    /// What the last request described.
    private(set) var attachment: DescribedAttachment?
    /// What was done is not told, only what should be known of it.
    var dropsOutput = false
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
    /// SIGTERM and SIGHUP as `EndSignals` gives them: they end a request as Ctrl-C does. Negative: they end this
    /// process.
    var endSignals: Int32 = -1

    /// Begins with an agent that was greeted.
    init(_ agent: consuming AgentConnection, style: PageStyle, quiet: Bool) {
        self.agent = agent
        self.style = style
        self.quiet = quiet
    }

    /// What was to be printed of a change and could not be, and why.
    private var unprinted: (bytes: [UInt8], failure: ClientFailure)?

    /// Sends a request and hands each value of its answer to `receive`, which makes of it what is to be printed.
    mutating func exchange<Asked: Operation>(
        _ operation: Asked, _ enclosure: consuming Enclosure, _ receive: (Asked.Reply) -> Page
    ) throws(ClientFailure) -> Outcome {
        let isHeldHere = Interrupts.hold()
        defer { if isHeldHere { Interrupts.release() } }
        try begin(operation, enclosure)
        return try awaitEnd(of: operation, receive)
    }

    /// Sends a request; `awaitEnd` gives its answer.
    mutating func begin<Asked: Operation>(_ operation: Asked, _ enclosure: consuming Enclosure) throws(ClientFailure) {
        received = nil
        (editText, attachment, wasInterrupted, unprinted) = (nil, nil, false, nil)
        try agent.send(operation, enclosure)
    }

    mutating func awaitEnd<Asked: Operation>(of operation: Asked, _ receive: (Asked.Reply) -> Page)
        throws(ClientFailure) -> Outcome
    {
        var bar = ProgressBar(isWanted: agent.traits.wantsProgress)
        while true {
            try waitForFrame(&bar)
            guard let event = try agent.next() else { continue }
            switch event {
            case .reply(let bytes):
                bar.clear()
                try print(receive(agent.reply(bytes, to: operation)))
            case .notice(let notice):
                bar.clear()
                var page = Page(style)
                notice.present(on: &page)
                try print(page)
            case .editText(let text): editText = text
            case .attachment(let described): attachment = described
            case .picture(let picture): if pictures.count < Self.pictureCountMax { pictures.append(picture) }
            case .progress(let progress): if !isPaging { bar.show(progress) }
            case .secret: received = agent.takeSecret()
            case .end(let outcome):
                bar.clear()
                return try withoutOutput(outcome)
            }
        }
    }

    private mutating func print(_ page: Page) throws(ClientFailure) {
        for piece in page.pieces {
            switch piece {
            case .output(let bytes): if !dropsOutput { try print(bytes) }
            case .talk(let line): say(line)
            }
        }
    }

    /// Allows only warnings with `--quiet`.
    func mayTalk(_ line: [UInt8]) -> Bool { !quiet || line.starts(with: "vault: warning:".utf8) }

    /// Prints a part of an answer. A reader that takes nothing must not make Ctrl-C wait: while we write, it acts at
    /// once. A person who has left the pager wants no more.
    private mutating func print(_ payload: [UInt8]) throws(ClientFailure) {
        if isHolding {
            let goesOn = try paged!.write(payload)
            if !goesOn && !wasInterrupted {
                wasInterrupted = true
                try agent.cancel()
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
            // Of what is more than reading the end says first whether it was done.
            guard agent.effect != .nothing else { throw error }
            unprinted = (payload, error)
        }
    }

    /// Prints an answer to standard error when what it tells of was done and could not be printed: it must not look as
    /// if nothing had happened.
    private mutating func withoutOutput(_ outcome: Outcome) throws(ClientFailure) -> Outcome {
        guard let (bytes, failure) = unprinted else { return outcome }
        unprinted = nil
        guard [.ok, .doneWithLosses].contains(outcome.code) else { return outcome }
        let done = agent.effect == .change ? "the change was saved" : "the command was carried out"
        Streams.say("vault: warning: \(done); what could not be printed is:")
        Streams.writeAll(bytes.last == 0x0A ? bytes : bytes + [0x0A], to: Streams.talk)
        throw failure
    }

    /// Takes the pictures that came, to be drawn below the text: a pager may have the terminal until then.
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

    private mutating func waitForFrame(_ bar: inout ProgressBar) throws(ClientFailure) {
        var turns = 0
        while true {
            var waiting = pollfd(fd: agent.descriptor, events: Int16(POLLIN), revents: 0)
            let isReady = unsafe poll(&waiting, 1, 100) > 0
            let isEnding = endSignals >= 0 && vs_take_signal(endSignals) > 0
            if isEnding || (!isPaging && Interrupts.take() && !ignoresInterrupts) {
                bar.clear()
                // One that is stopped would never hear of it.
                guard !wasInterrupted, stoppedAgent == nil else { throw ClientFailure(.interrupted, "interrupted") }
                wasInterrupted = true
                try agent.cancel()
            }
            if isReady { return }
            turns += 1
            // A long request may be silent for long: only one that cannot go on is told of.
            if turns * 100 == Int(AgentProcess.silenceMilliseconds), !isPaging, let pid = stoppedAgent {
                bar.clear()
                AgentProcess.sayItIsSilent(pid)
            }
        }
    }

    /// Our agent's number while it is stopped. One that this process has started is seen as this process itself:
    /// nothing is known of it.
    private var stoppedAgent: pid_t? {
        AgentProcess.pid(of: agent.descriptor).flatMap { $0 != getpid() && AgentProcess.isStopped($0) ? $0 : nil }
    }
}

extension AgentProcess {
    /// Tells that it does not answer, and what can be done.
    static func sayItIsSilent(_ pid: pid_t) {
        if isStopped(pid) {
            Streams.say("vault: note: the agent (pid \(pid)) does not answer: it is stopped")
            Streams.say("vault: hint: kill -CONT \(pid) resumes it, vault lock ends it; Ctrl-C quits")
        } else {
            Streams.say("vault: note: the agent (pid \(pid)) has not answered for 2 s; it may be busy")
            Streams.say("vault: hint: wait, or quit with Ctrl-C; kill \(pid) ends it, and what was saved stays")
        }
    }
}
