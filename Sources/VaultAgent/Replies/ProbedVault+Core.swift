// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore
internal import VaultFormat

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
