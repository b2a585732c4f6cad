// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import SealedObjects
internal import VaultCore

extension ObjectError {
    /// `Use` says what a client's descriptor was for.
    enum Use {
        case reading
        case writing
    }

    /// Returns the exit code, what happened and what to type next.
    func outcome(_ use: Use) -> Outcome {
        switch code {
        case .notAuthentic: VaultError(.integrity).outcome
        case .changed:
            Outcome(
                .conflict, "the file changed while it was read: nothing was stored",
                hint: "try again when nothing is writing to it")
        case .cancelled: Outcome(.interrupted, "interrupted")
        case .tooLarge:
            Outcome(.usage, "the file is larger than 1 TiB, or longer than announced", hint: "split it first")
        case .stalled:
            Outcome(
                .other, "the other end of the pipe sent or took nothing for too long", hint: "try again, or use a file")
        case .closed: Outcome(.other, "the other end of the pipe closed it before the end", hint: "try again")
        case .notAFileOrPipe:
            Outcome(.usage, "only a regular file or a pipe can be read or written", hint: "pipe it into '-' instead")
        case .io where SystemRefusal(systemError) != nil,
            .noRoom where use == .writing && SystemRefusal(systemError) != nil:
            refusal(use)
        case .noRoom:
            use == .reading
                ? VaultError(.readOnly, systemError: systemError).outcome
                : Outcome(
                    .localSaveFailed, "there is not enough room: the file was not written",
                    hint: "make room, or choose another place with -o")
        case .io:
            use == .reading
                ? Outcome(
                    .localSaveFailed, "the disk reported an error: nothing was stored",
                    hint: "check the disk; what was saved before is safe")
                : Outcome(
                    .localSaveFailed, "the disk reported an error: the file was not written",
                    hint: "choose another place with -o")
        case .libraryFailure: VaultError(.libraryFailed).outcome
        }
    }

    /// The same for what the vault does with its own files.
    var vaultError: VaultError {
        switch code {
        case .notAuthentic: VaultError(.integrity)
        case .noRoom: VaultError(.readOnly, systemError: systemError)
        case .libraryFailure: VaultError(.libraryFailed)
        case .io where SystemRefusal(systemError) != nil: VaultError(.system, systemError: systemError)
        default: VaultError(.saveFailed, systemError: systemError)
        }
    }

    private func refusal(_ use: Use) -> Outcome {
        guard let refusal = SystemRefusal(systemError) else { return VaultError(.saveFailed).outcome }
        // What helps a vault is not what helps a file of the client's.
        return use == .reading
            ? Outcome(.localSaveFailed, refusal.message + ": nothing was stored", hint: refusal.hint)
            : Outcome(
                .localSaveFailed, refusal.message + ": the file was not written",
                hint: "make room, or choose another place with -o")
    }
}
