// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SecretMemory
internal import TextMerge
internal import VaultCore

extension Session {
    /// Unlocks the probed vault as far as it can be opened. A wrong credential is answered later each time.
    func beginRepair(_ repairing: RepairVault, secret: borrowing SecretBytes) throws(VaultError) -> VaultRepair {
        guard case .probed(let probe) = state else { throw VaultError(isRepairing ? .busy : .noVault) }
        let attempts = AttemptLog(vaultID: probe.identity.name)
        pause(attempts.secondsToWait())
        do throws(VaultError) {
            let repair = try VaultRepair(probe, CredentialBox.parse(repairing.credential, secret).credential)
            attempts.succeeded()
            lend()
            return repair
        } catch {
            if error.code == .wrongPassword { attempts.failed() }
            throw error
        }
    }

    /// Lends the open vault; nobody else has anything under way in it.
    func giveForRepair() -> VaultRepair? {
        guard let store else { return nil }
        lend()
        return VaultRepair(store)
    }

    /// Takes the vault back, whatever became of it.
    ///
    /// - Returns: what keeps it from being opened.
    func endRepair(_ repair: VaultRepair) -> VaultError? {
        do throws(VaultError) {
            let store = try repair.open()
            store.comparison = RemoteComparison(ComparisonProcess())
            takeBack(store)
            return nil
        } catch {
            takeBack(nil)
            return error
        }
    }
}
