// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

@testable import SessionSignals

/// A bus that is not there, goes away or is none.
@Suite(.serialized) struct LostBusTests {
    private static let isInstalled = PrivateBus.isInstalled

    /// A socket that is listened to, whose clients nobody answers.
    private final class Listener {
        let path = FileManager.default.temporaryDirectory.appending(path: "vault-mute-\(UUID().uuidString.prefix(8))")
            .path
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)

        init() {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                    _ = unsafe bind(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            listen(descriptor, 4)
        }

        deinit {
            close(descriptor)
            unsafe unlink(path)
        }

        func answer(_ bytes: [UInt8]) {
            let client = accept(descriptor, nil, nil)
            _ = unsafe bytes.withUnsafeBytes { unsafe write(client, $0.baseAddress!, $0.count) }
            close(client)
        }
    }

    private func expectDeaf(_ watch: SessionWatch) {
        #expect(watch.descriptor == -1)
        #expect(watch.secondsLeft == .infinity)
        #expect(watch.process() == nil)
    }

    @Test func withoutABusThereIsNoWatch() {
        #expect(SessionWatch(address: "unix:path=/nonexistent/bus") == nil)
        #expect(SessionWatch(address: "no address") == nil)
    }

    @Test func aBusThatSaysNothingHoldsNobodyUp() throws {
        let listener = Listener()
        let begin = Date()
        let watch = try #require(SessionWatch(address: "unix:path=" + listener.path))
        for _ in 0..<200 { #expect(watch.process() == nil) }
        #expect(Date().timeIntervalSince(begin) < 1)
        #expect(watch.descriptor >= 0)
        // The loop would spin on less.
        #expect(watch.secondsLeft > 1)
    }

    @Test(arguments: [
        ("", 1), ("REJECTED\r\n", 1), ("OK 0\r\n", 1), ("x", 100_000), ("\0\0\0\0\r\nl\u{1}\u{2}\u{3}", 1),
    ])
    func whatIsNoBusIsGivenUp(answer: String, times: Int) throws {
        let listener = Listener()
        let watch = try #require(SessionWatch(address: "unix:path=" + listener.path))
        #expect(watch.process() == nil)
        listener.answer(Array(String(repeating: answer, count: times).utf8))
        #expect(watch.event(within: 5, until: { watch.descriptor == -1 }) == nil)
        expectDeaf(watch)
    }

    @Test(.enabled(if: isInstalled, "needs dbus-daemon and python3-dbusmock"))
    func aBusThatGoesAwayIsNoEvent() throws {
        let bus = try PrivateBus()
        let watch = try bus.watch()
        bus.endBus()
        #expect(watch.event(within: 5, until: { watch.descriptor == -1 }) == nil)
        expectDeaf(watch)
    }

    @Test(.enabled(if: isInstalled, "needs dbus-daemon and python3-dbusmock"))
    func aLockThatNobodyCanExplainAnyMoreCountsAsOurs() throws {
        let bus = try PrivateBus()
        let watch = try bus.watch()
        try bus.tell("session others \(getuid() + 1)")
        try bus.tell("stall others 1")
        #expect(watch.event(within: 0.3) == nil)
        bus.endBus()
        let begin = Date()
        #expect(watch.event(within: 5) == .screenLock)
        #expect(Date().timeIntervalSince(begin) < 0.5)
        expectDeaf(watch)
    }
}
