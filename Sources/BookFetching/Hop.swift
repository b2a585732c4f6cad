// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import BookServices
internal import CCurl
internal import Glibc

/// `Hop` is one HTTP request to one address, and what becomes of its answer. It takes no more of it than it may hold,
/// and follows nothing.
@safe
final class Hop {
    /// All headers of an answer, in bytes.
    private static let headerByteCountMax = 64 << 10

    /// `End` says how it ended.
    struct End {
        let result: CURLcode
        /// 0 when there was none.
        let status: Int
        /// Where the server sends the reader on to.
        let redirect: String?
        /// In seconds from now; 0 where it was not said.
        let retryAfter: Int
        /// A connection was not made, because of where it would have led.
        let wasKeptInside: Bool
        let isTooLarge: Bool
    }

    private let easy: UnsafeMutableRawPointer
    private let address: FetchAddress
    private let isThroughProxy: Bool
    private let bodyByteCountMax: Int
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var headerByteCount = 0
    private var wasKeptInside = false
    private var isTooLarge = false
    /// The answer's body; of an answer that is an error, its beginning.
    private(set) var body: [UInt8] = []

    init?(_ address: FetchAddress, _ order: FetchOrder) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = easy
        self.address = address
        isThroughProxy = order.proxy.isUsed(for: address)
        bodyByteCountMax = Int(order.byteCountMax)
        unsafe headers = nil
        setRules(order)
        setCallbacks()
        let type = order.expected == .json ? "application/json" : "image/jpeg, image/png, image/webp, image/gif"
        unsafe add(header: "Accept: " + type)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(headers)
    }

    /// What holds for every request: https alone, no redirects, cookies or passwords, one way to say who asks, and that
    /// it ends.
    private func setRules(_ order: FetchOrder) {
        let proxy = isThroughProxy ? order.proxy.server : ""
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, address.text), (CURLOPT_PROTOCOLS_STR, address.isSecure ? "https" : "http"),
            (CURLOPT_REDIR_PROTOCOLS_STR, "https"), (CURLOPT_PROXY, proxy), (CURLOPT_NOPROXY, ""),
            (CURLOPT_USERAGENT, "vault"),
        ]
        for (option, value) in texts { unsafe cc_text(easy, option, value) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
            // A name server that does not answer holds up nothing: its thread is left to itself.
            (CURLOPT_QUICK_EXIT, 1), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1), (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_PROXY_SSL_VERIFYPEER, 1), (CURLOPT_PROXY_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_HTTP09_ALLOWED, 0),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)), (CURLOPT_HTTP_CONTENT_DECODING, 0),
            (CURLOPT_FORBID_REUSE, 1), (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            (CURLOPT_DNS_CACHE_TIMEOUT, 0),
        ]
        for (option, value) in numbers { unsafe cc_number(easy, option, value) }
    }

    private func setCallbacks() {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe cc_callback(easy, CURLOPT_WRITEFUNCTION) { unsafe Hop.of($3)?.receive($0, $1 * $2) ?? 0 }
        unsafe cc_callback(easy, CURLOPT_HEADERFUNCTION) { unsafe Hop.of($3)?.receiveHeader($1 * $2) ?? 0 }
        unsafe cc_opensocket(easy) { unsafe Hop.of($0)?.openSocket($2) ?? -1 }
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA] {
            unsafe cc_pointer(easy, option, me)
        }
    }

    /// Adds a header of this request: `NAME: VALUE` with a zero behind it, so that a secret need be no String.
    func add(header: UnsafePointer<CChar>) {
        if let longer = unsafe curl_slist_append(headers, header) { unsafe headers = longer }
        unsafe cc_pointer(easy, CURLOPT_HTTPHEADER, headers)
    }

    /// Asks and waits for the end.
    func run(milliseconds: Int) -> End {
        unsafe cc_number(easy, CURLOPT_TIMEOUT_MS, max(1, milliseconds))
        unsafe cc_number(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, milliseconds))
        let result = unsafe curl_easy_perform(easy)
        let redirect = unsafe cc_redirect(easy).flatMap { unsafe String(validatingCString: $0) }
        return unsafe End(
            result: result, status: cc_status(easy), redirect: redirect,
            retryAfter: Int(clamping: cc_retry_after(easy)), wasKeptInside: wasKeptInside, isTooLarge: isTooLarge)
    }

    // MARK: Callbacks

    private static func of(_ me: UnsafeMutableRawPointer?) -> Hop? {
        guard let me = unsafe me else { return nil }
        return unsafe Unmanaged<Hop>.fromOpaque(me).takeUnretainedValue()
    }

    private func receiveHeader(_ count: Int) -> Int {
        headerByteCount += count
        return headerByteCount <= Self.headerByteCountMax ? count : 0
    }

    /// Takes a piece of the answer's body; returns `count`, or anything else to end the transfer.
    private func receive(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard count > 0, let bytes = unsafe bytes else { return 0 }
        let raw = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        let isData = unsafe cc_status(easy) == 200
        guard count <= (isData ? bodyByteCountMax : RefusalWords.byteCountMax) - body.count else {
            // An error's page says why, if it is short; nothing depends on it.
            if isData { isTooLarge = true }
            return 0
        }
        unsafe body.append(contentsOf: raw)
        return count
    }

    /// Opens the socket of a connection, unless it would lead where a server of the world is not: no packet goes there.
    private func openSocket(_ target: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let target = unsafe target else { return -1 }
        let bytes = unsafe Self.bytes(of: target)
        let isAllowed =
            switch NetworkPlace(of: bytes) {
            case .outside: !address.isThisMachine || isThroughProxy
            case .thisMachine: address.isThisMachine || isThroughProxy
            case .inside: isThroughProxy
            }
        guard isAllowed else {
            wasKeptInside = true
            return -1
        }
        return unsafe socket(
            target.pointee.family, target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), target.pointee.protocol)
    }

    private static func bytes(of target: UnsafeMutablePointer<curl_sockaddr>) -> [UInt8] {
        guard let start = unsafe cc_socket_address(target) else { return [] }
        let whole = unsafe Array(UnsafeBufferPointer(start: start, count: Int(target.pointee.addrlen)))
        // sockaddr_in: family and port, then 4 bytes. sockaddr_in6: family, port and flow, then 16.
        switch unsafe target.pointee.family {
        case AF_INET where whole.count >= 8: return Array(whole[4..<8])
        case AF_INET6 where whole.count >= 24: return Array(whole[8..<24])
        default: return []
        }
    }
}
