// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc
internal import VaultFormat

/// Whether what is known of the vault's backups says that they were tried lately.
enum BackupCheck {
    /// - Parameter now: milliseconds since 1970, UTC.
    static func run(_ location: VaultLocation, stateDirectory: String?, now: Int64) -> [DoctorCheck] {
        guard let stateDirectory, location.hasHeader, let vaultID = try? location.vaultID() else { return [] }
        let path = stateDirectory + "/pins/" + BackupMemory.fileNamePrefix + hexadecimal(vaultID)
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: BackupMemory.byteCount)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        guard got == bytes.count, let memory = BackupMemory(parsing: bytes) else { return [] }
        guard memory.isDrillDue(now: now) else { return [.ok("backup", "a snapshot was made, and no drill is due")] }
        return [
            .warning(
                "backup", "no drill of the backup has succeeded for a month",
                hint: "vault backup drill DIR")
        ]
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
