// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Sandbox
internal import WebProtocol

/// `WebServer` is all of `vault-web`: it answers browsers of its own user on one address of this machine, and asks the
/// agent for everything that it shows.
///
/// It has no file, no key and no way to connect or to start anything: what it needs is passed to it
/// (docs/web-protocol.md §1). If compromised, it can do at most what an open vault's owner can.
public struct WebServer {
    private let start: WebStart
    private let supervisor: Supervisor
    private let listener: Int32
    private let diagnosis: Int32

    /// Threads that ask agents and wait for them, and for readers: one for each connection that there may be, so that
    /// readers that stop reading keep nobody else from an answer.
    private static let workerCount = 32
    static let connectionCountMax = 32

    /// Takes what `vault` has opened for it.
    ///
    /// - Returns: nil if the channel did not say what to serve.
    public init?(channel: Int32, listener: Int32, diagnosis: Int32) {
        let channel = WebChannel(channel)
        guard let packet = channel.receive(max: WebStart.byteCountMax), packet.passed == nil,
            let start = try? WebStart(parsing: packet.bytes)
        else { return nil }
        self.start = start
        supervisor = Supervisor(channel)
        (self.listener, self.diagnosis) = (listener, diagnosis)
    }

    /// Serves until the vault locks, `vault` ends, or its time is over.
    ///
    /// - Parameter isSanitized: a sanitizer has its own allocator, and its shadow takes terabytes of addresses.
    /// - Returns: the process's exit code: 11 where it cannot be confined.
    public func run(isSanitized: Bool = false) -> Int32 {
        guard Sandbox.enterForWeb(isSanitized: isSanitized) else { return 11 }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let workers = NIOThreadPool(numberOfThreads: Self.workerCount)
        workers.start()
        guard let site = Site(start, supervisor, workers) else { return 11 }
        let (diagnosis, uid) = (diagnosis, getuid())
        let count = ConnectionCount()
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 32)
            // Nobody is accepted before the filter is loaded.
            .serverChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 4)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard count.take(channel), PeerCheck.isOurs(channel, diagnosis, uid) else {
                        throw Refused()
                    }
                    try Self.setUp(channel, site)
                }
            }
        guard let server = try? bootstrap.withBoundSocket(listener).wait(), Sandbox.closeForWeb() else { return 11 }
        guard (try? server.setOption(.autoRead, value: true).wait()) != nil, supervisor.ready() else { return 11 }
        server.read()
        site.waitForEnd()
        // Answers that are on the way get a moment.
        usleep(200_000)
        return 0
    }

    private struct Refused: Error {}

    private static func setUp(_ channel: any NIOCore.Channel, _ site: Site) throws {
        let head = HeadState()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HeadLimit(head))
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
        try pipeline.addHandler(HeadCounter(head))
        try pipeline.addHandler(HTTPServerPipelineHandler())
        try pipeline.addHandler(RequestGate(site))
    }
}

/// `ConnectionCount` counts connections that are open.
final class ConnectionCount: Sendable {
    private let count = NIOLockedValueBox(0)

    /// Counts a connection until it closes; false when there are too many.
    func take(_ channel: any NIOCore.Channel) -> Bool {
        let isRoom = count.withLockedValue { value in
            value += 1
            return value <= WebServer.connectionCountMax
        }
        channel.closeFuture.whenComplete { [count] _ in count.withLockedValue { $0 -= 1 } }
        return isRoom
    }
}

/// `PeerCheck` says whether the browser at the other end runs as the user of this server.
enum PeerCheck {
    /// Fails closed: where the kernel does not say whose a connection is, it is nobody's.
    static func isOurs(_ channel: any NIOCore.Channel, _ diagnosis: Int32, _ uid: uid_t) -> Bool {
        guard let peer = channel.remoteAddress, let own = channel.localAddress else { return false }
        var found: uid_t = 0
        let isKnown = unsafe peer.withSockAddr { peer, _ in
            unsafe own.withSockAddr { own, _ in unsafe vs_peer_user(diagnosis, peer, own, &found) == 0 }
        }
        return isKnown && found == uid
    }
}
