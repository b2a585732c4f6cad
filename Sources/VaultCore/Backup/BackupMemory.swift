// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

extension PinStore {
    /// Reads what this account knows of a vault's backups; nil when nothing is known.
    public func backups(of identity: VaultIdentity) -> BackupMemory? {
        read(BackupMemory.fileNamePrefix + identity.hex).flatMap { BackupMemory(parsing: $0) }
    }

    func remember(_ memory: BackupMemory, of identity: VaultIdentity) {
        guard !isReadOnly else { return }
        _ = write(memory.encoded, to: BackupMemory.fileNamePrefix + identity.hex)
    }
}

extension Backups {
    /// What is known of this vault's backups; nil when none was made by this account.
    public var memory: BackupMemory? { vault.pins.backups(of: vault.header.identity) }

    /// Remembers that a snapshot was made.
    public func rememberCreated(_ now: Int64 = Machine.now) {
        var memory = memory ?? BackupMemory()
        memory.created = now
        if memory.first == 0 { memory.first = now }
        vault.pins.remember(memory, of: vault.header.identity)
    }

    /// Remembers that a drill has succeeded.
    public func rememberDrill(_ now: Int64 = Machine.now) {
        var memory = memory ?? BackupMemory()
        memory.drilled = now
        if memory.created == 0 { (memory.first, memory.created) = (now, now) }
        vault.pins.remember(memory, of: vault.header.identity)
    }
}
