// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import WebProtocol

/// `Site` holds what all connections of a server share.
final class Site: Sendable {
    let start: WebStart
    let rules: RequestRules
    /// Of every answer.
    let fields: [(String, String)]
    let session: WebSession
    let agents: AgentPool
    let edits: EditLines
    let recordings = Recordings()
    let supervisor: Supervisor
    private let workers: NIOThreadPool
    private let uploadCount = NIOLockedValueBox(0)
    let streamCount = NIOLockedValueBox(0)
    /// How the last export ended.
    let exportEnd = NIOLockedValueBox<Int32>(0)
    /// Somebody signs in to a remote.
    let signIn = NIOLockedValueBox<SignIn?>(nil)
    let rcloneSignIn: RcloneSignIn
    private let isDictating = NIOLockedValueBox(false)
    private let bookQuestionCount = NIOLockedValueBox(0)
    /// How often a page has come or gone.
    let streamChanges = NIOLockedValueBox(0)
    /// Wakes `waitForEnd`.
    private let wake: (reading: Int32, writing: Int32)

    static let uploadCountMax = 2
    static let eventStreamCountMax = 8
    /// Seconds until the server ends in any case.
    static let secondsMax = 8.0 * 3600

    init?(_ start: WebStart, _ supervisor: Supervisor, _ workers: NIOThreadPool) {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else { return nil }
        wake = (ends[0], ends[1])
        self.start = start
        rules = RequestRules(host: start.host, origin: start.origin)
        fields = Answer.standardFields(start.origin)
        session = WebSession(token: start.token)
        agents = AgentPool(start, supervisor)
        edits = EditLines(start, supervisor)
        rcloneSignIn = RcloneSignIn(supervisor)
        (self.supervisor, self.workers) = (supervisor, workers)
    }

    /// Returns whether a request is of the session. A cookie of a number would go to every server of this machine, and
    /// theirs would come here: there a field has the key.
    func knows(_ request: HTTPRequestHead) -> Bool {
        start.isNumeric
            ? session.knows(fields: request.headers[WebSession.fieldName])
            : session.knows(request.headers["cookie"].first)
    }

    /// Has a worker do what a route says, and write the answer.
    func perform(_ route: Route, _ exchange: Exchange) {
        let channel = exchange.channel
        let keepsAlive = exchange.keepsAlive
        let work = workers.runIfActive(eventLoop: channel.eventLoop) {
            let answer: Answer
            do throws(ClientFailure) { answer = try route.run(self, exchange) } catch {
                answer = Answer.failure(error.outcome)
            }
            exchange.wipe()
            // An answer that came early: what is left of the body goes nowhere.
            if let upload = exchange.upload { while upload.next() != nil {} }
            exchange.upload = nil
            answer.write(to: channel, for: self, keepsAlive: keepsAlive).whenComplete { _ in
                if !keepsAlive { channel.close(promise: nil) }
            }
        }
        work.whenFailure { _ in channel.close(promise: nil) }
    }

    /// Returns what a large body goes through; nil when there are enough already.
    func beginUpload(_ channel: any NIOCore.Channel, _ byteCount: UInt64) -> Upload? {
        let isRoom = uploadCount.withLockedValue { count in
            guard count < Self.uploadCountMax else { return false }
            count += 1
            return true
        }
        guard isRoom else { return nil }
        return Upload(channel, byteCount) { [uploadCount] in uploadCount.withLockedValue { $0 -= 1 } }
    }

    /// Begins to have a clip written down; false while another one is.
    func beginDictation() -> Bool {
        isDictating.withLockedValue { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
    }

    func forgetSignIn() {
        signIn.withLockedValue { $0 = nil }
        rcloneSignIn.end()
    }

    func endDictation() { isDictating.withLockedValue { $0 = false } }

    /// Begins to ask book services; false while they are asked often enough.
    func beginBookQuestion() -> Bool {
        bookQuestionCount.withLockedValue { count in
            guard count < BookServiceRoutes.countMax else { return false }
            count += 1
            return true
        }
    }

    func endBookQuestion() { bookQuestionCount.withLockedValue { $0 -= 1 } }

    /// Attaches recordings whose pages have gone, as long as there are any.
    func watchRecordings(_ loop: any NIOCore.EventLoop) {
        loop.scheduleTask(in: .seconds(2)) { [self] in
            workers.runIfActive(eventLoop: loop) { self.recordings.finishSilent() }.whenSuccess { areMore in
                if areMore { self.watchRecordings(loop) }
            }
        }
    }

    /// Ends the server once the answers that are on the way are out.
    func finish() {
        let byte: [UInt8] = [0]
        _ = unsafe write(wake.writing, byte, 1)
    }

    /// Waits for `finish`, for `vault`'s end, or until the time is over.
    func waitForEnd() {
        let began = BootTime.seconds
        while BootTime.seconds - began < Self.secondsMax {
            var waiting = [
                pollfd(fd: supervisor.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
            ]
            unsafe poll(&waiting, 2, 600_000)
            if waiting[1].revents != 0 { return }
            guard waiting[0].revents != 0 else { continue }
            guard let tokens = supervisor.news() else { return }
            for token in tokens { session.renew(token) }
        }
    }
}

/// `BootTime` reads the clock that goes on while the machine sleeps.
enum BootTime {
    static var seconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
