// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import NIOCore
internal import NIOHTTP1

/// `HeadState` says whether a connection is in the head of a request: of one event loop alone.
final class HeadState {
    var isInHead = true
    /// Heads that came to their ends.
    var headCount = 0
}

/// `HeadLimit` ends a connection whose request's head is too long, or too slow.
final class HeadLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Bytes of the first line and all fields.
    static let byteCountMax = 16 << 10
    static let secondsMax: Int64 = 10

    private let state: HeadState
    private var byteCount = 0
    private var timer: Scheduled<Void>?

    init(_ state: HeadState) { self.state = state }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        let (before, wasInHead) = (state.headCount, state.isInHead)
        context.fireChannelRead(data)
        if state.headCount != before || !wasInHead {
            // What of these bytes begins the next head is counted with its next ones.
            timer?.cancel()
            (timer, byteCount) = (nil, 0)
            return
        }
        if timer == nil { begin(context) }
        byteCount += count
        if byteCount > Self.byteCountMax { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    /// Idle connections are browsers' own affair; once a byte of a head is here, the rest must follow.
    private func begin(_ context: ChannelHandlerContext) {
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: .seconds(Self.secondsMax)) { channel.close(promise: nil) }
    }
}

/// `HeadCounter` tells `HeadLimit` where heads end: right behind the decoder, before requests wait for one another.
final class HeadCounter: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let state: HeadState

    init(_ state: HeadState) { self.state = state }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            state.isInHead = false
            state.headCount += 1
        case .end: state.isInHead = true
        case .body: break
        }
        context.fireChannelRead(data)
    }
}
