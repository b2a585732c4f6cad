// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import SessionSignals
internal import VaultCore

/// `AgentServer` is the agent's loop: one thread, poll(2), long requests in steps. It ends when the vault locks or the
/// last reason to stay is gone.
public final class AgentServer {
    private let session = Session()
    private let handler: RequestHandler
    private var connections: [Connection] = []
    private var socket: AgentSocket?
    private let signals: Int32
    /// Hears of sleep, shutdown and screen lock while a vault is open; nil where there is no system bus.
    private var watch: SessionWatch?
    private var mustEnd = false
    private var closedProperly = true
    private var nextProgress = 0.0
    private var nextLook = 0.0
    /// Of all clients together, as far as it is known in this turn.
    private var heldByteCount = 0
    /// Most clients at once; others wait in the socket's queue.
    private static let connectionCountMax = 256
    /// Places beyond that for those who come when nobody can go: `lock` gets in.
    private static let newcomerCountMax = 8
    /// Seconds between looks whether clients that wait for others still must.
    private static let lookSeconds = 0.25
    /// Seconds after which a client is disconnected that keeps others waiting in the middle of a large frame and sends
    /// nothing.
    private static let holdUpSecondsMax = 2.0
    /// Clients that are taken in one turn, so that each of them is heard before the next ones come.
    private static let acceptCountMax = 16
    /// Seconds within which a frame must be whole; else its connection ends.
    private static let frameSecondsMax = 30.0
    /// Parts of frames that are kept for all clients together, in bytes; beyond that one large frame arrives at a time.
    private static let heldByteCountMax = 32 << 20
    /// Seconds after a client's word before words are indexed: a command asks several things in a row.
    private static let restSeconds = 0.05
    /// Seconds between two manifests while there are writes.
    private static let progressSeconds = 3.0

    /// Makes the loop, with its signals and its first connection.
    ///
    /// - Parameter channel: the socket that the agent was started with.
    public init(channel: Int32) {
        handler = RequestHandler(session)
        signals = vs_signal_descriptor()
        connections = [Connection(taking: channel)]
        session.others = { [unowned self] asking in connections.filter { $0 !== asking } }
    }

    /// Runs until the vault is locked, the starting client has gone, or a signal says so. Returns whether the vault was
    /// closed properly.
    public func run() -> Bool {
        while !mustEnd && (socket != nil || !connections.isEmpty) {
            holdBack()
            wait()
            endOnSignal()
            BackgroundWake.quiet()
            session.forgetUnused(now: BootClock.seconds)
            connections.forEach { $0.forgetOldKeys() }
            if watch?.process() != nil { lock() }
            // After a repair that failed there may be no vault to serve.
            let hasNothing = socket != nil && session.isEmpty
            if session.isOver || hasNothing || socket.map({ !$0.isStillThere }) == true { lock() }
            if mustEnd { break }
            acceptClients()
            for connection in connections where !mustEnd && !handler.wantsLock { serve(connection) }
            tellWatchers()
            if handler.wantsLock { lock() }
            forget()
            if session.continueRotation() { handler.noteWrites() }
            if session.syncing.step() { handler.noteWrites() }
            session.removeWords(whileIdle: !connections.contains { $0.isAtWork })
            if session.hasWordsToIndex, isIdle, restLeft <= 0 {
                session.indexWords()
                handler.noteWrites()
            }
            session.chainReading.step(whileIdle: !connections.contains { $0.isAtWork })
            listenIfAsked()
            recordProgress()
            keepPlace()
            removeEnded()
        }
        lock()
        return closedProperly
    }

    /// Ends what works on notes that were locked in this turn, and overwrites what was left of them: short texts lie on
    /// the stack itself.
    private func forget() {
        guard let notes = session.store?.privateNotes.takeForgotten(), !notes.isEmpty else { return }
        for connection in connections { handler.forget(notes, on: connection) }
        vs_wipe_stack()
    }

    /// Closes the vault. The process ends with it, unless an editor is still open: its text goes on being kept, under a
    /// key of its own.
    private func lock() {
        socket = nil
        handler.lockIsDone()
        connections.keepRecordings(seconds: 2)
        connections.forEach { handler.endWork(of: $0, closes: true) }
        var failure: VaultError?
        do throws(VaultError) { try session.close() } catch {
            failure = error
            closedProperly = false
        }
        // The keys are gone: the machine may sleep, whatever else is still to be done.
        watch = nil
        sayGoodbye(failure)
        connections.removeAll { $0.edit == nil }
        if connections.isEmpty { mustEnd = true }
    }

    private func removeEnded() {
        connections.removeAll { connection in
            let isOver = connection.isBroken || (connection.closesAfterSending && connection.queuedByteCount == 0)
            if isOver { handler.disconnected(connection) }
            return isOver
        }
    }

    /// Answers the clients that asked to lock, when the keys are gone and the next unlock finds everything in order.
    private func sayGoodbye(_ failure: VaultError?) {
        for connection in connections {
            if connection.awaitsLock { connection.end(failure?.outcome ?? Outcome(.ok)) }
            connection.flush()
        }
    }

    /// Lets one client go on at a time beyond a limit of memory: many that each announce the largest frame must not
    /// take the memory of all.
    private func holdBack() {
        heldByteCount = connections.reduce(0) { $0 + $1.heldByteCount }
        guard heldByteCount > Self.heldByteCountMax else {
            for connection in connections where connection.isHeldBack { connection.isHeldBack = false }
            return
        }
        let now = BootClock.seconds
        let first = connections.filter { $0.isInMidFrame && !$0.closesAfterSending && $0.heldByteCount > 0 }.min {
            $0.frameBegan < $1.frameBegan
        }
        if let first, now - first.lastActive > Self.holdUpSecondsMax { first.closesAfterSending = true }
        for connection in connections {
            connection.isHeldBack = connection !== first && connection.isInMidFrame && connection.heldByteCount > 0
        }
    }

    private func wait() {
        var descriptors = connections.map { connection in
            let takes = connection.mayReceive ? POLLIN : 0
            // Of one that is held back nothing is asked: that its peer has gone would wake us again and again.
            let isAsked = !connection.isHeldBack || connection.queuedByteCount > 0
            return pollfd(
                fd: isAsked ? connection.descriptor : -1,
                events: Int16(takes | (connection.queuedByteCount > 0 ? POLLOUT : 0)), revents: 0)
        }
        descriptors.append(pollfd(fd: signals, events: Int16(POLLIN), revents: 0))
        descriptors.append(pollfd(fd: BackgroundWake.descriptor, events: Int16(POLLIN), revents: 0))
        // With all places taken by clients that are at work, those in the queue wait for a moment.
        if let socket, connections.count < Self.connectionCountMax + Self.newcomerCountMax || isSomebodyIdle {
            descriptors.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0))
        }
        if let watch { descriptors.append(pollfd(fd: watch.descriptor, events: watch.events, revents: 0)) }
        for remote in session.syncing.descriptors {
            descriptors.append(pollfd(fd: remote, events: Int16(POLLIN), revents: 0))
        }
        unsafe poll(&descriptors, nfds_t(descriptors.count), timeout())
    }

    /// Whether nobody waits for anything, remotes included.
    private var isIdle: Bool {
        !session.syncing.hasWork && !connections.contains { $0.isAtWork || $0.importSession != nil }
    }

    /// The seconds until words may be indexed, as far as clients are concerned; negative when that is now.
    private var restLeft: Double {
        (connections.map(\.lastActive).max() ?? 0) + Self.restSeconds - BootClock.seconds
    }

    private var isSomebodyIdle: Bool {
        let now = BootClock.seconds
        return connections.contains { $0.mayMakeWay(now: now, inNeed: true) }
    }

    /// Returns the milliseconds until something must be done without being asked.
    private func timeout() -> Int32 {
        let now = BootClock.seconds
        for connection in connections where connection.job?.isWaiting == false {
            if connection.queuedByteCount < Connection.queuedByteCountMax { return 0 }
        }
        var seconds = 60.0
        if session.rotationHasWork || session.syncing.hasWork { return 0 }
        if let left = session.syncing.secondsLeft(now: now) { seconds = min(seconds, left) }
        if session.hasWordsToRemove && !connections.contains(where: \.isAtWork) { return 0 }
        if session.hasWordsToIndex && isIdle { seconds = min(seconds, max(0, restLeft)) }
        if session.chainReading.hasWork && !connections.contains(where: \.isAtWork) { return 0 }
        if let left = session.secondsToForget(now: now) { seconds = min(seconds, left) }
        if let left = connections.compactMap(\.pendingSecondsLeft).min() { seconds = min(seconds, left) }
        if let timer = session.timer { seconds = min(seconds, timer.remaining(now: now)) }
        if handler.hasUnrecordedWrites { seconds = min(seconds, max(0, nextProgress - now)) }
        if connections.contains(where: { $0.isInMidFrame }) { seconds = min(seconds, Self.frameSecondsMax) }
        if let watch { seconds = min(seconds, watch.secondsLeft) }
        if session.store != nil { seconds = min(seconds, max(0, nextLook - now)) }
        if connections.count >= Self.connectionCountMax || connections.contains(where: \.isHeldBack) {
            seconds = min(seconds, Self.lookSeconds)
        }
        return Int32((seconds * 1000).rounded(.up))
    }

    private func endOnSignal() {
        var buffer = [UInt8](repeating: 0, count: 128)
        let got = unsafe buffer.withUnsafeMutableBytes { unsafe read(signals, $0.baseAddress!, $0.count) }
        if got > 0 { mustEnd = true }
    }

    /// Accepts new clients. However many connections somebody opens, those that say something are served: a new one
    /// gets the place of one that is idle, or waits.
    private func acceptClients() {
        for _ in 0..<Self.acceptCountMax {
            let isFull = connections.count >= Self.connectionCountMax + Self.newcomerCountMax
            guard !isFull || isSomebodyIdle, let client = socket?.accept() else { return }
            if connections.count >= Self.connectionCountMax { dropIdle(inNeed: isFull) }
            connections.append(client)
        }
    }

    /// Drops the client that has done nothing for longest: clients that do nothing must not keep `lock` out.
    private func dropIdle(inNeed: Bool) {
        let now = BootClock.seconds
        let idle = connections.indices.filter { connections[$0].mayMakeWay(now: now, inNeed: inNeed) }.min {
            connections[$0].lastActive < connections[$1].lastActive
        }
        if let idle { handler.disconnected(connections.remove(at: idle)) }
    }

    /// Serves one frame in a turn, so that no client, however many requests it sends ahead, keeps others, the timers or
    /// a signal waiting.
    private func serve(_ connection: Connection) {
        connection.flush()
        let held = connection.heldByteCount
        if connection.mayReceive, let frame = connection.receive(sparingly: heldByteCount > Self.heldByteCountMax) {
            handler.handle(frame, from: connection)
        }
        heldByteCount += connection.heldByteCount - held
        if connection.isInMidFrame && !connection.isHeldBack
            && BootClock.seconds - connection.frameBegan > Self.frameSecondsMax
        {
            connection.closesAfterSending = true
        }
        handler.continueJob(of: connection)
        connection.flush()
        // Whoever asks in the same turn hears of the draft that a client left.
        if connection.isBroken { handler.disconnected(connection) }
    }

    /// Tells watchers in this turn what was written in it: the loop may sleep for long then.
    private func tellWatchers() {
        for connection in connections where connection.job?.isWatching == true {
            handler.continueJob(of: connection)
            connection.flush()
        }
    }

    private func listenIfAsked() {
        guard socket == nil, let vaultID = session.vaultIDToServe else { return }
        socket = AgentSocket(vaultID: vaultID)
        if socket == nil { mustEnd = true }
        for connection in connections {
            handler.reportListening(socket != nil, to: connection)
            connection.flush()
        }
        // Only now: who unlocked does not wait for a library to load.
        if socket != nil && session.store != nil { watch = SessionWatch() }
    }

    /// Looks at the vault's files now and then, also while nobody asks for anything.
    private func keepPlace() {
        let now = BootClock.seconds
        guard let store = session.store, now >= nextLook else { return }
        // The first one is due after the opening.
        if nextLook > 0 { store.keepPlace() }
        nextLook = now + store.secondsBetweenLooks
    }

    private func recordProgress() {
        guard handler.hasUnrecordedWrites else { return }
        let now = BootClock.seconds
        if nextProgress == 0 { nextProgress = now + Self.progressSeconds }
        guard now >= nextProgress else { return }
        handler.recordProgress()
        nextProgress = 0
    }
}
