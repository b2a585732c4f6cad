// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SecretMemory
internal import SyncProtocol

/// `RcloneSession` makes requests to rclone's remote control: gives it the remote first, and asks now and then what has
/// become of that.
///
/// An idle rclone takes 64 MB for nothing: where nothing was asked for a while this process is over, and is started
/// again when it is needed.
final class RcloneSession {
    /// `Request` is one request of the remote control.
    enum Request {
        /// JSON, answered by JSON.
        case ask(String, String)
        case get(String, into: PassedFile, max: Int)
        case upload(String, PassedFile, byteCount: Int, name: String)
    }

    /// `Answer` is how a request ended.
    struct Answer {
        let failure: StoreFailure?
        let json: JSONAnswer?
        let byteCount: Int
    }

    private struct Call {
        let request: Request
        let seconds: Int
        let done: (Answer) -> Void
    }

    private enum State { case new, configuring, ready, failed(StoreFailure) }

    private let loop: TransferLoop
    private let folder: RcloneFolder
    private let limits: StoreLimits
    private var state = State.new
    private var waiting: [Call] = []
    private var runningCount = 0
    private var lastUse = now
    /// What rclone had of the remote when it was looked at last.
    private var known: SecretBytes?
    private(set) var isOver = false
    /// Told when what opens the remote is another one.
    var whenCredential: (borrowing StoreCredential) -> Void = { _ in }

    private static let answerByteCountMax = 16 << 20
    private static let secondsIdleMax = 45
    private static let secondsBeforeLook = 10
    /// The first version that mends what let a listing or a server reach beyond the remote (docs/decisions/0069).
    private static let oldest = [1, 75, 1]

    init(_ loop: TransferLoop, _ folder: RcloneFolder, _ limits: StoreLimits) {
        (self.loop, self.folder, self.limits) = (loop, folder, limits)
    }

    func call(_ request: Request, seconds: Int, _ done: @escaping (Answer) -> Void) {
        let call = Call(request: request, seconds: seconds, done: done)
        switch state {
        case .ready: begin(call)
        case .failed(let failure): done(Answer(failure: failure, json: nil, byteCount: 0))
        case .configuring: waiting.append(call)
        case .new:
            waiting.append(call)
            configure()
        }
    }

    // MARK: Requests

    private static let address = "http://rclone"

    private func begin(_ call: Call) {
        runningCount += 1
        let text = Transfer.ShortText(max: Self.answerByteCountMax)
        let sink: Transfer.Sink
        var (method, path): (String?, String)
        switch call.request {
        case .ask(let asked, _): (method, path, sink) = ("POST", asked, .text(text))
        case .get(let asked, let file, let max): (method, path, sink) = (nil, asked, .file(file, max: max))
        case .upload(let asked, _, _, _): (method, path, sink) = ("POST", asked, .text(text))
        }
        loop.begin(method, Self.address + path, .nobody, sink, seconds: call.seconds) { transfer in
            transfer.keepRefusal()
            // rclone has deadlines of its own towards the store.
            transfer.mayBeSilent()
            switch call.request {
            case .ask(_, let argument):
                transfer.add(header: "Content-Type: application/json")
                transfer.send(argument)
            case .get: break
            case .upload(_, let file, let byteCount, let name):
                transfer.uploadForm(file, byteCount: byteCount, name: name)
            }
        } _: { [self] answer in
            runningCount -= 1
            lastUse = Self.now
            // The first request may have renewed a token; others do later.
            if Self.now - lastLook >= Self.secondsBeforeLook || !hasLookedAfterUse {
                hasLookedAfterUse = true
                look {}
            }
            call.done(
                Answer(
                    failure: answer.failure.map { RcloneRefusal.failure(answer, else: $0) },
                    json: answer.failure == nil ? JSONAnswer(text.bytes, valueCountMax: 600_000) : nil,
                    byteCount: answer.byteCount))
            if answer.status == 0, answer.failure?.code != .timedOut { end(StoreFailure(.noProgram)) }
        }
    }

    // MARK: The remote's configuration

    /// Gives rclone the remote. Its own file of remotes is never read and never written.
    private func configure() {
        state = .configuring
        var body = SecretText(capacity: StoreCredential.byteCountMax + 512)
        // As a remote of another type, whose members name the real one: to make one of some types asks their service,
        // which would send a code to somebody's telephone.
        body.append(
            #"{"name":"\#(RcloneFolder.remote)","type":"memory","parameters":{\#(Self.more(of: folder.backend))"#)
        let isWhole = unsafe loop.withCredential { _, secret in
            let given = unsafe UnsafeRawBufferPointer(start: secret, count: strlen(secret))
            guard unsafe given.first == UInt8(ascii: "{") else { return false }
            return unsafe body.append(raw: UnsafeRawBufferPointer(rebasing: given.dropFirst()))
        }
        // What it was given has its passwords as rclone writes them.
        body.append(#","opt":{"nonInteractive":true,"noObscure":true}}"#)
        guard isWhole else { return end(StoreFailure(.signedOut)) }
        let form = body.taken()
        loop.begin(
            "POST", Self.address + "/config/create", .nobody, .none, seconds: limits.seconds(byteCount: 0)
        ) { transfer in
            // What rclone says of a refusal repeats all that it was given: it is not kept.
            transfer.keepHeader("server")
            transfer.add(header: "Content-Type: application/json")
            transfer.send(secret: form)
        } _: { [self] answer in
            guard answer.failure == nil else {
                let isGone = answer.status == 0 && answer.failure?.code != .timedOut
                return end(
                    isGone
                        ? StoreFailure(.noProgram)
                        : answer.failure ?? StoreFailure(.refused, detail: Int32(answer.status)))
            }
            guard Self.isNewEnough(answer.header) else { return end(StoreFailure(.noProgram, detail: 1)) }
            // What it has made of it, before it has renewed anything.
            look { [self] in
                state = .ready
                lastUse = Self.now
                let calls = waiting
                waiting = []
                for call in calls { begin(call) }
            }
        }
    }

    /// Members that are given besides, where they save requests or keep something from being made.
    private static func more(of backend: String) -> String {
        switch backend {
        case "s3": #""no_check_bucket":"true","#
        case "webdav": #""pacer_min_sleep":"0s","#
        default: ""
        }
    }

    /// Reads `rclone/v1.75.2`.
    private static func isNewEnough(_ header: [UInt8]) -> Bool {
        let text = String(decoding: header, as: UTF8.self).drop { $0 == " " }
        guard text.hasPrefix("rclone/v") else { return false }
        let numbers = text.dropFirst(8).split(separator: ".").prefix(3).map { part in
            Int(part.prefix { $0.isASCII && $0.isNumber }) ?? 0
        }
        return numbers.count == 3 && !numbers.lexicographicallyPrecedes(oldest)
    }

    private func end(_ failure: StoreFailure) {
        if case .failed = state { return }
        state = .failed(failure)
        let calls = waiting
        waiting = []
        for call in calls { call.done(Answer(failure: failure, json: nil, byteCount: 0)) }
        // The next one that is asked starts it anew.
        isOver = true
    }

    // MARK: Time

    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    /// Milliseconds until `step` has something to do.
    var millisecondsLeft: Int32 {
        guard runningCount == 0, case .ready = state else { return Int32(Self.secondsBeforeLook * 1000) }
        return Int32(clamping: max(0, lastUse + Self.secondsIdleMax - Self.now) * 1000 + 10)
    }

    /// Ends after a while in which nothing was asked.
    func step() {
        guard runningCount == 0, waiting.isEmpty, Self.now - lastUse >= Self.secondsIdleMax else { return }
        isOver = true
    }

    /// Looks what has become of the remote's configuration, and tells when that is another one.
    private func look(_ then: @escaping () -> Void) {
        lastLook = Self.now
        runningCount += 1
        let secret = SecretAnswer()
        loop.begin(
            "POST", Self.address + "/config/get", .nobody, .secret(secret), seconds: limits.seconds(byteCount: 0)
        ) { transfer in
            transfer.add(header: "Content-Type: application/json")
            transfer.send(#"{"name":"\#(RcloneFolder.remote)"}"#)
        } _: { [self] answer in
            runningCount -= 1
            if answer.failure == nil { take(secret) }
            then()
        }
    }

    private func take(_ secret: SecretAnswer) {
        unsafe secret.withBytes { raw in
            let now = unsafe SecretBytes(copying: raw)
            if known?.matches(now) == true { return }
            let isFirst = known == nil
            known = now.duplicate()
            guard !isFirst, let credential = unsafe StoreCredential(secret: raw) else { return }
            whenCredential(credential)
        }
    }

    private var lastLook = 0
    private var hasLookedAfterUse = false
}
