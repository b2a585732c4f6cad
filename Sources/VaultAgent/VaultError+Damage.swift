// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultCore
internal import VaultFormat

/// This extension has what is said of damaged vaults and notes.
extension VaultError {
    /// What is damaged, where the vault opens without it on its owner's word.
    var lossOutcome: Outcome {
        switch damage {
        case .manifest:
            Outcome(
                .integrity,
                "both copies of the manifest are damaged or missing, so it cannot be checked whether this is the vault's newest state",
                hint: "vault repair; or vault unlock --accept-loss opens it anyway")
        case .oldPages:
            Outcome(
                .integrity,
                "a page of the index is older than the vault: an earlier copy of it was put in its place, and it is not shown",
                hint: "vault check names such pages; vault repair rebuilds what it can, or restore a backup")
        case .log, nil:
            Outcome(
                .integrity,
                "the log of the latest changes is damaged, incomplete or missing: changes that were saved cannot be read",
                hint: "vault repair brings back what it can; vault unlock --accept-loss opens it without them")
        }
    }

    /// The answer for two copies of the vault that were written apart: neither is older, and each may lack what the
    /// other has.
    var otherHistory: Outcome {
        Outcome(
            .failSafe,
            "this copy of the vault lacks changes that were last seen here and has others in their place: two copies of "
                + "it were changed apart from each other (it has \(found ?? 0) entries, \(expected ?? 0) were last seen)",
            hint: "put the other copy back here and unlock it, then vault adopt DIR takes over what this one has; "
                + "--accept-rollback to use only this one")
    }

    /// The answer for an earlier header beside newer notes: it may have keys that were removed since.
    var oldHeader: Outcome {
        Outcome(
            .failSafe,
            "the vault's header is an earlier one, or another one, than the vault was last written with: keys that were "
                + "removed since may still be in it (it is number \(found ?? 0), the vault had number \(expected ?? 0))",
            hint: "put the newer header back, from another copy of the vault or a backup; "
                + "--accept-rollback to use this one")
    }

    /// Says how the rescued index becomes the vault's again. What lies there now is put aside under names that nothing
    /// has yet, and what is put back replaces nothing: no file is ever lost by it. What was put aside may hold notes of
    /// another machine; `vault adopt` takes them over.
    ///
    /// - Parameter withHeader: whether one was rescued too, since the one in the folder may be gone with it.
    func rescueHint(_ place: String, withHeader: Bool = false) -> String {
        let index = "index-\(found ?? 0).db"
        let stamp = Machine.fineStamp
        let aside = ["manifest", "manifest.2", index, index + "-wal"].map {
            "mv -n \($0) \(AsideName.of($0, at: stamp))"
        }
        // A program that carries the folder may exchange it once more before anybody has opened it: what was saved
        // stays until it was adopted.
        let put = (expected ?? 1) >= RescuedIndex.sharedNumberMin ? "cp -n" : "mv -n"
        let back =
            ["\(put) index-\(rescuedName) \(index)", "\(put) manifest.rescued\(rescuedNumber) manifest"]
            + (withHeader ? ["\(put) header.rescued\(rescuedNumber) header"] : [])
        return "vault lock, then in \(place): \((aside + back).joined(separator: "; ")); "
            + "then vault unlock (ignore files that mv does not find), which names the command that takes over "
            + "what was put aside"
    }

    var rescuedName: String { "\(found ?? 0).rescued\(rescuedNumber)" }
    /// The first one has none.
    private var rescuedNumber: String { (expected ?? 1) > 1 ? ".\(expected ?? 1)" : "" }

    /// The note is named where the request did not.
    var lockedNote: Outcome {
        let id = candidates.first?.shortID
        let note = id.map { "the note \($0)" } ?? "this note"
        return Outcome(
            .locked, "\(note) has a password of its own and is locked", hint: "vault note unlock \(id ?? "ID")")
    }

    /// What is left of a note, and what brings it back.
    var damagedNote: Outcome {
        let id = candidates.first?.shortID ?? "ID"
        let text = damage == .oldPages ? "an older page was put in the place of its text" : "its text is damaged"
        guard let found else {
            return Outcome(
                .integrity, "note \(id): \(text), and no revision of it opens",
                hint: "vault replace \(id) gives it a new text, vault rm \(id) removes it; or restore a backup")
        }
        guard found > 0 else {
            return Outcome(
                .integrity, "note \(id): its text is whole, and the index that leads to it is damaged",
                hint: "vault repair")
        }
        return Outcome(
            .integrity, "note \(id): \(text); an earlier revision opens",
            hint: "vault show \(id)@\(found) shows it, vault revert \(id) @\(found) brings it back")
    }
}
