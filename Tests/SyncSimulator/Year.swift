// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

@_spi(Simulation) import SyncEngine
import SyncSimulation

/// `YearProfile` is who works, and how much.
struct YearProfile {
    let name: String
    var days = 365
    let devices: Int
    /// Shares of the edits, by device.
    let shares: [Int]
    let edits: Int
    /// Notes that the first device has before it meets the others.
    let notes: Int
    /// Files that are added, in the mean.
    var filesAWeek = 0
    /// Their mean size, in bytes.
    var fileSize = 0
    /// The days on which the last device is away.
    var holiday = 180..<201
    // See `YearWorld`.
    var packsSpans = false
    var isAppendOnly = false

    /// 3 devices, 40 edits a day.
    static let person = YearProfile(name: "person", devices: 3, shares: [60, 25, 15], edits: 40, notes: 2000)
    /// 5 devices, 400 edits a day, 200 MB of files a week.
    static let heavy = YearProfile(
        name: "heavy", devices: 5, shares: [40, 25, 15, 10, 10], edits: 400, notes: 20_000, filesAWeek: 40,
        fileSize: 5_000_000)
    /// A year of the large case: 10 devices, which begin with 100,000 notes. It takes some minutes.
    static let large = YearProfile(
        name: "large", devices: 10, shares: [Int](repeating: 10, count: 10), edits: 400, notes: 100_000)
    /// A month of the person, for a test.
    static let short = YearProfile(
        name: "short", days: 30, devices: 3, shares: [60, 25, 15], edits: 40, notes: 200, holiday: 10..<17)
}

/// `Year` runs devices with the product's engine over an honest store, from one seed. Each day each device is unlocked
/// for eight hours in two sessions, around noon and not at night; a person writes at one device at a time, and changes
/// the device at each hour. Requests take no time, so a round is over at once.
struct Year {
    /// What came of it.
    struct Outcome {
        var counts = YearCounts()
        var editCount = 0
        var objectsMost = 0
        /// What the device that was away asks for until it has everything.
        var absence = YearCounts()
        var absenceSegments: UInt64 = 0
        /// What a device asks for that begins at the end with nothing.
        var clone = YearCounts()
        var failures: [String] = []
    }

    private enum Happening {
        case wake(Int)
        case sleep(Int)
        case edit
    }

    let profile: YearProfile
    let seed: UInt64
    let world: YearWorld
    private(set) var devices: [YearDevice]
    private(set) var outcome = Outcome()
    private var textSizes: [NoteID: Int] = [:]
    private var turns: [Int] = []
    private var hasCaughtUp = false
    private var wasBack = 0.0
    private static let day = 86_400.0

    init(_ profile: YearProfile, seed: UInt64) {
        (self.profile, self.seed) = (profile, seed)
        world = YearWorld(profile, seed: seed)
        devices = []
        for _ in 0..<profile.devices { devices.append(YearDevice(world)) }
    }

    mutating func run() {
        for _ in 0..<profile.notes { write(devices[0], isNew: true) }
        for day in 0..<profile.days { live(day) }
        outcome.counts = world.store.counts
        settle(Double(profile.days) * Self.day)
        clone(Double(profile.days + 1) * Self.day)
        check()
    }

    // MARK: A day

    private func time(_ hours: Double, _ width: Double) -> Double {
        (hours + width * Double(world.number(below: 3600)) / 3600) * 3600
    }

    private func isAway(_ device: Int, _ day: Int) -> Bool {
        device == profile.devices - 1 && profile.holiday.contains(day)
    }

    private mutating func live(_ day: Int) {
        let begin = Double(day) * Self.day
        var plan: [(time: Double, what: Happening)] = []
        for device in devices.indices where !isAway(device, day) {
            let start = time(8.5, 0.8)
            let (noon, after) = (time(12.4, 0.1), time(13.4, 0.1))
            plan.append((start, .wake(device)))
            plan.append((noon, .sleep(device)))
            plan.append((after, .wake(device)))
            plan.append((after + 8 * 3600 - (noon - start), .sleep(device)))
        }
        for _ in 0..<profile.edits {
            plan.append((world.number(below: 2) == 0 ? time(9.5, 2.8) : time(13.6, 3.4), .edit))
        }
        turns = (0..<24).map { _ in turn(day) }
        plan.sort { $0.time < $1.time }
        var at = 0
        while true {
            let due = devices.indices.min { devices[$0].timing.next < devices[$1].timing.next } ?? 0
            let (round, next) = (devices[due].timing.next, at < plan.count ? begin + plan[at].time : .infinity)
            guard round < .infinity || next < .infinity else { break }
            if next <= round {
                happen(plan[at].what, next, day)
                at += 1
            } else {
                work(due, round, day)
            }
        }
        let chains = world.store.objects.count
        outcome.objectsMost = max(outcome.objectsMost, chains + world.store.parts.count)
    }

    /// Chooses the device that a person sits at.
    private func turn(_ day: Int) -> Int {
        var rest = world.number(below: 100)
        for (device, share) in profile.shares.enumerated() {
            if rest < share { return isAway(device, day) ? 0 : device }
            rest -= share
        }
        return 0
    }

    private mutating func happen(_ what: Happening, _ now: Double, _ day: Int) {
        switch what {
        case .wake(let device): devices[device].wake(now)
        case .sleep(let device): devices[device].sleep()
        case .edit:
            let device = devices[turns[Int(now.truncatingRemainder(dividingBy: Self.day) / 3600)]]
            // Where it is asleep nobody writes.
            guard device.isAwake else { return }
            write(device, isNew: world.number(below: 100) < 20)
            device.timing.changed(now)
            outcome.editCount += 1
        }
    }

    private mutating func work(_ device: Int, _ now: Double, _ day: Int) {
        let kind = devices[device].timing.begin(now)
        let isBack = device == profile.devices - 1 && day >= profile.holiday.upperBound && !hasCaughtUp
        guard isBack else {
            devices[device].round(kind, now)
            return
        }
        if outcome.absence.rounds == 0 {
            outcome.absenceSegments = behind(devices[device])
            wasBack = now
        }
        let before = world.store.counts
        let trips = devices[device].round(kind, now)
        outcome.absence.add(world.store.counts - before, trips: trips, seconds: Int(now - wasBack))
        hasCaughtUp = behind(devices[device]) == 0
    }

    /// Says how many segments of others a device has not read.
    private func behind(_ device: YearDevice) -> UInt64 {
        devices.filter { $0 !== device }.reduce(0) { count, other in
            count + other.state.own.number - (device.state.chains[other.state.device]?.seen.number ?? 0)
        }
    }

    // MARK: Notes

    private mutating func write(_ device: YearDevice, isNew: Bool) {
        let note: NoteID
        if isNew || device.notes.isEmpty {
            note = world.identifier()
            // A thousand bytes in the mean, few of them much longer.
            let shape = Double(1 + world.number(below: 1000)) / 1000
            textSizes[note] = min(30_000, 200 + Int(400 / shape.squareRoot()))
        } else if world.number(below: 100) < 70 {
            note = device.notes[device.notes.count - 1 - world.number(below: min(200, device.notes.count))]
        } else {
            note = device.notes[world.number(below: device.notes.count)]
        }
        let parents = device.graphs[note]?.heads ?? []
        let size = (textSizes[note] ?? 0) + world.number(below: 64)
        textSizes[note] = size
        var body = YearSizes.body(parents: parents.count, text: size)
        let id = world.identifier()
        if outcome.editCount > 0, world.number(below: profile.edits * 7) < profile.filesAWeek {
            world.files[id] = profile.fileSize / 4 + world.number(below: profile.fileSize * 3 / 2)
            body += 330
        }
        device.write(Entry(id: id, note: note, parents: parents, body: world.body(body)))
    }

    // MARK: The end

    /// Lets all devices read and send until nothing is left.
    private func settle(_ now: Double) {
        for device in devices { device.wake(now) }
        for number in 1...4 {
            for device in devices { device.round(.all, now + Double(number) * 400) }
        }
    }

    /// Reads everything as a new device, in rounds that it begins by itself, while nobody else is awake.
    private mutating func clone(_ begin: Double) {
        let device = YearDevice(world)
        device.wake(begin)
        while device.known.count < devices[0].known.count, outcome.clone.rounds < 500 {
            let now = device.timing.next
            let before = world.store.counts
            let trips = device.round(device.timing.begin(now), now)
            outcome.clone.add(world.store.counts - before, trips: trips, seconds: Int(now - begin))
        }
        devices.append(device)
        settle(begin + 2 * Self.day)
    }

    private mutating func check() {
        let first = devices[0]
        for (index, device) in devices.enumerated() {
            if device.known != first.known {
                outcome.failures.append("device \(index) has \(device.known.count) entries of \(first.known.count)")
            }
            let differing = first.notes.count { device.graphs[$0]?.heads != first.graphs[$0]?.heads }
            if differing > 0 { outcome.failures.append("device \(index): \(differing) notes have other heads") }
            if !device.engine.isIdle { outcome.failures.append("device \(index) has something left to say") }
            if !device.alarms.isEmpty { outcome.failures.append("device \(index): \(device.alarms.prefix(3))") }
        }
        if first.known.count < outcome.editCount { outcome.failures.append("edits are missing") }
    }
}
