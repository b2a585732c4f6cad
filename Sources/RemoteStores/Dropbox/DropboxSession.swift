// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SecretMemory
internal import SyncProtocol

/// `DropboxSession` makes requests to Dropbox's interface as an app without a secret: it has a refresh token, gets an
/// access token for it when one is needed, and asks once more when that one has ended early.
///
/// Sources: RFC 7636 (PKCE), RFC 6749 §6 (refresh), the OAuth guide and the HTTP reference of Dropbox.
final class DropboxSession {
    /// `Answer` is how a call ended.
    struct Answer {
        let failure: StoreFailure?
        /// Nil where nothing of the kind was asked for.
        let json: JSONAnswer?
        /// The value of `Dropbox-API-Result`.
        let result: JSONAnswer?
        let byteCount: Int
        /// The tags of the error, outermost first: of `path/not_found` both.
        var tags: [String] = []
    }

    /// `Body` is what a call brings with its argument.
    enum Body {
        /// The argument is the body.
        case argument
        /// Nothing; the argument is in a header.
        case nothing
        case file(PassedFile, byteCount: Int)
    }

    /// `Host` is the one that a route belongs to.
    enum Host { case api, content, notify }

    private struct Call {
        let route: String
        let host: Host
        let argument: String
        let body: Body
        let target: PassedFile?
        let max: Int
        let seconds: Int
        let done: (Answer) -> Void
        var hasBeenRefused = false
        /// Which access token it was asked with.
        var tokenNumber = 0
    }

    let folder: DropboxFolder
    private let loop: TransferLoop
    private let order: StartOrder
    /// What an answer in JSON may have, in bytes: a page of a listing.
    private static let answerByteCountMax = 4 << 20
    /// Before its end an access token is let go of, in seconds; so do Dropbox's own libraries.
    private static let secondsBefore = 300
    private var refreshToken: SecretBytes?
    private var tokenEnd = 0
    private var tokenNumber = 0
    private var isSigningIn = false
    private var waiting: [Call] = []
    /// Told when what opens the remote is another one.
    var whenCredential: (borrowing StoreCredential) -> Void = { _ in }

    init(_ loop: TransferLoop, _ folder: DropboxFolder, _ order: StartOrder) {
        (self.loop, self.folder, self.order) = (loop, folder, order)
        guard !order.signsIn else { return }
        unsafe loop.withCredential { _, token in
            refreshToken = unsafe SecretBytes(copying: UnsafeRawBufferPointer(start: token, count: strlen(token)))
        }
    }

    // MARK: Calls

    /// Calls a route of the interface.
    ///
    /// - Parameters:
    ///   - argument: JSON of ASCII alone.
    ///   - target: gets the answer's body, at most `max` bytes of it; nil for JSON.
    func call(
        _ route: String, on host: Host = .api, _ argument: String, _ body: Body = .argument,
        into target: PassedFile? = nil, max: Int = 0, seconds: Int, _ done: @escaping (Answer) -> Void
    ) {
        begin(
            Call(
                route: route, host: host, argument: argument, body: body, target: target, max: max, seconds: seconds,
                done: done))
    }

    private func begin(_ call: Call) {
        // Whoever waits for news asks without a name.
        guard call.host == .notify || hasToken else {
            waiting.append(call)
            if !isSigningIn { signIn() }
            return
        }
        let text = Transfer.ShortText(max: Self.answerByteCountMax)
        var call = call
        call.tokenNumber = tokenNumber
        let asked = call
        let sink: Transfer.Sink = call.target.map { .file($0, max: call.max) } ?? .text(text)
        let signing: TransferLoop.Signing = call.host == .notify ? .nobody : .bearer
        loop.begin("POST", address(call.host) + "/2/" + call.route, signing, sink, seconds: call.seconds) { transfer in
            transfer.keepRefusal()
            prepare(transfer, asked)
        } _: { [self] answer in
            end(asked, answer, text.bytes)
        }
    }

    private func prepare(_ transfer: Transfer, _ call: Call) {
        switch call.body {
        case .argument:
            transfer.add(header: "Content-Type: application/json")
            transfer.send(call.argument)
            if call.host == .notify { transfer.mayBeSilent() }
        case .nothing:
            // A body of nothing has a length, and must not have the type that libcurl gives it.
            transfer.send("")
            transfer.add(header: "Content-Type:")
            transfer.add(header: "Dropbox-API-Arg: " + call.argument)
            transfer.keepHeader("dropbox-api-result")
        case .file(let file, let byteCount):
            transfer.upload(file, byteCount: byteCount, isSigned: false)
            transfer.add(header: "Content-Type: application/octet-stream")
            transfer.add(header: "Dropbox-API-Arg: " + call.argument)
        }
    }

    private func end(_ call: Call, _ answer: Transfer.Answer, _ text: [UInt8]) {
        guard let failure = answer.failure else {
            let json = call.target == nil ? JSONAnswer(text) : nil
            // An answer that says nothing is none of Dropbox's.
            let isWhole = call.target != nil || json != nil
            return call.done(
                Answer(
                    failure: isWhole ? nil : StoreFailure(.malformed, detail: Int32(clamping: answer.status)),
                    json: json, result: answer.header.isEmpty ? nil : JSONAnswer(answer.header),
                    byteCount: answer.byteCount))
        }
        let refusal = DropboxRefusal(answer.refusalText)
        if answer.status == 401, !call.hasBeenRefused, call.host != .notify, refusal.tags.first != "missing_scope" {
            // Another request may have got a new one meanwhile.
            if call.tokenNumber == tokenNumber {
                loop.token = nil
                tokenEnd = 0
            }
            var again = call
            again.hasBeenRefused = true
            return begin(again)
        }
        call.done(
            Answer(
                failure: refusal.failure(status: answer.status, else: failure), json: nil, result: nil, byteCount: 0,
                tags: refusal.tags))
    }

    private func address(_ host: Host) -> String {
        switch host {
        case .api: folder.hosts.api.text
        case .content: folder.hosts.content.text
        case .notify: folder.hosts.notify.text
        }
    }

    // MARK: Tokens

    private var hasToken: Bool { loop.token != nil && Self.now < tokenEnd }

    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    /// Gets an access token, for the refresh token or for the code that somebody has just got.
    private func signIn() {
        isSigningIn = true
        guard let form = form() else { return failAll(StoreFailure(.signedOut)) }
        let secret = SecretAnswer()
        loop.begin(
            "POST", folder.hosts.api.text + "/oauth2/token", .nobody, .secret(secret),
            seconds: order.limits.seconds(byteCount: 0)
        ) { transfer in
            transfer.keepRefusal()
            transfer.add(header: "Content-Type: application/x-www-form-urlencoded")
            transfer.send(secret: form)
        } _: { [self] answer in
            take(answer, secret)
        }
    }

    private func take(_ answer: Transfer.Answer, _ secret: SecretAnswer) {
        if let failure = answer.failure {
            // RFC 6749 §5.2: what is wrong with the grant is 400, and stays so.
            let code = JSONAnswer(answer.refusalText)?["error"]?.text
            let isOver = answer.status == 400 || answer.status == 401
            let isGrant = code == "invalid_grant" || code == "invalid_client" || code == "unauthorized_client"
            return failAll(isOver && isGrant ? StoreFailure(.signedOut, detail: Int32(answer.status)) : failure)
        }
        guard let token = secret.token("access_token") else { return failAll(StoreFailure(.malformed, detail: 200)) }
        loop.token = Self.ended(token)
        tokenNumber += 1
        let seconds = min(max(secret.number("expires_in") ?? 0, 0), 86_400) - Self.secondsBefore
        // One that ends at once would be asked for again for ever: it serves what waits.
        tokenEnd = Self.now + max(seconds, 60)
        if refreshToken == nil {
            guard let lasting = secret.token("refresh_token"),
                let credential = unsafe lasting.withUnsafeBytes({ unsafe StoreCredential(secret: $0) })
            else { return failAll(StoreFailure(.malformed, detail: 200)) }
            refreshToken = consume lasting
            whenCredential(credential)
        }
        isSigningIn = false
        let calls = waiting
        waiting = []
        for call in calls { begin(call) }
    }

    private func failAll(_ failure: StoreFailure) {
        isSigningIn = false
        let calls = waiting
        waiting = []
        for call in calls { call.done(Answer(failure: failure, json: nil, result: nil, byteCount: 0)) }
    }

    /// The form that is sent for a token; nil where something has characters that a form would have to escape, which no
    /// code and no token has.
    private func form() -> SecretBytes? {
        var form = SecretText(capacity: StoreCredential.byteCountMax + 512)
        form.append("client_id=\(folder.appKey)&grant_type=")
        let isWhole: Bool
        if refreshToken != nil {
            form.append("refresh_token&refresh_token=")
            isWhole = unsafe refreshToken?.withUnsafeBytes { unsafe form.append(plain: $0) } == true
        } else {
            isWhole = unsafe loop.withCredential { code, verifier in
                form.append("authorization_code&code=")
                let hasCode = unsafe form.append(plain: UnsafeRawBufferPointer(start: code, count: strlen(code)))
                form.append("&code_verifier=")
                return unsafe form.append(plain: UnsafeRawBufferPointer(start: verifier, count: strlen(verifier)))
                    && hasCode
            }
        }
        guard isWhole else { return nil }
        return form.taken()
    }

    /// Returns the secret as a text with its zero.
    private static func ended(_ token: borrowing SecretBytes) -> SecretBytes {
        var text = SecretBytes(zeroes: token.byteCount + 1)
        unsafe text.withUnsafeMutableBytes { target in
            unsafe token.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
        return text
    }
}
