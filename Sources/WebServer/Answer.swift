// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import NIOCore
internal import NIOHTTP1
internal import Presentation

/// `Answer` is what a request is answered with, with the fields that every answer has.
struct Answer: Sendable {
    var status: HTTPResponseStatus
    var mediaType = "text/plain; charset=utf-8"
    var body: [UInt8] = []
    /// Fields of this answer alone.
    var fields: [(String, String)] = []
    /// Written by the worker, after the head; the body is empty then.
    var stream: (@Sendable (BodyWriter) -> Void)?
    /// Of a stream; nil where it is not known.
    var byteCount: UInt64?

    init(_ status: HTTPResponseStatus, _ body: [UInt8] = [], _ mediaType: String? = nil) {
        self.status = status
        self.body = body
        if let mediaType { self.mediaType = mediaType }
    }

    static func json(_ body: [UInt8]) -> Answer { Answer(.ok, body, "application/json") }

    /// One list for all answers. Spec: docs/web-protocol.md §5.
    ///
    /// - Parameter origin: our own; scripts and style sheets come from its folder `/s/` and from nowhere else, so that
    ///   an attachment cannot be one.
    static func standardFields(_ origin: String) -> [(String, String)] {
        [
            (
                "Content-Security-Policy",
                """
                default-src 'none'; script-src \(origin)/s/; style-src \(origin)/s/; img-src 'self' blob:; media-src 'self' blob:; \
                connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; \
                require-trusted-types-for 'script'; trusted-types 'none'
                """
            ),
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Origin-Agent-Cluster", "?1"),
            (
                "Permissions-Policy",
                """
                accelerometer=(), autoplay=(), camera=(self), clipboard-read=(), clipboard-write=(self), \
                display-capture=(), fullscreen=(self), geolocation=(), gyroscope=(), hid=(), magnetometer=(), \
                microphone=(self), midi=(), payment=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), \
                usb=(), xr-spatial-tracking=()
                """
            ),
        ]
    }

    /// Writes head and body. A stream is written by the thread that calls this; the future is of the end.
    func write(to channel: any NIOCore.Channel, for site: Site, keepsAlive: Bool) -> EventLoopFuture<Void> {
        var head = HTTPResponseHead(version: .http1_1, status: status)
        for (name, value) in site.fields where !fields.contains(where: { $0.0 == name }) {
            head.headers.add(name: name, value: value)
        }
        for (name, value) in fields { head.headers.add(name: name, value: value) }
        head.headers.add(name: "Content-Type", value: mediaType)
        let length = stream == nil ? UInt64(body.count) : byteCount
        if let length { head.headers.add(name: "Content-Length", value: String(length)) }
        if !keepsAlive { head.headers.add(name: "Connection", value: "close") }
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if let stream {
            channel.flush()
            let writer = BodyWriter(channel, length)
            stream(writer)
            guard writer.isComplete else { return channel.close() }
        } else if !body.isEmpty {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        }
        return channel.writeAndFlush(HTTPServerResponsePart.end(nil))
    }
}

/// `BodyWriter` writes a body piece by piece, and no faster than its reader reads.
final class BodyWriter {
    private let channel: any NIOCore.Channel
    private let wanted: UInt64?
    private var written: UInt64 = 0
    private var hasFailed = false

    init(_ channel: any NIOCore.Channel, _ wanted: UInt64?) { (self.channel, self.wanted) = (channel, wanted) }

    /// Whether as much was written as was announced.
    var isComplete: Bool { !hasFailed && (wanted.map { $0 == written } ?? true) }
    var isOpen: Bool { !hasFailed && channel.isActive }

    /// Writes, and waits until it is on its way; false when the reader has gone.
    func write(_ bytes: ByteBuffer) -> Bool {
        let count = UInt64(bytes.readableBytes)
        do {
            try channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(bytes))).wait()
            written += count
        } catch { hasFailed = true }
        return !hasFailed
    }

    /// Gives up: the reader sees that it is cut short.
    func fail() { hasFailed = true }
}

extension Answer {
    /// Says how a request of an agent ended, when it did not end well: `{"error":{…}}`.
    static func failure(_ outcome: Outcome) -> Answer {
        Answer(status(outcome.code), JSONText.failure(outcome).encoded, "application/json")
    }

    static func status(_ code: ExitCode) -> HTTPResponseStatus {
        switch code {
        case .ok, .doneWithLosses: .ok
        case .locked: .locked
        case .wrongPassword: .forbidden
        case .notFound: .notFound
        case .usage, .ambiguous: .badRequest
        case .conflict, .aborted, .interrupted: .conflict
        case .network, .other, .localSaveFailed, .failSafe, .integrity: .internalServerError
        }
    }
}
