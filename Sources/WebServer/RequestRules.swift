// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import NIOHTTP1

/// `RequestRules` says which requests are looked at, by their heads alone. Spec: docs/web-protocol.md §4.
struct RequestRules {
    static let fieldCountMax = 64

    let host: String
    let origin: String

    /// Returns how a request is refused; nil for one that may go on to its route.
    func refusal(_ head: HTTPRequestHead) -> HTTPResponseStatus? {
        let fields = head.headers
        // Before anything else: another name is another site's page.
        guard fields["host"] == [host] else { return .misdirectedRequest }
        guard head.version == .http1_1, fields.count <= Self.fieldCountMax,
            fields.reduce(head.uri.utf8.count, { $0 + $1.name.utf8.count + $1.value.utf8.count })
                <= HeadLimit.byteCountMax
        else { return .requestHeaderFieldsTooLarge }
        guard fields["content-length"].count <= 1, fields["cookie"].count <= 1, fields["transfer-encoding"].isEmpty,
            fields["expect"].isEmpty, fields["upgrade"].isEmpty
        else { return .badRequest }
        guard head.method == .GET || head.method == .POST else { return .methodNotAllowed }
        guard isSameSite(head) else { return .forbidden }
        if head.method == .POST { guard fields["origin"] == [origin] else { return .forbidden } }
        return nil
    }

    /// The page itself may be asked for by a click anywhere; nothing else may be asked for by another page.
    private func isSameSite(_ head: HTTPRequestHead) -> Bool {
        if head.headers["sec-fetch-site"] == ["same-origin"] { return true }
        return head.method == .GET && head.uri == "/" && head.headers["sec-fetch-dest"] == ["document"]
    }
}
