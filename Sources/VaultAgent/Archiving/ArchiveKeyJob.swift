// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import VaultCore

/// `PreparedArchive` is an archive whose key is made: nothing of it is written before a recovery key that was shown is
/// typed back.
struct PreparedArchive: Sendable {
    let key: ArchiveKey
    let sealing: ExportSealing
    let isArmored: Bool
}

/// `ArchiveKeyJob` is the first half of `vault export vault`: the archive's key, derived on a thread of its own.
final class ArchiveKeyJob: Job {
    private let work: Background<Result<ArchiveKey, VaultError>>
    private let sealing: ExportSealing
    private let isArmored: Bool

    /// Starts to derive the archive's key.
    ///
    /// - Parameter password: nil makes a recovery key.
    init(_ password: CredentialBox?, _ wanted: PrepareArchive, _ sealing: ExportSealing) {
        self.sealing = sealing
        isArmored = wanted.isArmored
        let target = wanted.kdfTargetMilliseconds
        work = Background { _ in
            do throws(VaultError) {
                guard let password else { return .success(try ArchiveKey(withRecoveryKey: ())) }
                let cost = try KeyWork.cost(target)
                return .success(try ArchiveKey(opening: password.credential, cost: cost))
            } catch { return .failure(error) }
        }
    }

    deinit { work.cancel() }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let result = work.takeResult() else { return nil }
        do throws(VaultError) {
            let key = try result.get()
            connection.pendingKeys = .archive(PreparedArchive(key: key, sealing: sealing, isArmored: isArmored))
            switch key.recoveryText() {
            case .none: break
            case .some(let text): connection.send(secret: text)
            }
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}
