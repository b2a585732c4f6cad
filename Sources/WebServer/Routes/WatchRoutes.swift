// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import Presentation

/// `WatchRoutes` tells a page what changes, as an event stream (HTML, section 9.2): `changed` with what `watch --json`
/// prints, `locked` when the vault was locked.
enum WatchRoutes {
    static let all: [Route] = [Route(.GET, "/events", .nothing, run)]

    /// Milliseconds between looks whether the page is still there.
    private static let lookMilliseconds: Int32 = 1000

    @Sendable private static func run(_ site: Site, _ exchange: Exchange) throws(ClientFailure) -> Answer {
        let isRoom = site.streamCount.withLockedValue { count in
            guard count < Site.eventStreamCountMax else { return false }
            count += 1
            return true
        }
        guard isRoom else { return Answer(.tooManyRequests) }
        site.streamChanges.withLockedValue { $0 += 1 }
        var answer = Answer(.ok, [], "text/event-stream")
        answer.stream = { writer in
            defer { leave(site, exchange) }
            do throws(ClientFailure) { try watch(site, writer) } catch {
                if error.outcome.code == .locked {
                    _ = writer.write(ByteBuffer(string: "event: locked\ndata: {}\n\n"))
                }
            }
        }
        return answer
    }

    /// Counts a page out. When none has come back for a while, its window was closed: what was typed in it are drafts.
    private static func leave(_ site: Site, _ exchange: Exchange) {
        site.streamCount.withLockedValue { $0 -= 1 }
        let change = site.streamChanges.withLockedValue { changes in
            changes += 1
            return changes
        }
        exchange.channel.eventLoop.scheduleTask(in: .seconds(20)) {
            let isAlone = site.streamCount.withLockedValue { $0 == 0 }
            if isAlone, site.streamChanges.withLockedValue({ $0 == change }) { site.edits.forgetAll() }
        }
    }

    private static func watch(_ site: Site, _ writer: BodyWriter) throws(ClientFailure) {
        let line = try site.agents.new()
        let watch = WatchNotes(since: nil)
        try line.connection.send(watch)
        var quiet = 0
        while writer.isOpen {
            var look = pollfd(fd: line.connection.descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&look, 1, lookMilliseconds) > 0 else {
                quiet += 1
                // A comment: a connection that is gone is seen by writing to it.
                if quiet % 15 == 0, !writer.write(ByteBuffer(string: ":\n\n")) { return }
                continue
            }
            quiet = 0
            guard let event = try line.connection.next() else { continue }
            switch event {
            case .reply(let bytes):
                let text = AgentLine.json(watch, [try line.connection.reply(bytes, to: watch)])
                var buffer = ByteBuffer(string: "event: changed\ndata: ")
                buffer.writeBytes(text.filter { $0 != 0x0A && $0 != 0x0D })
                buffer.writeString("\n\n")
                guard writer.write(buffer) else { return }
            case .end(let outcome): throw ClientFailure(outcome)
            case .notice, .progress, .editText, .attachment, .picture, .secret: continue
            }
        }
    }
}
