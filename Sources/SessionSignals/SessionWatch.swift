// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `SessionWatch` hears from logind that the machine is about to sleep or to shut down, or that this user's session is
/// locked.
///
/// ```
///  connecting ──answer of GetNameOwner──▶ logind known ──answer of Inhibit──▶ sleep waits for us
///                                          │      ▲ NameOwnerChanged: logind was started again, inhibit again
///                                          └──────┘
///  Lock(session) ──Get User──▶ ours, no answer in a second, or an error: screenLock · another user's: nothing
/// ```
///
/// Nothing waits: `process` is called when the descriptor is ready or the time is over. Nothing from the bus is
/// believed beyond these events, and only from the connection that owns logind's name: any user of the machine may send
/// any signal straight to this one. A bus that goes away leaves a watch that hears nothing (descriptor -1), as on a
/// system without logind.
public final class SessionWatch {
    public enum Event: Sendable {
        case sleep
        case screenLock
        case shutdown
    }

    private var bus: BusConnection?
    /// Unique name of the connection that is logind now.
    private var logind: String?
    private var ownerCookie: UInt64 = 0
    private var inhibitorCookie: UInt64 = 0
    private var inhibitor: Int32 = -1
    private var wantsInhibitor = true
    private var questions = LockQuestions()

    /// Most steps in one turn: more would keep clients waiting on a flood of signals.
    private static let stepCountMax = 64

    /// Begins to connect to the system bus. Nil where there is none, as in most containers.
    public convenience init?() { self.init(address: BusAddress.ofThisProcess) }

    init?(address: String) {
        guard let bus = BusConnection(address: address) else { return nil }
        self.bus = bus
        // The bus keeps the order: by the time a signal can come, the answer that says who logind is has come.
        for rule in Logind.matches { bus.addMatch(rule) }
        guard let cookie = bus.ask(Logind.bus, Logind.busPath, Logind.bus, "GetNameOwner", [Logind.name]) else {
            return nil
        }
        ownerCookie = cookie
    }

    deinit { releaseInhibitor() }

    /// The descriptor for poll(2), which passes over -1.
    public var descriptor: Int32 { bus?.descriptor ?? -1 }
    public var events: Int16 { bus?.events ?? 0 }

    /// Seconds until `process` wants to be called even if the descriptor is not ready.
    public var secondsLeft: Double {
        guard let deadline = [bus?.deadline, questions.earliestDeadline].compactMap({ $0 }).min() else {
            return .infinity
        }
        let now = MonotonicClock.microseconds
        return deadline <= now ? 0 : Double(deadline - now) / 1e6
    }

    /// Whether the machine's sleep waits for this process.
    public var holdsInhibitor: Bool { inhibitor >= 0 }

    /// Lets the machine sleep. The end of the process does the same.
    public func releaseInhibitor() {
        wantsInhibitor = false
        if inhibitor >= 0 { close(inhibitor) }
        inhibitor = -1
    }

    /// Takes the steps that are due; returns at the first event.
    public func process() -> Event? {
        for _ in 0..<Self.stepCountMax {
            guard let bus else { break }
            switch bus.step() {
            case .message(let message):
                if let event = take(message) { return event }
            case .progress:
                continue
            case .idle:
                return eventOfSilence()
            case .lost:
                self.bus = nil
                logind = nil
                return eventOfSilence()
            }
        }
        return eventOfSilence()
    }

    /// Returns a lock for questions that were not answered in time: a `Lock` whose session's user is not known after a
    /// second, or cannot be any more, is taken for ours.
    private func eventOfSilence() -> Event? {
        guard questions.isOverdue(now: MonotonicClock.microseconds) || (bus == nil && !questions.isEmpty) else {
            return nil
        }
        questions.closeAll()
        return .screenLock
    }

    private func take(_ message: borrowing BusMessage) -> Event? {
        switch message.kind {
        case .signal: hear(message)
        case .reply, .failure: learn(message)
        case .other: nil
        }
    }

    private func hear(_ signal: borrowing BusMessage) -> Event? {
        guard let sender = signal.sender else { return nil }
        if sender == Logind.bus && signal.isSignal(Logind.bus, "NameOwnerChanged") {
            guard signal.readString() == Logind.name, signal.readString() != nil, let owner = signal.readString() else {
                return nil
            }
            meet(owner)
            return nil
        }
        guard sender == logind else { return nil }
        if signal.isSignal(Logind.manager, "PrepareForSleep") { return signal.readBoolean() == true ? .sleep : nil }
        if signal.isSignal(Logind.manager, "PrepareForShutdown") {
            return signal.readBoolean() == true ? .shutdown : nil
        }
        if signal.isSignal(Logind.session, "Lock"), let path = signal.path { return ask(about: path) }
        return nil
    }

    private func learn(_ answer: borrowing BusMessage) -> Event? {
        let cookie = answer.answered
        let sender = answer.sender
        if cookie == ownerCookie && sender == Logind.bus {
            if answer.kind == .reply, let owner = answer.readString() { meet(owner) }
        } else if cookie == inhibitorCookie && sender == logind {
            if answer.kind == .reply && wantsInhibitor { inhibitor = answer.readDescriptor() ?? -1 }
            inhibitorCookie = 0
        } else if questions.close(cookie) {
            let user = answer.kind == .reply && sender == logind ? answer.readUser() : nil
            return user == nil || user == getuid() ? .screenLock : nil
        }
        return nil
    }

    /// Takes the inhibitor of the connection that is logind from now on; the former one's is worth nothing. Empty for
    /// none.
    private func meet(_ owner: String) {
        guard owner != logind else { return }
        logind = owner.isEmpty ? nil : owner
        if inhibitor >= 0 { close(inhibitor) }
        inhibitor = -1
        inhibitorCookie = 0
        guard wantsInhibitor, let logind else { return }
        inhibitorCookie = bus?.ask(logind, Logind.path, Logind.manager, "Inhibit", Logind.inhibition) ?? 0
    }

    /// Asks whose session a `Lock` was for. It goes to all who listen, also for other users' sessions: a switch of
    /// users must not lock this vault.
    private func ask(about path: String) -> Event? {
        if questions.isAsked(about: path) { return nil }
        guard !questions.isFull, let logind,
            let cookie = bus?.ask(logind, path, Logind.properties, "Get", [Logind.session, "User"])
        else { return .screenLock }
        questions.add(cookie, about: path, now: MonotonicClock.microseconds)
        return nil
    }
}
