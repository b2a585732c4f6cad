// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Makes a new vault of what a damaged one still holds: under another name until all of it is there, with a key and an
/// identity of its own, and with the ID of the damaged one, which private notes are bound to.
///
/// It gives the items of an archive to what makes vaults of archives, so that a vault that was salvaged is checked as
/// one that was restored. Private notes come without their passwords: their keyslots and inner layers stay as they are.
/// Spec: docs/format.md §23.
public enum VaultSalvage {
    /// Makes the new vault.
    ///
    /// - Parameters:
    ///   - path: must not exist, or be an empty directory.
    ///   - goesOn: told how many bytes are read; false ends the work.
    /// - Throws: `VaultError.integrity` when nothing at all opened; what cannot be written. Then nothing is left at the
    ///   path, and never is anything changed in the damaged vault.
    public static func run(
        _ damaged: DamagedVault, to path: [UInt8], _ owner: borrowing NewOwner, pins: PinStore = PinStore(),
        goesOn: @escaping (UInt64) -> Bool = { _ in true }
    ) throws -> SalvageReport {
        try FrozenIndex.mapped {
            try NewVaultFolder.refuseExisting(path)
            let byteCount = UInt64(DamagedVault.pageByteCount)
            while damaged.index.step() {
                guard goesOn(damaged.index.progress.done * byteCount) else { throw VaultError(.cancelled) }
            }
            let content = SalvagedContent(damaged, goesOn)
            guard !content.isEmpty else { throw VaultError(.integrity) }
            let entries = try content.entries()
            let vault = try VaultOfItems(
                content.archived(device: entries.device), at: path, owner, pins, of: damaged.header.identity,
                isCopy: true, isOfSalvage: true, goesOn: { _ in content.goesOn() })
            try content.give(entries.all, to: vault)
            let made = try vault.finish()
            return content.report(made.counts)
        }
    }
}
