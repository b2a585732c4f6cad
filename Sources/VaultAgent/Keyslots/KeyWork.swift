// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Synchronization
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `KeyWork` is what is derived from credentials away from the loop: the proof of the present one, then what is to be
/// made with it.
struct KeyWork: Sendable {
    enum Making: Sendable {
        case nothing
        /// A slot for the second credential; nil makes it for the first.
        ///
        /// - Parameter name: nil calls it as the slot that the first credential opens.
        case slot(CredentialBox?, name: String?, targetMilliseconds: UInt32, names: [[UInt8]: String])
        case recovery
        case nextEpoch(CredentialBox?, targetMilliseconds: UInt32, withRecoveryKey: Bool, names: [[UInt8]: String])
    }

    enum Made: Sendable {
        case nothing
        case slot(NewKeyslot)
        case recovery(NewRecoveryKey)
        case nextEpoch(NextEpoch)
    }

    let header: Header
    let making: Making
    /// Held by a derivation: one at a time takes as much memory as one unlock.
    private static let turn = NSLock()

    /// Proves the present credential, then derives what is to be made. One such work runs at a time.
    ///
    /// - Parameters:
    ///   - wait: seconds before the first derivation, after earlier failures.
    ///   - goesOn: asked before each derivation.
    func run(_ present: CredentialBox, wait: Double, goesOn: (UInt64) -> Bool) -> Result<
        (KeyslotProof, Made), VaultError
    > {
        // In small parts: a lock must not find a password that waits.
        for _ in 0..<Int((wait * 10).rounded(.up)) where goesOn(0) { pause(0.1) }
        while !Self.turn.try() {
            guard goesOn(0) else { return .failure(VaultError(.keysChanged)) }
            pause(0.1)
        }
        defer { Self.turn.unlock() }
        guard goesOn(0) else { return .failure(VaultError(.keysChanged)) }
        do throws(VaultError) {
            let proof = try KeyslotProof(header, present.credential)
            guard goesOn(1) else { return .failure(VaultError(.keysChanged)) }
            return .success((proof, try make(proof, present)))
        } catch { return .failure(error) }
    }

    private func make(_ proof: KeyslotProof, _ present: CredentialBox) throws(VaultError) -> Made {
        switch making {
        case .nothing: return .nothing
        case .recovery: return .recovery(try NewRecoveryKey(proof))
        case .slot(let second, let name, let target, let names):
            let cost = try Self.cost(target)
            let name = name ?? names[proof.slotID] ?? KeyslotName.password
            return .slot(
                try NewKeyslot(
                    proof, (second ?? present).credential, name: name, cost: cost, targetMilliseconds: target))
        case .nextEpoch(let second, let target, let withRecoveryKey, let names):
            let cost = try Self.cost(target)
            return .nextEpoch(
                try NextEpoch(
                    proof, (second ?? present).credential, name: names[proof.slotID] ?? KeyslotName.password,
                    cost: cost,
                    targetMilliseconds: target, withRecoveryKey: withRecoveryKey))
        }
    }

    /// Returns today's cost, measured on this machine once for each target: somebody who makes a vault types the
    /// password while that is done.
    static func cost(_ targetMilliseconds: UInt32) throws(VaultError) -> Argon2Cost {
        if let known = measured.withLock({ $0[targetMilliseconds] }) { return known }
        let target = Double(targetMilliseconds) / 1000
        do throws(CryptoError) {
            let cost = try Argon2Cost.calibrated(targetSeconds: target, memoryByteCount: Machine.memoryByteCount)
            measured.withLock { $0[targetMilliseconds] = cost }
            return cost
        } catch { throw VaultError(.outOfMemory) }
    }

    private static let measured = Mutex<[UInt32: Argon2Cost]>([:])
}
