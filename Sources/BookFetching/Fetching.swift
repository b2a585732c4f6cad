// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import BookServices
internal import CCurl
internal import CSystemShims
internal import Glibc
internal import SecretMemory

/// `Fetching` carries out one order: a request, and at most three more where the server sends the reader on to a place
/// that the order allows.
enum Fetching {
    private static let redirectCountMax = 3
    private static let keyHeader = "X-Goog-Api-Key: "

    /// Initializes libcurl with memory functions that lock what they give. Call it before the process is confined:
    /// libraries read their settings here. What libcurl keeps of a key lies in locked memory as far as the system's
    /// limit goes.
    static func prepare() -> Bool {
        _ = vs_libcrypto_arena_begin(1 << 20)
        return unsafe curl_global_init_mem(
            Int(CURL_GLOBAL_DEFAULT), vs_locked_malloc, vs_locked_free, vs_locked_realloc, vs_locked_strdup,
            vs_locked_calloc) == CURLE_OK
    }

    /// The ports that the request may be sent to.
    static func ports(of order: FetchOrder) -> [UInt16] {
        var ports = [order.address.port]
        if order.redirects != .sameServer { ports.append(443) }
        if !order.proxy.server.isEmpty { ports.append(order.proxy.port) }
        return ports
    }

    /// Asks, and returns what came of it.
    ///
    /// - Parameter keyField: sent with the first request and those to the same server; empty for none.
    static func run(_ order: FetchOrder, keyField: borrowing SecretBytes) -> (answer: FetchAnswer, body: [UInt8]) {
        let deadline = now() + 1000 * Int(order.seconds)
        var address = order.address
        for count in 0...redirectCountMax {
            let left = deadline - now()
            guard left > 0, let hop = Hop(address, order) else { return (FetchAnswer(.timedOut), []) }
            if keyField.byteCount > 0 { add(keyField, to: hop) }
            let end = hop.run(milliseconds: left)
            guard end.result == CURLE_OK, (300..<400).contains(end.status), end.status != 304 else {
                let answer = answer(to: order, end, hop.body, isThroughProxy: order.proxy.isUsed(for: address))
                if case .whole = answer.outcome { return (answer, hop.body) }
                return (answer, [])
            }
            guard let next = next(after: address, end.redirect), count < redirectCountMax,
                order.redirects.allow(from: address, to: next)
            else { return (FetchAnswer(.elsewhere, httpStatus: UInt16(clamping: end.status)), []) }
            address = next
        }
        return (FetchAnswer(.elsewhere), [])
    }

    private static func next(after address: FetchAddress, _ redirect: String?) -> FetchAddress? {
        guard let redirect else { return nil }
        // What comes behind `#` is for the reader and is never sent.
        let text = String(redirect.prefix { $0 != "#" })
        return address.isThisMachine ? FetchAddress(text) : FetchAddress.secured(text)
    }

    /// Makes the field that says a key, as a C string: before the confinement, which lets no more memory be locked.
    static func field(_ key: borrowing SecretBytes) -> SecretBytes {
        guard key.byteCount > 0 else { return SecretBytes(zeroes: 0) }
        let name = Array(keyHeader.utf8)
        var field = SecretBytes(zeroes: name.count + key.byteCount + 1)
        unsafe field.withUnsafeMutableBytes { raw in
            unsafe raw.copyBytes(from: name)
            unsafe key.withUnsafeBytes { key in
                unsafe UnsafeMutableRawBufferPointer(rebasing: raw[name.count...]).copyMemory(from: key)
            }
        }
        return field
    }

    private static func add(_ field: borrowing SecretBytes, to hop: Hop) {
        unsafe field.withUnsafeBytes { unsafe hop.add(header: $0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }

    private static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return 1000 * time.tv_sec + time.tv_nsec / 1_000_000
    }
}

extension Fetching {
    private static func answer(
        to order: FetchOrder, _ end: Hop.End, _ body: [UInt8], isThroughProxy: Bool
    ) -> FetchAnswer {
        let outcome: FetchAnswer.Outcome =
            if end.wasKeptInside && end.status == 0 {
                .elsewhere
            } else if end.isTooLarge {
                .tooLarge
            } else if end.status == 200 && end.result == CURLE_OK {
                ofBody(body)
            } else if end.status >= 400 {
                ofStatus(end, body, order)
            } else {
                ofResult(end, isThroughProxy: isThroughProxy)
            }
        return FetchAnswer(outcome, httpStatus: (100...999).contains(end.status) ? UInt16(end.status) : 0)
    }

    /// Looks whether the answer is a page: neither JSON nor a picture that is shown begins with `<`.
    private static func ofBody(_ body: [UInt8]) -> FetchAnswer.Outcome {
        let start = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
        let first = start.first { $0 > 0x20 }
        guard let first else { return .malformed(isPage: false) }
        return first == UInt8(ascii: "<") ? .malformed(isPage: true) : .whole(byteCount: UInt32(clamping: body.count))
    }

    private static func ofStatus(_ end: Hop.End, _ body: [UInt8], _ order: FetchOrder) -> FetchAnswer.Outcome {
        let retryAfter = UInt32(clamping: min(end.retryAfter, Int(FetchAnswer.retryAfterMax)))
        switch end.status {
        case 404, 410: return .notFound
        case 408: return .timedOut
        case 407: return .noNetwork(.proxy)
        case 429: return .quota(retryAfter: retryAfter)
        // A network says itself that it asks to log in (RFC 6585).
        case 511: return .malformed(isPage: true)
        case 500...: return .failing
        default: return RefusalWords.outcome(of: body, status: end.status, retryAfter: retryAfter)
        }
    }

    private static func ofResult(_ end: Hop.End, isThroughProxy: Bool) -> FetchAnswer.Outcome {
        switch end.result {
        case CURLE_OPERATION_TIMEDOUT: return .timedOut
        case CURLE_COULDNT_RESOLVE_HOST: return .noNetwork(.name)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .noNetwork(.proxy)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .untrusted
        // Among them an answer that is cut, and one with a status that means nothing here.
        case CURLE_OK, CURLE_PARTIAL_FILE, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_GOT_NOTHING,
            CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            return .malformed(isPage: false)
        default:
            guard end.status == 0 else { return .malformed(isPage: false) }
            return .noNetwork(isThroughProxy ? .proxy : .connection)
        }
    }
}
