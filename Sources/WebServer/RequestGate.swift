// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import NIOCore
internal import NIOHTTP1

/// `RequestGate` takes one connection's requests: refuses by their heads, collects bodies up to their route's limit,
/// and has the rest done by a worker.
final class RequestGate: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let site: Site
    private var current: Exchange?
    private var route: Route?
    private var body = ByteBuffer()
    private var upload: Upload?
    /// The connection ends after an answer that came before the request's end.
    private var isDone = false

    init(_ site: Site) { self.site = site }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDone {
            // Read to its end, so that the refusal arrives: a connection that is closed with unread bytes is reset.
            if case .end = unwrapInboundIn(data) { context.close(promise: nil) }
            return
        }
        switch unwrapInboundIn(data) {
        case .head(let request): begin(request, context)
        case .body(let bytes): take(bytes, context)
        case .end: finish(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        upload?.end(isWhole: false)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func begin(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        (current, route, upload) = (nil, nil, nil)
        body.clear()
        if let status = site.rules.refusal(request) { return refuse(status, context) }
        guard let (found, parameters) = Routes.find(request) else { return refuse(.notFound, context) }
        if found.needsSession, !site.knows(request) {
            return refuse(.unauthorized, context)
        }
        let length = request.headers["content-length"].first.map { UInt64($0) ?? .max } ?? 0
        guard length <= found.content.byteCountMax else { return refuse(.payloadTooLarge, context) }
        guard request.headers["content-type"] == found.content.mediaTypes else {
            return refuse(.unsupportedMediaType, context)
        }
        let exchange = Exchange(request, parameters, context.channel)
        (current, route) = (exchange, found)
        guard case .stream = found.content else { return }
        guard let upload = site.beginUpload(context.channel, length) else { return refuse(.tooManyRequests, context) }
        self.upload = upload
        exchange.upload = upload
        site.perform(found, exchange)
    }

    private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let route else { return }
        if let upload { return upload.push(bytes) }
        // The decoder holds a body to its announced length, which is within the limit; without one there is none.
        guard UInt64(body.readableBytes + bytes.readableBytes) <= route.content.byteCountMax else {
            return refuse(.payloadTooLarge, context)
        }
        var bytes = bytes
        body.writeBuffer(&bytes)
    }

    private func finish(_ context: ChannelHandlerContext) {
        if let upload {
            upload.end(isWhole: true)
            (self.upload, current, route) = (nil, nil, nil)
            return
        }
        guard let current, let route else { return }
        if route.isSecret { current.takeSecret(from: &body) } else { current.body = Array(body.readableBytesView) }
        body.clear()
        site.perform(route, current)
    }

    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        isDone = true
        let answer = Answer(status)
        let channel = context.channel
        answer.write(to: channel, for: site, keepsAlive: false).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        }
    }
}
