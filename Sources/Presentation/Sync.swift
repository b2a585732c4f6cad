// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

// What was read and sent over remotes, and what their owner must know.

extension SyncNow: Presented {
    public func present(_ reply: SyncReport, on page: inout Page) {
        page.report(reply) { synced in
            let read = Quantity.changes(synced.receivedCount, "received")
            return "\(read), \(Quantity.changes(synced.sentCount, "sent"))"
        }
    }
}

extension SyncStatus: Presented {
    public func present(_ reply: SyncReport, on page: inout Page) {
        let shown = page
        page.report(reply) { synced in
            let age = synced.remote.synced == 0 ? "never synced" : "as of \(shown.clock.text(synced.remote.synced))"
            let pending =
                synced.pendingCount == 0 ? "everything sent" : Quantity.changes(synced.pendingCount, "to be sent")
            let now = synced.remote.isPaused ? "; paused" : synced.isRunning ? "; syncing now" : ""
            return "\(age); \(pending)\(now)\(synced.remote.signInEnd(on: shown))"
        }
        guard !page.style.json else { return }
        for device in reply.remotes.flatMap(\.devices) where !device.isRetired { page.output(device.line) }
    }
}

extension CloneVault: Presented {
    public func present(_ reply: ClonedVault, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer([
                    ("cloned", .bool(true)), ("vault", .string(reply.vault)), ("headerCounter", .count(reply.counter)),
                ]))
        }
        page.output("cloned vault \(reply.vault), header \(reply.counter)\n")
    }
}

extension Page {
    fileprivate mutating func report(_ reply: SyncReport, _ line: (SyncedRemote) -> String) {
        if style.json {
            return json(
                .answer([
                    ("remotes", .array(reply.remotes.map { .synced($0) })), ("joined", .count(reply.joinedCount)),
                ]))
        }
        for synced in reply.remotes {
            let failure = synced.failure.isEmpty ? "" : "; \(synced.failure)"
            output("\(synced.remote.name): \(line(synced))\(failure)\n")
            for alarm in synced.alarms { talk("vault: warning: \(alarm.words(of: synced.remote.name))") }
            if let warning = synced.remote.signInWarning(on: self) { talk("vault: warning: \(warning)") }
        }
    }
}

extension SyncAlarm {
    func words(of remote: String) -> String {
        let device = "device \(SafeText.singleLine(String(device.prefix(6))))"
        return switch kind {
        case .forked:
            "\(device) published two changes with one number: '\(remote)' shows devices different data, or that device was restored; nothing is lost"
        case .setBack: "this vault was restored to an older state; it continues as a new device, and nothing is lost"
        case .hidden: "others have read changes from \(device) that '\(remote)' does not show here"
        case .lost: "'\(remote)' has lost what it once had; it was sent again"
        case .unreadable: "data from \(device) on '\(remote)' does not open, and has not for some time"
        case .massChange:
            "\(device) removes \(count) notes at once; they are still here. If that was you: vault sync now --accept-removals"
        case .rotated:
            "the vault's key was changed here: vault remote rm \(remote), add it again, and clone the other devices again"
        case .endedElsewhere: "another device has changed the vault's key: vault sync follow adopts it"
        case .endedTwice:
            "the vault's key was changed on two devices at once, and the other device's key is used: run vault clone on another account or machine, then vault adopt there to merge this vault. If you changed it only once, somebody with the old key did this, and it does not matter"
        case .newerFormat: "a newer program has written to '\(remote)': update vault to read it"
        case .malformed: "a device has written to '\(remote)' data that is not valid; the rest of it is not read"
        case .notWhole:
            "the device that changed the vault's key has not sent everything yet, and nothing is sent until it has. If it is lost: vault sync now --speak-first"
        case .keyNeedsMemory:
            "the vault's new password needs more memory than this machine has; the old one opens it here: vault passwd sets one for both"
        case .olderThanCode:
            "'\(remote)' shows an older or another state than the pairing code named: vault sync now on the device that made the code, then here"
        case .withheld:
            "your remotes show different things: '\(remote)' withholds from this device what \(device) has stored there, as '\(other)' says; nothing is lost, and what '\(other)' shows is taken over"
        case .newKeys:
            "another device has changed passwords or keys of the vault; they count here from now on: vault key ls"
        }
    }

    var word: String {
        switch kind {
        case .forked: "forked"
        case .setBack: "setBack"
        case .hidden: "hidden"
        case .lost: "lost"
        case .unreadable: "unreadable"
        case .massChange: "massChange"
        case .rotated: "rotated"
        case .endedElsewhere: "endedElsewhere"
        case .newerFormat: "newerFormat"
        case .malformed: "malformed"
        case .newKeys: "newKeys"
        case .notWhole: "notWhole"
        case .keyNeedsMemory: "keyNeedsMemory"
        case .endedTwice: "endedTwice"
        case .olderThanCode: "olderThanCode"
        case .withheld: "withheld"
        }
    }
}

extension SyncedDevice {
    /// To be compared with what another device says.
    fileprivate var line: String {
        let read = number == 0 ? "nothing" : "\(number) \(hash)"
        return
            "  device \(device.prefix(6)): \(read)\(isThis ? ", this one" : "")\(isAwaited ? ", still has the old key" : "")\n"
    }
}

extension JSONText {
    static func device(_ device: SyncedDevice) -> JSONText {
        .object([
            ("device", .string(device.device)), ("number", .count(device.number)), ("hash", .string(device.hash)),
            ("this", .bool(device.isThis)), ("retired", .bool(device.isRetired)), ("awaited", .bool(device.isAwaited)),
        ])
    }

    fileprivate static func synced(_ synced: SyncedRemote) -> JSONText {
        .object([
            ("remote", .remote(synced.remote)), ("received", .count(synced.receivedCount)),
            ("sent", .count(synced.sentCount)), ("pending", .count(synced.pendingCount)),
            ("devices", .array(synced.devices.map { .device($0) })), ("syncing", .bool(synced.isRunning)),
            ("failure", synced.failure.isEmpty ? .null : .string(synced.failure)),
            (
                "alarms",
                .array(
                    synced.alarms.map { alarm in
                        .object([
                            ("kind", .string(alarm.word)),
                            ("device", alarm.device.isEmpty ? .null : .string(alarm.device)),
                            ("count", .count(alarm.count)),
                            ("other", alarm.other.isEmpty ? .null : .string(alarm.other)),
                        ])
                    })
            ),
        ])
    }
}

extension Quantity {
    static func changes(_ count: Int, _ what: String) -> String {
        "\(grouped(count)) change\(count == 1 ? "" : "s") \(what)"
    }
}
