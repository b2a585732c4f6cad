// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCurl
internal import Glibc
internal import SecretMemory
internal import SyncProtocol

/// `Transfer` is one HTTP request and what becomes of its answer. It takes no more of it than it may hold.
@safe
final class Transfer {
    /// `Sink` says what happens to the body of a 2xx answer.
    enum Sink {
        /// It is of no interest; no more than 64 KiB of it are read.
        case none
        /// It is written from the descriptor's beginning on, at most `max` bytes.
        case file(PassedFile, max: Int)
        case names(ListedNames)
        /// It is a short text, for whoever asked.
        case text(ShortText)
        case secret(SecretAnswer)
    }

    /// `Answer` says how the transfer ended.
    struct Answer {
        /// The HTTP status; 0 when there was none.
        let status: Int
        /// Nil for a whole answer of 2xx.
        let failure: StoreFailure?
        /// Bytes of the body that were taken.
        let byteCount: Int
        /// The value of the header that was asked for; empty without one.
        var header: [UInt8] = []
        /// What an answer that is no 2xx says, where that was asked for.
        var refusalText: [UInt8] = []
    }

    /// `ShortText` keeps a body that is small.
    final class ShortText {
        let max: Int
        private(set) var bytes: [UInt8] = []

        /// - Parameter max: the longest one, in bytes.
        init(max: Int) { self.max = max }

        func take(_ piece: UnsafeRawBufferPointer) -> Bool {
            guard piece.count <= max - bytes.count else { return false }
            unsafe bytes.append(contentsOf: piece)
            return true
        }
    }

    /// All headers of an answer, in bytes.
    private static let headerByteCountMax = 64 << 10

    /// Bodies up to this size are sent without waiting for a yes, in bytes.
    private static let unaskedByteCountMax = 256 << 10

    let easy: UnsafeMutableRawPointer
    private let sink: Sink
    private let done: (Answer) -> Void
    private let refusal = RefusalCode()
    private var refusalText: ShortText?
    /// Of the header that is wanted, in small letters with its colon.
    private var headerName: [UInt8] = []
    private var header: [UInt8] = []
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var form: OpaquePointer?
    private var headerByteCount = 0
    private var bodyByteCount = 0
    private var source: (file: PassedFile, byteCount: Int, offset: Int)?
    /// Why this side ended it.
    private var failure: StoreFailure?

    init?(_ sink: Sink, _ done: @escaping (Answer) -> Void) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = easy
        (self.sink, self.done) = (sink, done)
        unsafe (headers, form) = (nil, nil)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe cc_callback(easy, CURLOPT_WRITEFUNCTION) { unsafe Transfer.of($3)?.receive($0, $1 * $2) ?? 0 }
        unsafe cc_callback(easy, CURLOPT_HEADERFUNCTION) { unsafe Transfer.of($3)?.receiveHeader($0, $1 * $2) ?? 0 }
        unsafe cc_callback(easy, CURLOPT_READFUNCTION) { unsafe Transfer.of($3)?.send($0, $1 * $2) ?? 0 }
        unsafe cc_seek(easy) { unsafe Transfer.of($0)?.seek($1, $2) ?? CURL_SEEKFUNC_FAIL }
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA] {
            unsafe cc_pointer(easy, option, me)
        }
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(headers)
        unsafe curl_mime_free(form)
    }

    /// Takes the body from a file.
    ///
    /// - Parameter isSigned: the request's headers are.
    func upload(_ file: PassedFile, byteCount: Int, isSigned: Bool) {
        source = (file, byteCount, 0)
        unsafe cc_number(easy, CURLOPT_UPLOAD, 1)
        unsafe cc_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(byteCount))
        // A server may refuse a large body before it is sent; to ask that of a small one costs more than sending it.
        let isAsked = byteCount > Self.unaskedByteCountMax
        unsafe cc_number(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, isAsked ? 300 : 1)
        // libcurl 7.88 signs a header that it is told to leave out.
        if !isAsked && !isSigned { add(header: "Expect:") }
    }

    /// Takes the body from a file, as a form with one file in it.
    ///
    /// - Parameter name: what the file is called there.
    func uploadForm(_ file: PassedFile, byteCount: Int, name: String) {
        source = (file, byteCount, 0)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe form = cc_file_form(
            easy, name, curl_off_t(byteCount), { unsafe Transfer.of($3)?.send($0, $1 * $2) ?? 0 },
            { unsafe Transfer.of($0)?.seek($1, $2) ?? CURL_SEEKFUNC_FAIL }, me)
        add(header: "Expect:")
    }

    /// Takes the body from a text of ours.
    func send(_ text: String) {
        unsafe cc_text(easy, CURLOPT_COPYPOSTFIELDS, text)
    }

    /// Takes the body from secret bytes, which libcurl copies into locked memory.
    ///
    /// - Parameter bytes: a text that ends with a zero.
    func send(secret bytes: borrowing SecretBytes) {
        unsafe bytes.withUnsafeBytes { raw in
            let text = unsafe raw.baseAddress!.assumingMemoryBound(to: CChar.self)
            _ = unsafe cc_text(easy, CURLOPT_COPYPOSTFIELDS, text)
        }
    }

    /// Lets it be silent for as long as its deadline allows: an answer that is waited for.
    func mayBeSilent() { unsafe cc_number(easy, CURLOPT_LOW_SPEED_TIME, 0) }

    func add(header: String) {
        if let longer = unsafe curl_slist_append(headers, header) { unsafe headers = longer }
        unsafe cc_pointer(easy, CURLOPT_HTTPHEADER, headers)
    }

    // MARK: Callbacks

    private static func of(_ me: UnsafeMutableRawPointer?) -> Transfer? {
        guard let me = unsafe me else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(me).takeUnretainedValue()
    }

    private func receiveHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        headerByteCount += count
        guard headerByteCount <= Self.headerByteCountMax else { return stop(.malformed) }
        guard !headerName.isEmpty, count > headerName.count, let bytes = unsafe bytes else { return count }
        let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        let isWanted = unsafe zip(line, headerName).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
        if isWanted { unsafe header = line.dropFirst(headerName.count).filter { $0 >= 0x20 } }
        return count
    }

    /// Keeps the value of a header of the answer.
    ///
    /// - Parameter name: in small letters.
    func keepHeader(_ name: String) { headerName = Array(name.utf8) + [UInt8(ascii: ":")] }

    /// Keeps what an answer that is no 2xx says, if it is short.
    func keepRefusal() { refusalText = ShortText(max: RefusalCode.byteCountMax) }

    /// Takes a piece of the answer's body; returns `count`, or anything else to end the transfer.
    private func receive(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard failure == nil, count > 0, let bytes = unsafe bytes else { return 0 }
        let raw = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        guard unsafe (200..<300).contains(cc_status(easy)) else {
            // An error's page says why, if it is short; nothing depends on it.
            if let refusalText { return unsafe refusalText.take(raw) ? count : 0 }
            return unsafe refusal.read(raw) ? count : 0
        }
        switch sink {
        case .none:
            bodyByteCount += count
            return bodyByteCount <= RefusalCode.byteCountMax ? count : 0
        case .file(let file, let max):
            guard count <= max - bodyByteCount else { return stop(.tooLarge) }
            if let failed = unsafe FileBytes.write(raw, to: file.descriptor, at: bodyByteCount) {
                return stop(.local, detail: failed)
            }
        case .names(let names):
            guard unsafe names.read(raw) else { return stop(names.isTooLarge ? .tooLarge : .malformed) }
        case .text(let text): guard unsafe text.take(raw) else { return stop(.tooLarge) }
        case .secret(let secret): guard unsafe secret.take(raw) else { return stop(.malformed) }
        }
        bodyByteCount += count
        return count
    }

    private func stop(_ code: StoreFailure.Code, detail: Int32 = 0) -> Int {
        failure = StoreFailure(code, detail: detail)
        return 0
    }

    private func send(_ target: UnsafeMutablePointer<CChar>?, _ room: Int) -> Int {
        guard let (file, byteCount, offset) = source, let target = unsafe target else { return 0 }
        let want = min(room, byteCount - offset)
        guard want > 0 else { return 0 }
        var got: Int
        repeat { got = unsafe pread(file.descriptor, target, want, offset) } while got < 0 && errno == EINTR
        guard got > 0 else {
            // The file is shorter than was said: a short body must not be sent as if it were whole.
            failure = StoreFailure(.local, detail: got < 0 ? errno : EIO)
            return Int(CURL_READFUNC_ABORT)
        }
        source?.offset += got
        return got
    }

    private func seek(_ offset: curl_off_t, _ origin: Int32) -> Int32 {
        guard origin == SEEK_SET, let count = source?.byteCount, (0...count).contains(Int(offset)) else {
            return CURL_SEEKFUNC_FAIL
        }
        source?.offset = Int(offset)
        return CURL_SEEKFUNC_OK
    }

    // MARK: The end

    func finish(_ result: CURLcode) {
        let status = unsafe cc_status(easy)
        var failed = failure
        if failed == nil, !(200..<300).contains(status) || result != CURLE_OK {
            failed = status >= 300 ? ofStatus(status) : Self.of(result)
            // A body that did not matter was not read to its end.
            if case .none = sink, (200..<300).contains(status), result == CURLE_WRITE_ERROR { failed = nil }
        }
        if failed == nil, case .names(let names) = sink, !names.finish() { failed = StoreFailure(.malformed) }
        done(
            Answer(
                status: status, failure: failed, byteCount: bodyByteCount, header: header,
                refusalText: refusalText?.bytes ?? []))
    }

    private func ofStatus(_ status: Int) -> StoreFailure {
        let asked = unsafe cc_retry_after(easy)
        let code: StoreFailure.Code =
            switch status {
            case 300..<400: .redirected
            case 401: .unauthorized
            case 403, 404: ofRefusal(status)
            case 410: .absent
            case 408: .timedOut
            case 413: .tooLarge
            case 429, 503: .throttled
            case 507: .quota
            case 500...: .failing
            default: .refused
            }
        return StoreFailure(
            code, detail: Int32(clamping: status), retryAfter: code == .throttled ? UInt32(clamping: asked) : 0)
    }

    /// Reads what S3 says beyond its status.
    private func ofRefusal(_ status: Int) -> StoreFailure.Code {
        switch refusal.code {
        case "NoSuchBucket": .missing
        case "QuotaExceeded": .quota
        case "RequestTimeTooSkewed": .clock
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken": .unauthorized
        case "SlowDown": .throttled
        default: status == 404 ? .absent : .refused
        }
    }

    private static func of(_ result: CURLcode) -> StoreFailure {
        let code: StoreFailure.Code =
            switch result {
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
                .untrusted
            // Among them an answer without a status, and one that is cut.
            case CURLE_OK, CURLE_PARTIAL_FILE, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL,
                CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
                .malformed
            default: .unreachable
            }
        return StoreFailure(code, detail: Int32(clamping: result.rawValue))
    }
}
