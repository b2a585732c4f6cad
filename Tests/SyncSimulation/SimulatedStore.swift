// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import SyncEngine

/// What lies in a store.
enum StoredObject {
    case segment(OpenedSegment)
    case span([OpenedSegment])
    case card
    case torn
}

/// A place under the keys of one header: under others it has another name.
struct Address: Hashable {
    let place: Place
    let header: Digest
}

/// A store that has every fault a store can have, each at the chance that the scenario gives.
struct SimulatedStore {
    private struct Put {
        let address: Address
        let object: StoredObject
        let visible: Int64
    }

    var scenario: Scenario
    private(set) var objects: [Address: StoredObject] = [:]
    private var delayed: [Put] = []
    private var old: [Address: StoredObject] = [:]
    /// The chain that one reader is not shown, and the reader.
    var hidden: (writer: DeviceID, reader: Int)?
    /// Of all that was ever acknowledged.
    private(set) var acknowledged: Set<Address> = []
    /// Whether a fault was played that an honest store does not have.
    private(set) var hasLied = false
    /// Whether what it once had may be gone for good.
    private(set) var hasRewound = false

    init(scenario: Scenario) { self.scenario = scenario }

    mutating func put(_ address: Address, _ object: StoredObject, now: Int64, _ random: inout SeededRandom) -> Bool {
        if random.chance(scenario.putsFailed) { return false }
        if random.chance(scenario.putsTorn) {
            if objects[address] == nil { objects[address] = .torn }
            return false
        }
        if address.place.kind == .segment, random.chance(scenario.putsLied) {
            hasLied = true
            return true
        }
        if random.chance(scenario.putsDelayed) {
            delayed.append(Put(address: address, object: object, visible: now + Int64(random.next() % 300)))
        } else {
            objects[address] = object
        }
        // The answer may be lost on its way.
        if random.chance(scenario.putsFailed) { return false }
        acknowledged.insert(address)
        return true
    }

    mutating func get(_ address: Address, reader: Int, now: Int64, _ random: inout SeededRandom) -> Answer {
        arrive(now)
        if random.chance(scenario.getsFailed) { return .failed }
        if let hidden, hidden.reader == reader, hidden.writer == address.place.device { return .absent }
        switch objects[address] {
        case nil: return .absent
        case .torn, .card: return .unreadable
        case .segment(let opened): return .segment(opened)
        case .span(let segments): return .span(segments)
        }
    }

    mutating func list(
        epoch: UInt32, header: Digest, reader: Int, now: Int64, _ random: inout SeededRandom
    ) -> [DeviceID] {
        arrive(now)
        var found: [DeviceID] = []
        for key in objects.keys where key.place.kind == .card && key.place.epoch == epoch && key.header == header {
            found.append(key.place.device)
        }
        found.sort()
        if let hidden, hidden.reader == reader { found.removeAll { $0 == hidden.writer } }
        return found.filter { _ in !random.chance(scenario.listsShort) }
    }

    mutating func delete(_ address: Address) { objects[address] = nil }

    mutating func plant(_ address: Address, _ object: StoredObject) { objects[address] = object }

    mutating func arrive(_ now: Int64) {
        guard !delayed.isEmpty else { return }
        for put in delayed where put.visible <= now { objects[put.address] = put.object }
        delayed.removeAll { $0.visible <= now }
    }

    mutating func remember() { old = objects }

    mutating func rewind() {
        guard !old.isEmpty else { return }
        objects = old
        hasLied = true
        hasRewound = true
    }

    mutating func hide(_ writer: DeviceID, from reader: Int) {
        hidden = (writer, reader)
        hasLied = true
    }

    mutating func becomeFaultless() {
        scenario = scenario.faultless
        arrive(.max)
        hidden = nil
    }
}
