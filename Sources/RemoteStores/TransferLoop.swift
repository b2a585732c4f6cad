// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CCurl
internal import CSystemShims
internal import Glibc
internal import SecretMemory
package import SyncProtocol

/// `TransferLoop` runs the HTTP requests of one server on one thread: libcurl's multi interface, at most four
/// connections.
///
/// What holds for every request is set here and nowhere else: the protocols, no redirects, no proxy, no cookies, no
/// `.netrc`, the certificates, and that each ends.
@safe
package final class TransferLoop {
    /// Requests that are under way at once.
    package static let connectionCountMax = 4
    /// Milliseconds; libcurl has shorter times of its own while something is under way.
    private static let waitMax: Int32 = 3_600_000

    private let multi: UnsafeMutableRawPointer
    private let order: StartOrder
    private let credential: StoreCredential
    /// The porter whose connections are used for everything.
    private let porter: UnsafeMutablePointer<Int32>?
    /// What `.bearer` shows: a text that ends with a zero. Nil before somebody has got one.
    var token: SecretBytes?
    /// By the address of their handle.
    private var running: [UInt: Transfer] = [:]

    /// Initializes libcurl with memory functions that lock what they give. Call it before the process is confined:
    /// libraries read their settings here. What libcurl keeps of a credential lies in locked memory as far as the
    /// system's limit goes.
    package static func prepare() -> Bool {
        _ = vs_libcrypto_arena_begin(1 << 20)
        return unsafe curl_global_init_mem(
            Int(CURL_GLOBAL_DEFAULT), vs_locked_malloc, vs_locked_free, vs_locked_realloc, vs_locked_strdup,
            vs_locked_calloc) == CURLE_OK
    }

    /// Makes a loop for one server; nil if libcurl gives no handle.
    ///
    /// - Parameters:
    ///   - credential: one with an empty name asks without.
    ///   - porter: who makes its connections, where it may not do so itself.
    package init?(
        _ order: StartOrder, _ credential: consuming StoreCredential, connectionCount: Int = connectionCountMax,
        over porter: PassedFile? = nil
    ) {
        guard let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        self.order = order
        self.credential = credential
        // It lasts as long as the process.
        unsafe self.porter = porter.map { porter in
            let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
            unsafe place.initialize(to: fcntl(porter.descriptor, F_DUPFD_CLOEXEC, 3))
            return unsafe place
        }
        for option in [CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_MAXCONNECTS] {
            unsafe cc_multi_number(multi, option, connectionCount)
        }
    }

    deinit {
        for transfer in running.values { unsafe curl_multi_remove_handle(multi, transfer.easy) }
        running = [:]
        unsafe curl_multi_cleanup(multi)
    }

    /// `Signing` says how a request says who asks.
    enum Signing {
        case basic
        /// By a token of OAuth's (RFC 6750).
        case bearer
        /// Nobody asks who it is.
        case nobody
        /// AWS Signature Version 4, for this region.
        case v4(region: String)
    }

    /// Begins a request; its answer comes from `turn`.
    ///
    /// - Parameters:
    ///   - method: nil for GET, or PUT with an upload.
    ///   - seconds: its deadline.
    ///   - prepare: what is the request's own.
    func begin(
        _ method: String?, _ url: String, _ signing: Signing, _ sink: Transfer.Sink, seconds: Int,
        _ prepare: (Transfer) -> Void, _ done: @escaping (Transfer.Answer) -> Void
    ) {
        guard let transfer = Transfer(sink, done) else {
            return done(Transfer.Answer(status: 0, failure: StoreFailure(.local, detail: ENOMEM), byteCount: 0))
        }
        unsafe setRules(transfer.easy, seconds: seconds)
        unsafe sign(transfer.easy, signing)
        unsafe cc_text(transfer.easy, CURLOPT_URL, url)
        prepare(transfer)
        if let method { unsafe cc_text(transfer.easy, CURLOPT_CUSTOMREQUEST, method) }
        unsafe running[UInt(bitPattern: transfer.easy)] = transfer
        unsafe curl_multi_add_handle(multi, transfer.easy)
    }

    private func setRules(_ easy: UnsafeMutableRawPointer, seconds: Int) {
        let limits = order.limits
        let isSecure = unsafe porter == nil && order.settings.addresses.allSatisfy(\.isSecure)
        if let porter = unsafe porter { unsafe cc_use_porter(easy, porter) }
        unsafe cc_text(easy, CURLOPT_PROTOCOLS_STR, isSecure ? "https" : "http")
        unsafe cc_text(easy, CURLOPT_REDIR_PROTOCOLS_STR, "https")
        unsafe cc_text(easy, CURLOPT_PROXY, "")
        unsafe cc_text(easy, CURLOPT_NOPROXY, "*")
        unsafe cc_text(easy, CURLOPT_USERAGENT, "notevault")
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
            // A name server that does not answer holds up the one request: its thread is left to itself.
            (CURLOPT_QUICK_EXIT, 1), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1), (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_HTTP09_ALLOWED, 0),
            (CURLOPT_HTTP_CONTENT_DECODING, 0), (CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10), (CURLOPT_BUFFERSIZE, 128 << 10),
            (CURLOPT_CONNECTTIMEOUT, Int(limits.connectSeconds)), (CURLOPT_TIMEOUT, max(1, seconds)),
            (CURLOPT_LOW_SPEED_LIMIT, Int(limits.leastRate)), (CURLOPT_LOW_SPEED_TIME, Int(limits.idleSeconds)),
        ]
        for (option, value) in numbers { unsafe cc_number(easy, option, value) }
        if !order.certificates.isEmpty {
            unsafe order.certificates.withUnsafeBytes { raw in
                _ = unsafe cc_certificates(easy, raw.baseAddress!, raw.count)
            }
        }
    }

    private func sign(_ easy: UnsafeMutableRawPointer, _ signing: Signing) {
        if case .nobody = signing { return }
        if case .bearer = signing {
            // 64: CURLAUTH_BEARER, a macro.
            unsafe cc_number(easy, CURLOPT_HTTPAUTH, 64)
            unsafe token?.withUnsafeBytes { raw in
                let text = unsafe raw.baseAddress!.assumingMemoryBound(to: CChar.self)
                _ = unsafe cc_text(easy, CURLOPT_XOAUTH2_BEARER, text)
            }
            return
        }
        unsafe credential.withTexts { name, secret in
            guard unsafe name.pointee != 0 else { return }
            unsafe cc_text(easy, CURLOPT_USERNAME, name)
            unsafe cc_text(easy, CURLOPT_PASSWORD, secret)
            switch signing {
            case .basic, .bearer, .nobody: unsafe cc_number(easy, CURLOPT_HTTPAUTH, 1)
            case .v4(let region): unsafe cc_text(easy, CURLOPT_AWS_SIGV4, "aws:amz:\(region):s3")
            }
        }
    }

    /// Lends what the remote asks for. The pointers must not leave `body`.
    func withCredential<R>(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> R) -> R {
        unsafe credential.withTexts(body)
    }

    /// Waits until `channel` can be read or something has moved, and tells the answers of what has ended.
    ///
    /// - Parameter milliseconds: the longest wait.
    func turn(_ channel: Int32, milliseconds: Int32 = waitMax) {
        var waiting = curl_waitfd(fd: channel, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        var count: Int32 = 0
        unsafe curl_multi_perform(multi, &count)
        if !finishEnded() { unsafe curl_multi_poll(multi, &waiting, 1, milliseconds, nil) }
        unsafe curl_multi_perform(multi, &count)
        _ = finishEnded()
    }

    private func finishEnded() -> Bool {
        var hasEnded = false
        var result = CURLE_OK
        while let easy = unsafe cc_next_done(multi, &result) {
            unsafe curl_multi_remove_handle(multi, easy)
            // Its answer may begin the next request.
            running.removeValue(forKey: UInt(bitPattern: easy))?.finish(result)
            hasEnded = true
        }
        return hasEnded
    }
}
