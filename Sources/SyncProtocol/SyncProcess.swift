// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import ExecArguments
internal import Glibc
public import SecretMemory
internal import Synchronization

/// `SyncProcess` is a running `vault-sync` from the agent's side: one remote. It never waits; a caller that polls looks
/// at `descriptor`.
///
/// What it answers is checked as a stranger's word would be: an answer to nothing, a size that was not asked for or a
/// descriptor ends it. It is killed when the value ends, and its credential with it.
public final class SyncProcess {
    /// `Failure` says why there are no more answers.
    public enum Failure: Error, Sendable, Equatable {
        /// It could not be started.
        case notStarted(errno: Int32)
        /// It ended: killed, refused to run unconfined, or lost.
        case ended
        /// It said what no program of ours says. Nothing that it says later is believed.
        case malformed
        /// It has `requestCountMax` requests that are not answered.
        case busy
    }

    /// `Event` is what `vault-sync` said.
    public enum Event: Sendable, Equatable {
        /// It is confined and takes requests.
        case ready
        /// A request was done; bytes that lie in its descriptor now, for a get and a list.
        case done(Ticket, byteCount: Int)
        case failed(Ticket, StoreFailure)
        /// Something on the remote may be new.
        case changed
        /// The remote's credential has changed: `takeCredential` gives it, once.
        case credential
    }

    /// Requests at once; four of them are under way, the others wait.
    public static let requestCountMax = 16

    private let pid: pid_t
    private let channel: SyncChannel
    private var isReady = false
    private var nextTicket: Ticket = 1
    /// Whether the next packet is a secret.
    private var isSecretNext = false
    private var credential: SecretBytes?
    /// The most bytes that each open request may give.
    private var open: [Ticket: Int] = [:]

    /// Starts the program and gives it its remote.
    ///
    /// - Parameters:
    ///   - program: its path; the caller has looked at who could have changed it.
    ///   - folder: a descriptor of the remote's folder, for a remote that is one.
    ///   - credential: as `StoreCredential` reads it; needed unless the remote is a folder.
    public init(
        program: String, _ order: StartOrder, folder: Int32? = nil, credential: borrowing SecretBytes
    ) throws(Failure) {
        precondition((order.settings == .folder) == (folder != nil), "a folder's remote comes with its descriptor")
        guard let (channel, end) = SyncChannel.pair() else { throw .notStarted(errno: errno) }
        self.channel = channel
        var child: pid_t = 0
        let started = unsafe CStrings.with(["vault-sync"]) { arguments in
            unsafe CStrings.with([]) { environment in
                unsafe vs_spawn_agent(program, arguments, environment, end, &child)
            }
        }
        let reason = errno
        close(end)
        pid = started == 0 ? child : 0
        guard started == 0 else { throw .notStarted(errno: reason) }
        do {
            try channel.send(SyncRequest.start(order).encoded, passing: folder)
            if folder == nil { try channel.send(secret: credential) }
        } catch { throw .ended }
    }

    deinit {
        guard pid > 0 else { return }
        kill(pid, SIGKILL)
        // One that hangs in a file system whose server is gone ends when the system lets it: nobody waits for that.
        Self.left.withLock { $0.append(pid) }
        Self.reap()
    }

    /// Killed, and not yet waited for.
    private static let left = Mutex<[pid_t]>([])
    private static let (lookCountMax, microsecondsBetweenLooks): (Int, useconds_t) = (20, 1000)

    /// Waits at most 20 ms for what was killed.
    private static func reap() {
        for look in 1...lookCountMax {
            let isAnyLeft = left.withLock { left in
                left.removeAll { pid in
                    var status: Int32 = 0
                    return unsafe waitpid(pid, &status, WNOHANG) != 0
                }
                return !left.isEmpty
            }
            guard isAnyLeft, look < lookCountMax else { return }
            usleep(microsecondsBetweenLooks)
        }
    }

    /// Readable when there is something to take with `events`.
    public var descriptor: Int32 { channel.descriptor }
    /// Its number in the system, for a look at it.
    public var processID: Int32 { pid }
    /// Requests that are not answered.
    public var openCount: Int { open.count }

    // MARK: The four verbs

    /// Reads a file into a descriptor, from its beginning on.
    ///
    /// Until the descriptor is closed on both sides the process could change what it wrote: read it once.
    ///
    /// - Parameter max: bytes, at most those of the name's area.
    public func get(_ name: StoreName, into descriptor: Int32, max: Int? = nil) throws(Failure) -> Ticket {
        let max = min(max ?? name.area.byteCountMax, name.area.byteCountMax)
        return try ask(max, descriptor) { .get($0, name, max: max) }
    }

    /// Stores what a regular file holds.
    ///
    /// - Parameter digest: its SHA-256, by which an S3 server checks what it got.
    public func put(_ name: StoreName, from descriptor: Int32, byteCount: Int, digest: [UInt8]) throws(Failure)
        -> Ticket
    {
        precondition(digest.count == 32, "a SHA-256 has 32 bytes")
        precondition((0...name.area.byteCountMax).contains(byteCount), "nothing of ours is larger than its area allows")
        return try ask(0, descriptor) { .put($0, name, byteCount: byteCount, digest: digest) }
    }

    /// Writes the names in a folder into a descriptor; `StoreListing.names` reads them.
    public func list(_ folder: StoreFolder, into descriptor: Int32) throws(Failure) -> Ticket {
        try ask(StoreListing.byteCountMax, descriptor) { .list($0, folder) }
    }

    public func delete(_ name: StoreName) throws(Failure) -> Ticket { try ask(0, nil) { .delete($0, name) } }

    /// Asks for `changed` events; `unsupported` where the remote has nothing of that kind.
    public func watch() throws(Failure) -> Ticket { try ask(0, nil) { .watch($0) } }

    private func ask(_ max: Int, _ descriptor: Int32?, _ request: (Ticket) -> SyncRequest) throws(Failure) -> Ticket {
        guard open.count < Self.requestCountMax else { throw .busy }
        let ticket = nextTicket
        nextTicket &+= 1
        do { try channel.send(request(ticket).encoded, passing: descriptor) } catch { throw .ended }
        open[ticket] = max
        return ticket
    }

    // MARK: Answers

    /// Returns what it has said since the last call.
    ///
    /// - Throws: `ended` or `malformed`; it is then of no further use.
    public func events() throws(Failure) -> [Event] {
        var events: [Event] = []
        do throws(SyncChannel.Failure) {
            while events.count < 2 * Self.requestCountMax {
                if isSecretNext {
                    guard let secret = try channel.receiveSecret(max: StoreCredential.byteCountMax) else { break }
                    isSecretNext = false
                    credential = consume secret
                    events.append(.credential)
                }
                guard let packet = try channel.receive() else { break }
                if packet.file == nil, (try? SyncAnswer(parsing: packet.bytes)) == .credential {
                    guard isReady else { throw SyncChannel.Failure.malformed }
                    isSecretNext = true
                    continue
                }
                guard packet.file == nil, let answer = try? SyncAnswer(parsing: packet.bytes) else {
                    throw SyncChannel.Failure.malformed
                }
                events.append(try taken(answer))
            }
        } catch {
            // What was answered before the end still counts; the next call says the rest.
            guard events.isEmpty || error == .malformed else { return events }
            throw error == .malformed ? .malformed : .ended
        }
        return events
    }

    /// Returns the remote's new credential, after the event that says so.
    public func takeCredential() -> SecretBytes? {
        let taken = credential.take()
        return taken
    }

    private func taken(_ answer: SyncAnswer) throws(SyncChannel.Failure) -> Event {
        switch answer {
        case .ready:
            guard !isReady else { throw .malformed }
            isReady = true
            return .ready
        case .done(let ticket, let byteCount):
            guard isReady, let max = open.removeValue(forKey: ticket), byteCount <= max else { throw .malformed }
            return .done(ticket, byteCount: byteCount)
        case .failed(let ticket, let failure):
            guard isReady, open.removeValue(forKey: ticket) != nil else { throw .malformed }
            return .failed(ticket, failure)
        case .changed:
            guard isReady else { throw .malformed }
            return .changed
        // It was looked at before: a secret follows it.
        case .credential: throw .malformed
        }
    }
}
