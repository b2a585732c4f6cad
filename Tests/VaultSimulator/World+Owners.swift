// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSeededMachine
import Foundation
import SecretMemory
import SyncEngine
import SyncProtocol
import VaultFormat

@testable import VaultAgent
@testable import VaultCore

import struct VaultFormat.RevisionID

/// This extension does what owners do with their devices, and what a malicious store does.
extension World {
    /// - Returns: whether something of this happened now.
    func rare(_ device: Device) throws -> Bool {
        let weather = weather
        if chance.isNow(weather.restores) { return try restore(device) }
        if chance.isNow(weather.copies), devices.count < 6 { return try copy(device) }
        if chance.isNow(weather.clones), devices.count < 6 { return try clone() }
        if chance.isNow(weather.retirements) { return try retire(device) }
        if chance.isNow(weather.keyslots) { return try changeKeyslots(device) }
        if chance.isNow(weather.privateNotes) {
            trace("device \(device.index) gives a note a password")
            try device.protect()
            return true
        }
        if chance.isNow(weather.rotations) { return try rotate(device) }
        if chance.isNow(weather.rewinds) {
            trace("the store goes back")
            store.rewind()
            return true
        }
        if chance.isNow(weather.hidings), let other = chance.pick(devices), other !== device {
            trace("the store hides device \(other.index) from device \(device.index)")
            store.hide(other.index, from: device.index)
            return true
        }
        return false
    }

    /// The folder is set back to what was copied, and its owner accepts that. What was told to nobody is lost with it.
    private func restore(_ device: Device) throws -> Bool {
        guard let backup = device.backup else { return false }
        trace("device \(device.index) is restored")
        try forgetUntold(of: device)
        counts.restores += 1
        try device.restore(backup)
        try work(device, until: chance.below(40))
        return true
    }

    private func forgetUntold(of device: Device) throws {
        guard let host = device.host else { return }
        _ = try device.store.remotes.tellNew(over: host.name)
        let sent = host.engine.state.sentThrough
        var untold: Set<RevisionID> = []
        var position = sent
        while true {
            let entries = try device.store.remotes.toTell(over: host.name, after: position)
            guard let last = entries.last else { break }
            untold.formUnion(entries.map(\.entry.revisionID))
            position = last.position
        }
        edits.removeAll { $0.device == device.index && untold.contains($0.revision) }
        removedSlots = removedSlots.filter { $0.value != device.index }
    }

    /// The folder is copied to another machine, and both go on.
    private func copy(_ device: Device) throws -> Bool {
        let index = devices.count
        trace("device \(device.index) is copied to device \(index)")
        try device.copy(to: folder(of: index))
        devices.append(try Device(index, self, pins: pins(of: index)))
        try work(devices[index], until: chance.below(40))
        return true
    }

    /// A new device, from the store alone.
    ///
    /// - Returns: whether there was something to make it of.
    @discardableResult
    func clone() throws -> Bool {
        let index = devices.count
        guard try makeVault(of: index) else { return false }
        trace("device \(index) is cloned")
        let device = try Device(index, self, pins: pins(of: index))
        guard try device.canBeAdded() else {
            device.end()
            try FileManager.default.removeItem(at: folder(of: index))
            try FileManager.default.removeItem(atPath: device.pins.folder)
            return false
        }
        devices.append(device)
        try device.addRemote()
        device.host?.begin()
        try work(device, until: chance.below(200))
        return true
    }

    private func makeVault(of index: Int) throws -> Bool {
        let headers = try headers()
        for key in keys.reversed() where !headers.isEmpty {
            do throws(VaultError) {
                _ = try VaultClone.make(
                    headers, at: Array(folder(of: index).path.utf8), .recoveryKey(secret(key)), pins: pins(of: index))
                return true
            } catch {
                guard error.code == .wrongPassword || error.code == .oldKey else { throw error }
            }
        }
        return false
    }

    /// Returns the headers that the store shows, the newest first.
    func headers() throws -> [UnverifiedHeader] {
        let identity = devices[0].store.header.identity
        return try store.names(of: .header).reversed().compactMap { name in
            guard let listed = RemoteHeaderName(listed: name.text), let bytes = store.files[name] else { return nil }
            return try RemoteHeaders.parse(bytes, named: listed, of: identity)
        }
    }

    /// The owner gives a device up, on another one; half of them are lost indeed.
    private func retire(_ device: Device) throws -> Bool {
        guard let other = chance.pick(devices), other !== device, !other.isGone, other.index > 0,
            devices.count(where: { !$0.isGone }) > 2, let host = device.host, let gone = other.host
        else { return false }
        trace("device \(other.index) is given up on device \(device.index)")
        if chance.isNow(500) {
            try forgetUntold(of: other)
            other.isGone = true
        }
        try host.retire([gone.engine.state.device])
        return true
    }

    /// A key is added, or one is taken away that was added before.
    private func changeKeyslots(_ device: Device) throws -> Bool {
        guard device.store.header.epoch == 1 else { return false }
        let added = try device.store.keyslots.all().filter { $0.name.hasPrefix(Marker.text) }
        let proof = try KeyslotProof(device.store.header, .recoveryKey(secret(keys[0])))
        if added.isEmpty || chance.isNow(600) {
            let key = (0..<RecoveryKey.byteCount).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
            let slot = try NewKeyslot(
                proof, .recoveryKey(secret(key)), name: "\(Marker.text) \(chance.next())", cost: .recommended,
                targetMilliseconds: 0)
            guard device.store.header.keyslots.count < UnverifiedHeader.keyslotCountMax else { return false }
            trace("device \(device.index) adds a key")
            try device.store.keyslots.add(slot, proof)
        } else if let slot = chance.pick(added) {
            trace("device \(device.index) takes a key away")
            removedSlots[slot.slotID] = device.index
            try device.store.keyslots.remove(slot.slotID, proof)
        }
        return true
    }
}
