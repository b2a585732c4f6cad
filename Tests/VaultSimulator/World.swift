// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSeededMachine
import Foundation
import SyncEngine
import VaultFormat

@testable import VaultAgent
@testable import VaultCore

/// `World` is one run: devices with real vaults, a store and the time, in one process and from one seed.
///
/// A step is something that a person does, or one step of a host: a request that reaches the store, an answer that
/// comes back, or an effect.
final class World {
    let seed: UInt64
    let weather: Weather
    let root: URL
    let chance = Chance()
    let store: FaultyStore
    /// Is told what happens.
    let say: ((String) -> Void)?
    var devices: [Device] = []
    /// What opens the vault, by epoch.
    var keys: [[UInt8]]
    var edits: [Device.Edit] = []
    /// Notes that were given a password.
    var protected: Set<VaultFormat.NoteID> = []
    var counts = Counts()
    private(set) var failures: [String] = []
    var isSettling = false
    /// Keys that must open nothing any more, and the device that has taken each away.
    var removedSlots: [[UInt8]: Int] = [:]
    private var lineCount = 0

    init(seed: UInt64, _ weather: Weather, in root: URL, _ template: Template, say: ((String) -> Void)? = nil) throws {
        (self.seed, self.weather, self.root, self.say) = (seed, weather, root, say)
        store = FaultyStore(weather.faultless, chance)
        keys = [template.recoveryKey]
        chance.begin(0, of: seed)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: template.folder, to: folder(of: 0))
        let first = try Device(0, self, pins: pins(of: 0))
        devices = [first]
        try first.addRemote()
        for _ in 0..<2 { try first.create() }
        sync(first)
        for _ in 0..<1 + chance.below(2) { _ = try clone() }
        for device in devices { sync(device) }
        store.weather = weather
    }

    /// Plays parts of the run, lets it settle, and looks what came of it.
    func run(_ parts: [Int]) {
        for part in parts where failures.isEmpty {
            chance.begin(part + 1, of: seed)
            sm_wait(Int64(chance.below(40_000)))
            let device = devices[chance.below(devices.count)]
            guard !device.isGone else { continue }
            attempt("device \(device.index)") { try act(device) }
        }
        chance.begin(1 << 30, of: seed)
        guard failures.isEmpty else { return }
        isSettling = true
        attempt("settling") { try settle() }
    }

    func end() {
        for device in devices { device.end() }
        devices = []
        try? FileManager.default.removeItem(at: root)
    }

    var now: Int64 { sm_now() }
    func folder(of device: Int) -> URL { root.appending(path: "\(device)-vault") }
    func pins(of device: Int) -> PinStore { PinStore(folder: root.appending(path: "\(device)-pins").path) }
    func trace(_ words: @autoclosure () -> String) { say?(words()) }

    func fail(_ what: String) {
        trace("FAILURE: \(what)")
        if failures.count < 4 { failures.append(what) }
    }

    private func attempt(_ what: String, _ body: () throws -> Void) {
        do { try body() } catch let error as VaultError { fail("\(what): \(error.code)") } catch {
            fail("\(what): \(error)")
        }
    }

    func newLine() -> String {
        lineCount += 1
        return "\(Marker.text) line \(lineCount)"
    }

    // MARK: What happens

    private func act(_ device: Device) throws {
        counts.steps += 1
        if try rare(device) { return }
        let words = try play(device)
        trace("device \(device.index) \(words)")
        try work(device, until: chance.below(60))
    }

    /// - Returns: what was done, in words.
    private func play(_ device: Device) throws -> String {
        switch chance.below(100) {
        case ..<8:
            try device.create()
            return "creates"
        case ..<26:
            try device.edit()
            return "edits"
        case ..<34:
            try device.describe()
            return "describes"
        case ..<38:
            try device.throwAway()
            return "throws away"
        case ..<40:
            try device.takeBack()
            return "takes back"
        case ..<42:
            try device.purge()
            return "purges"
        case ..<45:
            try device.attach()
            return "attaches"
        case ..<48:
            try device.settle()
            return "settles a conflict"
        case ..<50:
            try device.store.recordProgress()
            return "records its progress"
        case ..<52:
            try device.reopen()
            return "is locked and unlocked"
        case ..<55:
            let backup = root.appending(path: "\(device.index)-backup")
            try device.copy(to: backup)
            device.backup = backup
            return "is backed up"
        case ..<57:
            store.remember()
            return "is there while the store is remembered"
        default:
            let round = chance.pick([SyncRound.all, .all, .look, .send]) ?? .all
            device.host?.begin(round)
            return "syncs: \(round)"
        }
    }

    /// Does a little for a device's remote, or all that there is.
    func work(_ device: Device, until count: Int) throws {
        try finishRotation(of: device)
        for _ in 0..<count where failures.isEmpty {
            guard device.host?.isRunning == true || device.syncing.hasWork else { return }
            if !isSettling, chance.isNow(store.weather.kills) {
                counts.kills += 1
                trace("device \(device.index) is killed")
                return try device.kill()
            }
            sm_tick(11)
            _ = device.syncing.step()
            sm_tick(0)
            counts.steps += 1
            inspect(device)
        }
    }

    /// A whole round, or as far as the store lets it come.
    func sync(_ device: Device) {
        device.host?.begin()
        do {
            try work(device, until: 4000)
        } catch { fail("device \(device.index): \(error)") }
        if device.host?.isRunning == true, failures.isEmpty { fail("a round of device \(device.index) does not end") }
    }

    /// What is counted.
    struct Counts {
        var steps = 0
        var runs = 0
        var kills = 0
        var restores = 0
        var alarms = 0
        var conflicts = 0
        var entries = 0
        var requests = 0
        var rotations = 0

        mutating func add(_ other: Counts) {
            steps += other.steps
            runs += other.runs
            kills += other.kills
            restores += other.restores
            alarms += other.alarms
            conflicts += other.conflicts
            entries += other.entries
            requests += other.requests
            rotations += other.rotations
        }
    }
}
