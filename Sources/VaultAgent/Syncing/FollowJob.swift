// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc
internal import SyncProtocol
internal import VaultCore
internal import VaultFormat

/// `FollowJob` serves `vault sync follow`: finds the key that another device has made, by a credential of the owner,
/// and rotates this vault to it.
final class FollowJob: Job {
    private enum Ending: Sendable {
        case found(NextEpoch)
        case failed(Outcome, isWrongPassword: Bool)
    }

    private let store: OpenVault
    private let session: Session
    private let attempts: AttemptLog
    private let work: Background<Ending>
    private var isCounted = false
    private var rotation: RotateJob?

    /// Starts to read the remote's headers, and to derive the key.
    ///
    /// - Throws: `VaultError.keysBusy` while another command derives keys, `.integrity` for a remote whose credential
    ///   cannot be read.
    init(_ work: RequestContext, _ host: SyncHost, _ credential: CredentialBox, triesDear: Bool) throws(VaultError) {
        guard !work.session.keyJobRuns else { throw VaultError(.keysBusy) }
        let asked = PasswordBox(try work.store.remotes.credential(of: host.name))
        store = work.store
        session = work.session
        session.keyJobRuns = true
        attempts = AttemptLog(vaultID: store.header.identity.name)
        let (place, name, vault) = (host.settings.place, host.name, host.settings.vault)
        let (base, endings, wait) = (store.header, host.endings, attempts.secondsToWait())
        self.work = Background { goesOn in
            for _ in 0..<Int((wait * 10).rounded(.up)) where goesOn(0) { pause(0.1) }
            let reading = HeaderReading(place: place, credential: asked) { goesOn(0) }
            do throws(HeaderReading.Failure) {
                let headers = try reading.headers(of: vault, named: endings, after: base.counter)
                do throws(VaultError) {
                    let given = try FollowedKey(
                        headers, endings: endings, following: base, credential.credential, triesDear: triesDear)
                    return .found(try NextEpoch(following: base, given))
                } catch { throw .vault(error) }
            } catch { return Self.failed(error, name) }
        }
    }

    deinit {
        guard !isCounted else { return }
        session.keyJobRuns = false
        work.cancel()
        // A try that nobody waited for counts as a wrong one: else hanging up would be a way around the waiting.
        attempts.failed()
    }

    private static func failed(_ failure: HeaderReading.Failure, _ name: String) -> Ending {
        switch failure {
        case .store(let reason): return .failed(reason.outcome(of: name), isWrongPassword: false)
        case .interrupted: return .failed(Outcome(.interrupted, "interrupted"), isWrongPassword: false)
        case .nothing, .ambiguous, .unnamed, .notAsPaired:
            return .failed(VaultError(.notFound).headerIsMissing(name), isWrongPassword: false)
        case .vault(let error) where error.code == .notFound:
            return .failed(error.headerIsMissing(name), isWrongPassword: false)
        case .vault(let error) where error.code == .oldKey:
            return .failed(
                Outcome(
                    .conflict, "the vault's key was changed more than once since this device was there",
                    hint: "vault clone on another account or machine, then vault adopt there to merge this vault"),
                isWrongPassword: false)
        case .vault(let error) where error.code == .wrongPassword:
            return .failed(
                Outcome(
                    .wrongPassword, "this does not open the vault's new key",
                    hint: "use the password that the vault has on the device that changed the key; or --recovery"),
                isWrongPassword: true)
        case .vault(let error): return .failed(error.outcome, isWrongPassword: false)
        }
    }

    var isWaiting: Bool { rotation?.isWaiting ?? true }

    func step(_ connection: Connection) -> Outcome? {
        if let rotation { return rotation.step(connection) }
        guard let ending = work.takeResult() else { return nil }
        (isCounted, session.keyJobRuns) = (true, false)
        switch ending {
        case .failed(let outcome, let isWrongPassword):
            if isWrongPassword { attempts.failed() }
            return outcome
        case .found(let next):
            attempts.succeeded()
            do throws(VaultError) { rotation = try RotateJob(store, session, next) } catch { return error.outcome }
            return nil
        }
    }
}

extension VaultError {
    /// Says that an ending names a header that the remote does not show.
    fileprivate func headerIsMissing(_ name: String) -> Outcome {
        Outcome(
            .network, "the remote '\(name)' does not show the header of the vault's new key",
            hint: "vault sync now on the device that changed the key, then vault sync follow again")
    }
}
