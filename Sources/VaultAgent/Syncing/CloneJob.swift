// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `CloneJob` serves `vault clone`: makes a vault of a remote's header, on a thread of its own. It has no open vault.
final class CloneJob: Job {
    private enum Ending: Sendable {
        case done(VaultClone.Made, renewed: PasswordBox?)
        case failed(Outcome)
    }

    private let work: Background<Ending>

    /// Starts to read the remote's headers, and to make the vault.
    ///
    /// - Parameter asked: what the remote asks for.
    init(
        _ cloning: CloneVault, _ place: RemoteSettings.Place, _ code: PairingCode?, _ credential: CredentialBox,
        _ asked: PasswordBox
    ) {
        work = Background { goesOn in
            let reading = HeaderReading(place: place, credential: asked, signsIn: cloning.signsIn) { goesOn(0) }
            return Self.clone(cloning, code, reading, credential)
        }
    }

    /// Ends the thread, so that half a vault is removed before the agent ends.
    deinit { work.cancelAndWait() }

    private static func clone(
        _ cloning: CloneVault, _ code: PairingCode?, _ reading: HeaderReading, _ credential: CredentialBox
    ) -> Ending {
        do throws(HeaderReading.Failure) {
            let vault: [UInt8]
            if let code { vault = code.vault } else { vault = try reading.vault(cloning.vault) }
            var headers = try reading.headers(of: vault)
            if let code {
                do throws(PairingRefusal) { headers = try code.newEnough(headers) } catch { throw .notAsPaired(error) }
            }
            let opened: VaultClone.Opened
            let sealer: SegmentSealer
            do throws(VaultError) {
                opened = try VaultClone.open(
                    headers, at: cloning.directory, credential.credential, triesDear: cloning.triesDearKeys,
                    acceptsOldKey: cloning.acceptsOldKey)
                sealer = try opened.sealer()
            } catch { throw .vault(error) }
            if let code {
                guard opened.epoch <= code.point.epoch else { throw .notAsPaired(.newKey) }
                try reading.findPoint(of: code, sealer)
            }
            do throws(VaultError) {
                return .done(try opened.finish(), renewed: reading.renewed)
            } catch { throw .vault(error) }
        } catch { return .failed(outcome(of: error, cloning.credential, isPaired: code != nil)) }
    }

    private static func outcome(
        of failure: HeaderReading.Failure, _ credential: CredentialKind, isPaired: Bool
    ) -> Outcome {
        switch failure {
        case .notAsPaired(let refusal): return refusal.outcome
        case .nothing where isPaired: return notThere
        case .store(let reason) where isPaired && reason.code == .missing: return notThere
        case .store(let reason):
            return Outcome(
                reason.code == .local ? .other : .network, "the remote cannot be read: \(reason.words)",
                hint: reason.code == .unauthorized
                    ? "--user NAME says who you are there; its password is asked for"
                    : "is it mounted, and the right place? vault clone DIR")
        case .nothing:
            return Outcome(
                .notFound, "there is no vault there",
                hint: "on a device that has the vault: vault remote add, then vault sync now")
        case .ambiguous(let names):
            return Outcome(
                .ambiguous, "\(names.count) vaults are there: \(names.joined(separator: ", "))",
                hint: "vault clone DIR --vault-id ID; vault status shows the ID on a device that has it")
        case .unnamed:
            return Outcome(
                .usage, "a server does not list its vaults",
                hint:
                    "vault clone --code with a code of vault device pair; or --vault-id ID: vault status shows it there"
            )
        case .interrupted: return Outcome(.interrupted, "interrupted")
        case .vault(let error) where error.code == .exists:
            return Outcome(
                .conflict, "that path already exists, or this account already has this vault",
                hint: "vault --vault NEWDIR clone DIR; an account has one copy of a vault")
        case .vault(let error) where error.code == .wrongPassword:
            return wrong(credential)
        case .vault(let error) where error.code == .oldKey:
            return Outcome(
                .wrongPassword, "this is a password or key from before the vault's key was changed",
                hint: "use the newer password; or --accept-rollback, if nobody has changed the key")
        case .vault(let error): return error.outcome
        }
    }

    private static let notThere = Outcome(
        .notFound, "the vault that the pairing code names is not there",
        hint: "is it mounted? vault clone PLACE --code says where this device sees the remote")

    /// Says that what was given opens nothing.
    static func wrong(_ credential: CredentialKind) -> Outcome {
        credential == .recoveryKey
            ? Outcome(
                .wrongPassword, "wrong recovery key, or the remote's header is damaged",
                hint: "try again, with the newest recovery key; or without --recovery, with the password")
            : Outcome(
                .wrongPassword, "wrong password, or the remote's header is damaged",
                hint: "try again, or --recovery with the recovery key")
    }

    var isWaiting: Bool { true }

    func step(_ connection: Connection) -> Outcome? {
        guard let ending = work.takeResult() else { return nil }
        switch ending {
        case .failed(let outcome): return outcome
        case .done(let made, let renewed):
            var reply = ClonedVault()
            if let renewed { connection.send(secret: renewed.secret) }
            (reply.vault, reply.counter) = (made.identity.hex, made.counter)
            connection.reply(reply)
            return Outcome(.ok)
        }
    }
}
