// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultCore
internal import VaultFormat

extension VaultError {
    /// Exit code, what happened and what to type next: the one place where the vault's codes meet the programs'
    /// (docs/cli.md).
    var outcome: Outcome {
        switch code.kind {
        case .noVault: Outcome(.notFound, "there is no vault here", hint: "vault init")
        case .exists:
            Outcome(
                .conflict, "something already exists at this place", hint: "choose another directory with --vault DIR")
        case .notOurs:
            Outcome(
                .failSafe,
                "the vault's directory or a file in it is a link, belongs to another user, or can be changed by others",
                hint: "ls -la on the directory; chmod 700 it if it is yours")
        case .newerFormat:
            Outcome(
                .failSafe, "the vault was made by a newer version of vault; nothing was changed",
                hint: "this is version \(Frame.programVersion): install the newest one, then open the vault again")
        case .integrity where damage != nil: lossOutcome
        case .integrity:
            Outcome(
                .integrity, "integrity failure: the vault's files were damaged or changed",
                hint: "vault repair, or restore a backup")
        case .wrongPassword:
            Outcome(
                .wrongPassword, "wrong password or key, or the vault is damaged",
                hint: "try again, or vault unlock --recovery")
        case .costOutOfRange:
            Outcome(
                .integrity, "the header's password cost is outside the allowed range; the header was altered",
                hint: "restore the header from a backup")
        case .nothingLeft:
            Outcome(
                .integrity, "nothing of the vault's index can be read; nothing was changed",
                hint: found == nil
                    ? "restore a backup: vault backup restore"
                    : "the index is missing: put it back, or restore a backup (vault backup restore); "
                        + "vault salvage DIR -o NEWDIR makes a vault of what the log holds")
        case .noteDamaged: damagedNote
        case .revisionDamaged:
            Outcome(
                .integrity, "that revision is damaged and does not open", hint: "vault history ID lists those that do")
        case .keyslotNeedsMemory:
            Outcome(
                .other,
                "this key needs a machine with \(expected ?? 0) MiB of memory, and this one has \(found ?? 0); it was not tried",
                hint: "vault unlock --recovery, or open it on a larger machine and run vault passwd --upgrade")
        case .costlyKeyslot:
            Outcome(
                .failSafe,
                "the vault's header is not the one last seen here, and its key needs \(found ?? 0) times the work of the one seen before",
                hint: "if you set this cost yourself on another machine: vault unlock on a terminal, and answer yes")
        case .rollback:
            Outcome(
                .failSafe,
                "the vault is older than what was last seen here (it has \(found ?? 0), last seen was \(expected ?? 0))",
                hint:
                    "if you restored a backup yourself: --accept-rollback; if it is another copy that was changed: put the "
                    + "newer one back, unlock it, then vault adopt DIR takes over what this one has")
        case .otherHistory: otherHistory
        case .oldHeader: oldHeader
        case .otherVault:
            Outcome(
                .failSafe, "this is not the vault that was last seen at this place",
                hint: "if you put it there yourself, move it to another directory and name that with --vault")
        case .busy:
            Outcome(.conflict, "another agent has this vault open", hint: "vault status names it, vault lock ends it")
        case .system:
            refusal(.other)
                ?? Outcome(
                    .other, "the operating system refused a request",
                    hint: "try again; vault doctor checks this machine")
        case .readOnly where refusal(.localSaveFailed) != nil:
            refusal(.localSaveFailed, after: ": nothing was changed")!
        case .readOnly:
            Outcome(
                .localSaveFailed, "the disk is full or read-only: nothing was changed",
                hint: "make room, then vault lock and vault unlock")
        case .saveFailed where refusal(.localSaveFailed) != nil:
            refusal(.localSaveFailed, before: "the change could not be saved: ")!
        case .saveFailed:
            Outcome(
                .localSaveFailed, "the change could not be saved: the disk reported an error",
                hint: "check the disk; what was saved before is safe")
        case .notFound: nothingFound
        case .ambiguous: ambiguous
        case .tooLarge:
            Outcome(
                .usage, "a note holds at most 16 MiB of text, 256 tags, and names of 4,096 bytes",
                hint: "split it, or keep the file beside the vault"
            )
        case .notText: Outcome(.usage, "this is not UTF-8 text", hint: "iconv -f LATIN1 -t UTF-8")
        case .empty: Outcome(.usage, "there is nothing to save", hint: "vault new \"some text\"")
        case .outOfMemory:
            Outcome(.other, "there is not enough memory to derive the key", hint: "close other programs and try again")
        case .selfTestFailed:
            Outcome(
                .failSafe, "a cryptographic library does not work as specified; nothing was touched",
                hint: "vault-audit vectors")
        case .libraryFailed:
            Outcome(
                .failSafe, "a cryptographic library or the random generator reported an error; nothing was changed",
                hint: "try again; vault-audit vectors tests the libraries")
        case .badQuery:
            Outcome(.usage, "the search query is not valid", hint: "vault search WORD, or vault search '\"a phrase\"'")
        case .recoveryMismatch:
            Outcome(.aborted, "that is not the recovery key that was shown", hint: "type it as it was shown")
        case .thinned:
            Outcome(
                .notFound, "that revision no longer exists: it was deleted as too old",
                hint: "vault history ID lists the others")
        case .noRevision: Outcome(.notFound, "there is no such revision of this note", hint: "vault history ID")
        case .ambiguousRevision:
            Outcome(.ambiguous, "more than one revision matches", hint: "use more of its identifier, or @1, @2, …")
        case .noDraft: Outcome(.notFound, "there is no such draft", hint: "vault draft ls --all")
        case .ambiguousDraft:
            Outcome(.ambiguous, "more than one draft matches", hint: "vault draft ls, and more of its identifier")
        case .draftIsOpen: Outcome(.conflict, "an editor has this draft open", hint: "finish there first")
        case .noSuchName: nothingFound
        case .badDate: Outcome(.usage, "not a date", hint: "vault daily 2026-11-21, or today, yesterday, tomorrow")
        case .badPattern:
            Outcome(
                .usage, "not a valid pattern",
                hint: "vault search --regex 'colou?r', with a backslash before a literal ( [ { * + ? or .")
        case .tooCostly:
            Outcome(.usage, "the pattern takes too long to match", hint: "avoid nested repetitions such as (a+)+")
        case .keysChanged:
            Outcome(
                .conflict,
                "the vault's passwords or its key were changed by another program; this one has the old ones",
                hint: "vault lock, then vault unlock")
        case .tooManyKeyslots:
            Outcome(.conflict, "a vault has at most eight keys", hint: "vault key ls, then vault key rm NAME")
        case .lastKeyslot:
            Outcome(
                .conflict,
                "this is the last password: without it only a recovery key, or nothing, would open the vault",
                hint: "vault key add first")
        case .noKeyslot: Outcome(.notFound, "no such key", hint: "vault key ls")
        case .newKeysForgotten:
            Outcome(.aborted, "the new key is no longer there: it waits for 15 minutes at most", hint: "begin again")
        case .badKeyFile:
            Outcome(
                .usage, "this is not a key file of vault, or it was changed",
                hint: "vault key add --new-key-file NEWFILE makes one")
        case .rotationRuns: Outcome(.conflict, "a rotation is already running", hint: "vault rotate --resume")
        case .filesExchanged:
            Outcome(
                .failSafe,
                "the vault's index was replaced or removed while it was open, so nothing more is saved; "
                    + "all notes are in 'index-\(rescuedName)' beside it",
                hint: rescueHint("the vault's folder"))
        case .filesGone:
            Outcome(
                .failSafe,
                "the vault's folder was removed or closed to writing while it was open, so nothing more is saved; "
                    + "all notes are in 'rescued/index-\(rescuedName)' in the state directory",
                hint: rescueHint(
                    "the vault's folder, made again if it is gone, with all three files copied there", withHeader: true)
            )
        case .filesLost:
            Outcome(
                .failSafe,
                "the vault's index was replaced or removed while it was open, and what it held could not be written anywhere",
                hint:
                    "do not lock: make room or mount the disk again, put the files back, and copy what vault cat shows")
        case .rescuedWaits:
            Outcome(
                .failSafe,
                "the vault's index is missing, damaged or older than it was; what it held before lies in "
                    + "'index-\(rescuedName)' beside it",
                hint: rescueHint("the vault's folder"))
        case .fileMended:
            Outcome(
                .conflict,
                "a file of the vault was removed or replaced while it was open; it was rewritten and nothing is lost",
                hint: "run the command again, and keep sync programs out of the vault's folder while it is unlocked")
        case .takenOver:
            Outcome(
                .conflict, "\(SafeText.singleLine(host)) has taken this vault over, so nothing more is saved here",
                hint: "vault lock; then vault lock there before vault unlock here")
        case .heldElsewhere:
            Outcome(
                .conflict,
                "\(SafeText.singleLine(host)) has this vault open; it said so \(found ?? 0) seconds ago",
                hint: "vault lock there; if that machine no longer runs: vault unlock --take-over")
        case .keysUncertain:
            Outcome(
                .localSaveFailed,
                "the disk failed while the keys were changed: the old ones or the new ones open the vault now; keep both",
                hint: "vault lock, then vault unlock with one and the other")
        case .keysBusy: Outcome(.conflict, "another command is changing the keys", hint: "wait until it ends")
        case .attachmentIsWritten:
            Outcome(
                .conflict, "an attachment is still being written; nothing was changed",
                hint: "end that, then vault rotate again")
        case .exportRuns:
            Outcome(.conflict, "an export or a backup is under way", hint: "wait until it ends, then try again")
        case .noSnapshot: Outcome(.notFound, "there is no such snapshot", hint: "vault backup ls DIR")
        case .oldKey:
            Outcome(
                .conflict,
                "this snapshot is from before the vault's key was changed, so the present key does not open it",
                hint: "vault backup restore DIR SNAPSHOT, with a password of that time")
        case .noPassword:
            Outcome(
                .usage, "a recovery key opened it: the vault needs a new password",
                hint: "run it again with --new-password-file F or --new-password-fd N")
        case .backupBusy:
            Outcome(
                .conflict, "another program is using the backup's folder", hint: "wait until it ends, then try again")
        case .noParityLibrary:
            Outcome(
                .other, "parity needs the library ISA-L, which is not installed: nothing was written",
                hint: "apt install libisal2, or vault config unset durability.parity")
        case .noParity:
            Outcome(
                .notFound, "there is no parity here, so nothing can be mended",
                hint: "vault config set durability.parity 10%, then vault backup create or vault export vault")
        case .parityDamaged:
            Outcome(
                .integrity, "files of the backup that are to stay are damaged: nothing was removed",
                hint: "vault backup mend DIR, then prune again")
        case .wordsLeft:
            Outcome(
                .conflict, "a note has just become private, and its words are still being removed",
                hint: "try again in a moment")
        case .cancelled: Outcome(.interrupted, "interrupted")
        case .notAnArchive:
            Outcome(
                .usage, "this is neither a vault archive nor a vault backup",
                hint: "vault export vault makes one; vault import takes other programs' files")
        case .keysDropped:
            Outcome(
                .conflict, "other keys would be lost: their passwords were not given",
                hint: "vault rotate --dry-run names them; --drop-others drops them")
        case .noRotation: Outcome(.notFound, "no rotation is under way", hint: "vault rotate begins one")
        case .noRoom:
            Outcome(
                .localSaveFailed,
                "there is not enough room: \(expected ?? 0) bytes are needed, \(found ?? 0) are free; nothing was changed",
                hint: "make room on the vault's disk")
        case .noteLocked: lockedNote
        case .wrongNotePassword: Outcome(.wrongPassword, "wrong password, or the note is damaged", hint: "try again")
        case .isPrivate:
            Outcome(
                .conflict, "a private note's text would be put where its password does not protect it",
                hint: "vault note remove-password ID first")
        case .notPrivate:
            Outcome(.conflict, "this note has no password of its own", hint: "vault note lock ID gives it one")
        case .isBook:
            Outcome(
                .conflict, "this is a book, and that command is for notes only",
                hint: "vault book show ID; vault book archive ID archives it, vault book rm ID removes it")
        case .notABook:
            Outcome(.notFound, "this is a note, not a book", hint: "vault book ls")
        case .wrongShelf:
            Outcome(
                .conflict, "this book is on the wishlist, and only a book that is being read can be archived",
                hint: "vault book start ID begins it; vault book rm ID removes it")
        case .noChapter: nothingFound
        case .notInBook:
            Outcome(
                .notFound, "the note to place them next to is not in that book, or is in another chapter",
                hint: "vault book notes BOOK")
        case .noSuchPage:
            Outcome(
                .usage, "this book has only \(expected ?? 0) pages",
                hint: "vault book edit ID --pages N if your edition has more")
        case .noteIsEdited:
            Outcome(.conflict, "an editor has this note open", hint: "end the edit first; vault draft ls shows it")
        case .objectGone:
            Outcome(
                .failSafe, "a file of the vault was moved or removed while it was being written, so it is not attached",
                hint: "keep sync programs out of the vault's folder while it is unlocked, then attach the file again")
        case .attachmentsChanged:
            Outcome(.conflict, "the note's attachments changed meanwhile: nothing was changed", hint: "try again")
        case .noAttachment: Outcome(.notFound, "no such attachment", hint: "vault attach ls ID")
        case .badRange: Outcome(.usage, "the attachment has no such bytes", hint: "vault attach ls ID shows its size")
        case .searchTooBroad:
            Outcome(.other, "too many notes would have to be searched", hint: "narrow the search with another word")
        }
    }

    /// Returns the sentence of the system's reason, if it has one.
    private func refusal(_ code: ExitCode, before: String = "", after: String = "") -> Outcome? {
        SystemRefusal(systemError).map { Outcome(code, before + $0.message + after, hint: $0.hint) }
    }
}
