// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultCore

/// `AdoptJob` serves `vault adopt`: the other copy is opened and read on a thread of its own, and so are its
/// attachments; what is taken over of it is saved here, some notes a step.
final class AdoptJob: Job {
    private enum Stage {
        case reading(Background<Result<OtherCopy, OtherCopyRefusal>>)
        case taking(Adoption)
        case copying(Adoption, Background<Bool>, total: UInt64)
    }

    private let store: OpenVault
    private let asked: AdoptVault
    private let total = SharedNumber()
    private var stage: Stage

    init(_ store: OpenVault, _ asked: AdoptVault, _ credential: CredentialBox?, _ passed: PassedDescriptor) {
        (self.store, self.asked) = (store, asked)
        let (access, total, asked) = (store.otherCopyAccess, total, asked)
        stage = .reading(
            Background { goesOn in
                do throws(OtherCopyRefusal) {
                    let other =
                        if let credential {
                            try OtherCopy(
                                taking: passed.duplicate(), access, credential.credential,
                                triesDear: asked.triesDearKeys)
                        } else { try OtherCopy(taking: passed.duplicate(), access, file: asked.file) }
                    total.value = other.byteCount
                    do throws(VaultError) { try other.read(goesOn: goesOn) } catch { throw .failed(error) }
                    return .success(other)
                } catch { return .failure(error) }
            })
    }

    /// Ends its threads, which hold keys, and files that are half written.
    deinit {
        switch stage {
        case .reading(let work): work.cancelAndWait()
        case .copying(_, let work, _): work.cancelAndWait()
        case .taking: break
        }
    }

    var isWaiting: Bool {
        switch stage {
        case .reading, .copying: true
        case .taking: false
        }
    }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            switch stage {
            case .reading(let work):
                guard let result = work.takeResult() else {
                    tell("reading the other copy", work.done, total.value, isBytes: true, connection)
                    return nil
                }
                switch result {
                case .success(let other): stage = .taking(Adoption(store, other, dryRun: asked.dryRun))
                case .failure(let refusal): return refusal.outcome
                }
            case .copying(let adoption, let work, let total):
                guard work.takeResult() != nil else {
                    tell("copying attachments", work.done, total, isBytes: true, connection)
                    return nil
                }
                stage = .taking(adoption)
            case .taking(let adoption):
                guard !adoption.isDone else { return end(adoption, connection) }
                if case .copying(let files) = try adoption.step() {
                    let work = Background { goesOn in
                        files.run(goesOn: goesOn)
                        return true
                    }
                    stage = .copying(adoption, work, total: files.byteCount)
                } else {
                    let (done, total) = adoption.progress
                    tell("taking over", done, total, isBytes: false, connection)
                }
            }
            return nil
        } catch { return error.outcome }
    }

    private func tell(_ label: String, _ done: UInt64, _ total: UInt64, isBytes: Bool, _ connection: Connection) {
        connection.send(
            .progress, Progress(label: label, done: min(done, max(total, 1)), total: total, isBytes: isBytes).encoded)
    }

    private func end(_ adoption: Adoption, _ connection: Connection) -> Outcome {
        let reply = AdoptedVault(adoption.report)
        connection.reply(reply)
        guard !reply.isComplete else { return Outcome(.ok) }
        let message = "not everything of the other copy \(asked.dryRun ? "can be" : "was") taken over"
        return adoption.report.isDamaged
            ? Outcome(
                .integrity, message + ": some of it does not open",
                hint: "keep the other copy; vault salvage DIR -o NEWDIR looks for older texts in it")
            : Outcome(
                .doneWithLosses, message,
                hint: "keep the other copy; vault salvage DIR -o NEWDIR makes a new vault from it")
    }
}

extension OtherCopyRefusal {
    fileprivate var outcome: Outcome {
        switch self {
        case .isThisVault:
            Outcome(
                .usage, "that is the folder of the open vault itself",
                hint: "name the folder of another copy of it: vault adopt DIR")
        case .hasOwnKey:
            Outcome(.wrongPassword, "the open vault's key does not open that copy", hint: AdoptVault.keyHint)
        case .isNoIndex:
            Outcome(
                .usage, "that file is not a copy of this vault's index under its present key",
                hint: "vault adopt DIR, or the name of a conflicted copy of 'index-….db' that vault check lists")
        case .failed(let error): Self.outcome(of: error)
        }
    }

    private static func outcome(of error: VaultError) -> Outcome {
        switch error.code {
        case .otherVault:
            Outcome(
                .failSafe, "that is another vault, not another copy of this one",
                hint: "vault --vault DIR export json --plaintext -o FILE, then vault import json FILE")
        case .busy: Outcome(.conflict, "an agent has that copy open", hint: "vault --vault DIR lock, then try again")
        case .noVault:
            Outcome(
                .notFound, "neither copy of a vault's header can be read in that directory",
                hint: "vault adopt DIR: DIR is a vault's folder; put a copy of our file 'header' there if it has none")
        case .integrity:
            Outcome(.integrity, "nothing of that copy opens, so nothing was taken over", hint: "try a backup of it")
        case .wrongPassword:
            Outcome(.wrongPassword, "wrong password or key of the other copy", hint: "try again, or --recovery")
        case .costlyKeyslot: Outcome(error.outcome.code, error.outcome.message, hint: AdoptVault.dearKeyHint)
        default: error.outcome
        }
    }
}
