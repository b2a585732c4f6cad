// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc

@testable import SessionSignals

/// A message bus of the test's own with python3-dbusmock's logind on it, and a watch that listens there.
final class PrivateBus {
    /// Python as the system has it: dbusmock is a package of the system.
    private static let python = "/usr/bin/python3"
    private static let daemon = "/usr/bin/dbus-daemon"

    static let isInstalled: Bool = {
        guard FileManager.default.isExecutableFile(atPath: daemon), FileManager.default.isExecutableFile(atPath: python)
        else { return false }
        let probe = try? LineProcess(
            python, ["-c", "import dbusmock.templates.logind, gi.repository.GLib; print('there')"])
        return (try? probe?.line()) == "there"
    }()

    let address: String
    private let folder: URL
    private let bus: LineProcess
    private let logind: LineProcess

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "vault-bus-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        address = "unix:path=\(folder.path)/bus"
        let settings = """
            <busconfig><listen>\(address)</listen><auth>EXTERNAL</auth><policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
            """
        try settings.write(to: folder.appending(path: "bus.conf"), atomically: false, encoding: .utf8)
        bus = try LineProcess(
            Self.daemon, ["--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile", "--print-address=1"])
        _ = try bus.line()
        let helper = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "logind.py").path
        logind = try LineProcess(Self.python, [helper, address])
        _ = try logind.line()
    }

    deinit {
        logind.end()
        bus.end()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Has logind do something; returns what it says.
    @discardableResult func tell(_ command: String) throws -> String {
        try logind.send(command)
        return try logind.line()
    }

    /// Whether logind comes to know of just these inhibitors: it hears of a closed descriptor when its loop comes round
    /// to it.
    func showsInhibitors(_ wanted: String) throws -> Bool {
        for _ in 0..<500 {
            if try tell("inhibitors") == wanted { return true }
            usleep(10_000)
        }
        return false
    }

    func endBus() { bus.end() }

    /// A watch that logind knows of.
    func watch() throws -> SessionWatch {
        guard let watch = SessionWatch(address: address) else { throw LineProcess.Failure() }
        let event = watch.event(within: 10) { watch.holdsInhibitor }
        guard event == nil, watch.holdsInhibitor else { throw LineProcess.Failure() }
        return watch
    }
}

extension SessionWatch {
    /// The first event within a time, from a loop like the agent's. Ends early when `condition` holds.
    func event(within seconds: Double = 10, until condition: () -> Bool = { false }) -> Event? {
        let end = Date().addingTimeInterval(seconds)
        repeat {
            if let event = process() { return event }
            if condition() { return nil }
            var descriptor = pollfd(fd: descriptor, events: events, revents: 0)
            let wait = min(secondsLeft, max(0, end.timeIntervalSinceNow))
            unsafe poll(&descriptor, 1, Int32((wait * 1000).rounded(.up)))
        } while end.timeIntervalSinceNow > 0
        return nil
    }
}
