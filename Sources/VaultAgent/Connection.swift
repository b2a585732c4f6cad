// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import SecretMemory

/// `Connection` is one client's socket: whole frames in, queued bytes out, never blocking.
final class Connection {
    let descriptor: Int32
    /// Set once the peer's first frame was a hello of our version.
    var isGreeted = false
    /// A request that waits for the secret in the next frame.
    var awaitsSecret: (any Handled)?
    /// What a code for signing in, which this client is about to give, is good for together with.
    var signIn: SignInVerifier?
    /// New keys that this client was shown and is to type back.
    var pendingKeys: PendingKeys? {
        didSet { pendingSince = BootClock.seconds }
    }
    private var pendingSince = 0.0
    /// The client means a copy of the vault that is open, not the one that is.
    var meansAnotherCopy = false
    /// Asked to lock: hears the end when the vault is closed.
    var awaitsLock = false
    /// A long request that is served step by step.
    var job: (any Job)? {
        didSet { lastActive = BootClock.seconds }
    }
    /// Whether a long request is under way that does something.
    var isAtWork: Bool { job.map { !$0.isWatching } ?? false }
    var importSession: ImportSession?
    /// The edit that runs in this client's editor.
    var edit: RunningEdit?
    /// Whether a request may be on the way, which nothing here knows of yet.
    var mayHaveAsked: Bool {
        isGreeted && !awaitsLock && job == nil && edit == nil && importSession == nil && attaching == nil
    }
    var client = ClientTraits()
    /// Remembers what this client's terminal was shown of an open vault.
    var handles: NoteHandles?
    /// How many entries there were when this client was last asked whether to undo.
    var undoSeen: UInt64?
    /// Attachments that were put and wait for `commit`; they go with the connection.
    var attaching: AttachSession?
    /// How many transactions there were before the request at hand, if it may add to them.
    var transactionsBefore: UInt64?
    /// The descriptor of the request at hand, for the operation that serves it.
    var handedOver: PassedDescriptor?
    private var passed: PassedDescriptor?
    /// Close when everything is sent.
    var closesAfterSending = false
    private(set) var isBroken = false

    private var prefix: [UInt8] = []
    private var payload: [UInt8] = []
    private var secret = SecretBytes(zeroes: 0)
    private var received = 0
    private var expected: (kind: FrameKind, byteCount: Int)?
    private var outgoing: [UInt8] = []
    private var sent = 0
    private(set) var frameBegan = 0.0
    /// When bytes came from the peer last, or went to it, or a long request of its ended.
    private(set) var lastActive = BootClock.seconds
    /// Of the request that waits for its secret, in bytes.
    private var awaitedByteCount = 0

    /// Reads in one turn, each of at most 256 KiB.
    private static let readCountMax = 4
    /// Most bytes that are queued while a job goes on: a slow reader must not fill our memory.
    static let queuedByteCountMax = 512 * 1024

    /// Seconds until keys that nobody types back are forgotten; nil when there are none.
    var pendingSecondsLeft: Double? {
        pendingKeys == nil ? nil : max(0, pendingSince + PendingKeys.secondsMax - BootClock.seconds)
    }

    func forgetOldKeys() { if pendingSecondsLeft == 0 { pendingKeys = nil } }

    /// Seconds after which a client gives its place to another when there are too many: one that has not greeted, one
    /// that has and does nothing, and that one too when nobody else can go.
    private static let silentSecondsMax = 1.0
    private static let idleSecondsMax = 5.0
    private static let idleSecondsInNeed = 0.25
    /// The same for one that is in the middle of something that it does not go on with.
    private static let stalledSecondsMax = 30.0

    /// Returns whether this client has been idle for so long that another may have its place. One that edits, waits for
    /// an answer, types a key back, or sends files may be silent for long, and stays connected.
    ///
    /// - Parameter inNeed: there is no place left at all.
    func mayMakeWay(now: Double, inNeed: Bool) -> Bool {
        guard !isAtWork && edit == nil && pendingKeys == nil && importSession == nil && attaching == nil else {
            return false
        }
        let isStalled = isInMidFrame || awaitsSecret != nil || queuedByteCount > 0
        let idle = inNeed ? Self.idleSecondsInNeed : isGreeted ? Self.idleSecondsMax : Self.silentSecondsMax
        guard now - lastActive > (isStalled && isGreeted ? Self.stalledSecondsMax : idle) else { return false }
        // What lies unread in the socket was said, and was not heard yet.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, 0) == 0
    }

    enum Incoming: ~Copyable {
        case frame(FrameKind, [UInt8])
        case secret(SecretBytes)
    }

    init(taking descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Stop reading from a client that does not drain its answers.
    var mayReceive: Bool { !closesAfterSending && !isHeldBack && queuedByteCount < Self.queuedByteCountMax }
    /// Whether the rest of its frame waits in its socket, because others are in the middle of large frames already.
    var isHeldBack = false {
        didSet {
            // While it had to wait its frame did not get older.
            if oldValue && !isHeldBack { frameBegan = BootClock.seconds }
        }
    }
    /// What has arrived of a frame that is not whole, or of a request whose secret has not come, in bytes.
    var heldByteCount: Int { payload.count + (awaitsSecret == nil ? 0 : awaitedByteCount) }
    var queuedByteCount: Int { outgoing.count - sent }
    /// Whether a frame has begun and is not whole.
    var isInMidFrame: Bool { expected != nil || !prefix.isEmpty }

    // MARK: Reading

    /// Returns the next whole frame, or nil when there is none yet. A frame that cannot be breaks the connection.
    ///
    /// - Parameter sparingly: one small read only, while others are in the middle of large frames.
    func receive(sparingly: Bool = false) -> Incoming? {
        // Not more in one turn: who sends without end would keep the others waiting.
        for _ in 0..<(sparingly ? 2 : Self.readCountMax) where !isBroken {
            if let expected, received == expected.byteCount { break }
            guard readMore(sparingly ? 16 * 1024 : 256 * 1024) else { break }
        }
        guard !isBroken, let expected, received == expected.byteCount else { return nil }
        return take(expected.kind)
    }

    private func take(_ kind: FrameKind) -> Incoming {
        awaitedByteCount = payload.count
        defer {
            expected = nil
            prefix = []
            payload = []
            received = 0
        }
        guard kind == .secret else { return .frame(kind, payload) }
        let whole = secret.duplicate()
        secret = SecretBytes(zeroes: 0)
        return .secret(whole)
    }

    /// Reads what is there; false when nothing is.
    private func readMore(_ byteCountMax: Int) -> Bool {
        guard let expected else { return readPrefix() }
        // A secret goes straight into locked memory; anything else grows as it arrives, not as its length announces.
        let step = min(expected.byteCount - received, byteCountMax)
        var got = -1
        var failure: Int32 = 0
        if expected.kind == .secret {
            let from = received
            got = unsafe secret.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress! + from, step) }
        } else {
            payload += unsafe [UInt8](unsafeUninitializedCapacity: step) { part, count in
                got = unsafe Glibc.read(descriptor, part.baseAddress!, step)
                failure = errno
                count = max(got, 0)
            }
        }
        if expected.kind == .secret { failure = errno }
        return account(got, failure)
    }

    private func readPrefix() -> Bool {
        var part = [UInt8](repeating: 0, count: Frame.prefixByteCount - prefix.count)
        let wasEmpty = prefix.isEmpty
        var descriptors: [Int32] = [-1, -1]
        var count: Int32 = 0
        // Anywhere but before a frame read(2) takes the bytes, and the kernel closes what came with them.
        let got = unsafe part.withUnsafeMutableBytes {
            unsafe vs_receive_with_descriptors(self.descriptor, $0.baseAddress!, $0.count, &descriptors, &count)
        }
        let failure = errno
        for passed in descriptors.prefix(Int(count)) { arrived(passed, isInOrder: wasEmpty && count == 1) }
        guard account(got, failure, counting: false) else { return false }
        // When something has come, not when somebody looked.
        if wasEmpty { frameBegan = lastActive }
        prefix += part[0..<got]
        guard prefix.count == Frame.prefixByteCount else { return true }
        guard let parsed = Frame.parsePrefix(prefix) else {
            isBroken = true
            return false
        }
        expected = parsed
        received = 0
        if parsed.kind == .secret { secret = SecretBytes(zeroes: parsed.byteCount) }
        return true
    }

    /// Takes a descriptor that came with a frame, at its beginning; anything else is no client of ours.
    private func arrived(_ descriptor: Int32, isInOrder: Bool) {
        let taken = PassedDescriptor(taking: descriptor)
        guard isInOrder else {
            isBroken = true
            return
        }
        passed = taken
    }

    /// Returns the descriptor that came with the request; it is closed with the value.
    func takePassed() -> PassedDescriptor? {
        defer { passed = nil }
        return passed
    }

    private func account(_ got: Int, _ failure: Int32, counting: Bool = true) -> Bool {
        if got > 0 {
            lastActive = BootClock.seconds
            if counting { received += got }
            return true
        }
        if got < 0 && (failure == EAGAIN || failure == EINTR) { return false }
        isBroken = true
        return false
    }

    // MARK: Writing

    func send(_ kind: FrameKind, _ payload: [UInt8]) {
        outgoing += Frame.prefix(kind, byteCount: payload.count)
        outgoing += payload
    }

    /// Sends a secret at once and from where it lies: it is never queued. Only for the connection that made it.
    func send(secret: borrowing SecretBytes) {
        flush()
        outgoing += Frame.prefix(.secret, byteCount: secret.byteCount)
        flush()
        unsafe secret.withUnsafeBytes { raw in
            // The socket's buffer is far larger than a secret: it takes all of it or the peer has gone.
            let put = unsafe Glibc.send(descriptor, raw.baseAddress!, raw.count, Int32(MSG_NOSIGNAL))
            if put != raw.count { isBroken = true }
        }
    }

    /// Drops the bytes that were sent: a reader that never takes all of it must not make us keep what it took.
    private func forgetSent() {
        guard sent > Self.queuedByteCountMax else { return }
        outgoing.removeFirst(sent)
        sent = 0
    }

    /// Writes what the socket takes.
    func flush() {
        while sent < outgoing.count {
            let from = sent
            let put = unsafe outgoing.withUnsafeBytes { raw in
                unsafe Glibc.send(descriptor, raw.baseAddress! + from, raw.count - from, Int32(MSG_NOSIGNAL))
            }
            if put < 0 && errno == EINTR { continue }
            if put < 0 && errno == EAGAIN { return forgetSent() }
            guard put > 0 else {
                isBroken = true
                return
            }
            sent += put
            lastActive = BootClock.seconds
        }
        outgoing.removeAll(keepingCapacity: outgoing.capacity <= Self.queuedByteCountMax)
        sent = 0
    }
}
