// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import VaultFormat

@testable import VaultAgent
@testable import VaultCore

/// This extension changes the vault's key on one device, and takes it over on the others.
extension World {
    /// As `vault rotate` does it: after a round that has read everything. No two devices do it at once: what comes of
    /// that no owner wants, and level 1 plays it.
    func rotate(_ device: Device) throws -> Bool {
        guard keys.count < 4, devices.allSatisfy({ $0.isGone || $0.store.header.epoch == device.store.header.epoch }),
            let host = device.host
        else { return false }
        sync(device)
        guard device.host === host, host.refusalOfEndedEpoch == nil,
            host.refusalOfRotation(besides: Revocation()) == nil,
            host.refusalOfOldState == nil
        else { return true }
        trace("device \(device.index) changes the key")
        counts.rotations += 1
        let key = (0..<RecoveryKey.byteCount).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
        let next = try NextEpoch(
            proof(for: device.store), .recoveryKey(secret(key)), name: "next", cost: .recommended,
            targetMilliseconds: 0, withRecoveryKey: false)
        keys.append(key)
        try rotate(device, to: next)
        return true
    }

    private func proof(for store: OpenVault) throws -> KeyslotProof {
        for key in keys.reversed() {
            if let proof = try? KeyslotProof(store.header, .recoveryKey(secret(key))) { return proof }
        }
        throw VaultError(.wrongPassword)
    }

    private func rotate(_ device: Device, to next: NextEpoch) throws {
        let start = try RotationStart(device.store, next, RotationPlan(device.store.rotation.planRequest()))
        while try start.step() {}
        if try isKilled(device) { return }
        let file = start.descriptorToSync()
        guard fdatasync(file) == 0, close(file) == 0 else { throw VaultError(.saveFailed) }
        guard try !start.mustWait() else { throw VaultError(.busy) }
        try start.commit()
        if try isKilled(device) { return }
        try finishRotation(of: device)
    }

    private func isKilled(_ device: Device) throws -> Bool {
        guard !isSettling, chance.isNow(weather.kills * 10) else { return false }
        counts.kills += 1
        trace("device \(device.index) is killed while its key is changed")
        try device.kill()
        return true
    }

    /// Goes on with what is sealed under the key of before, wherever that has stopped.
    func finishRotation(of device: Device) throws {
        while device.store.isRotating {
            if try isKilled(device) { continue }
            switch try device.store.rotation.step() {
            case .more: break
            case .file(let file):
                try device.store.rotation.replace(file, commitment: file.work { _ in true }.get())
            case .done: return
            }
        }
    }

    /// As `vault sync follow` does it.
    ///
    /// - Returns: whether another device's key was taken over.
    func takeOver(_ device: Device) throws -> Bool {
        guard let host = device.host, host.problems.contains(.endedElsewhere) else { return false }
        let headers = try headers()
        for key in keys.reversed() {
            do throws(VaultError) {
                let given = try FollowedKey(
                    headers, endings: host.endings, following: device.store.header, .recoveryKey(secret(key)))
                let next = try NextEpoch(following: device.store.header, given)
                trace("device \(device.index) takes the key over")
                do { try rotate(device, to: next) } catch { throw VaultError.translated(error) }
                return true
            } catch {
                guard error.code == .wrongPassword || error.code == .notFound else { throw error }
            }
        }
        return false
    }
}
