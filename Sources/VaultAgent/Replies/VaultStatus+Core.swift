// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

extension VaultStatus {
    /// Takes what the store itself knows.
    ///
    /// - Parameter left: seconds until it locks, without another request and in any case.
    init(_ store: OpenVault, left: (idle: Double, max: Double)) throws(VaultError) {
        self.init()
        let (header, counts) = (store.header, try store.notes.counts())
        (agentPID, directory) = (Int(getpid()), store.directoryText)
        (vaultID, copyID) = (header.vaultID.hex, header.copyID?.hex)
        (notes, archived, trashed) = (counts.notes[.live], counts.notes[.archive], counts.notes[.trash])
        drafts = try store.drafts.all().count { $0.discarded == nil }
        (generation, epoch) = (counts.generation, header.epoch)
        (isReadOnly, keysAreLocked) = (store.isReadOnly, store.keysAreLocked && LibcryptoMemory.isLocked)
        (idleMillisecondsLeft, maxMillisecondsLeft) = (Int(left.idle * 1000), Int(left.max * 1000))
        kdf = header.keyslots.first { $0.kind.usesArgon2 }.map { KDFCost($0) }
        hasWordsLeft = try store.privateNotes.hasWordsLeft()
        lockedNotes = try store.privateNotes.all().count { !$0.value }
        fileSystem = store.directory.sharingWarning ?? ""
        lastCheck = store.checks.last.map { Check(made: $0.made, problems: $0.problems) }
        tornLog = store.tornLog.map { TornLogEnd($0) }
        (fingerprint, isChainDamaged) = ((try? store.fingerprint()) ?? "", store.chain.isDamaged)
        uploads = try store.remotes.uploadCounts().map {
            Uploads(uploaded: $0.uploaded, pending: $0.pending, removals: $0.removals)
        }
        guard let memory = store.backups.memory else { return }
        lastBackup = memory.created
        lastDrill = memory.drilled > 0 ? memory.drilled : nil
        isDrillDue = memory.isDrillDue(now: Machine.now)
    }
}

extension TornLogEnd {
    init(_ torn: TornLog) {
        self.init(frameCount: torn.frameCount, byteCount: torn.byteCount, lastWritten: torn.lastWritten)
    }
}

extension KDFCost {
    init(_ cost: Argon2Cost) {
        self.init(memoryKiB: cost.memoryKiB, iterations: cost.iterations, parallelism: cost.parallelism)
    }

    fileprivate init(_ slot: Keyslot) {
        self.init(memoryKiB: slot.memoryKiB, iterations: slot.iterations, parallelism: slot.parallelism)
    }
}

extension ProbedVault {
    init(_ slots: [CostlyKeyslot]) {
        self.init()
        costlyKeys = slots.map { CostlyKey($0) }
    }
}

extension ProbedVault.CostlyKey {
    fileprivate init(_ slot: CostlyKeyslot) {
        self.init()
        shortID = slot.shortID
        credential =
            switch slot.kind {
            case .password: .password
            case .recoveryKey: .recoveryKey
            case .passwordAndKeyFile: .passwordAndKeyFile
            }
        obstacle =
            switch slot.obstacle {
            case .memory: .memory
            case .work: .work
            }
        memoryMiB = Int(slot.memoryKiB >> 10)
        times = Int(clamping: slot.times)
    }
}
