// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import TerminalText
internal import VaultCore
internal import VaultFormat

/// What is said of damaged vaults and notes.
extension VaultError {
    /// What is damaged, where the vault opens without it on its owner's word.
    var lossOutcome: Outcome {
        switch damage {
        case .manifest:
            Outcome(
                .integrity,
                "both copies of the manifest are damaged or missing, so it cannot be checked whether this is the vault's newest state",
                hint: "vault repair; or vault unlock --accept-loss opens it all the same")
        case .log, nil:
            Outcome(
                .integrity,
                "the log of the latest changes is damaged, incomplete or missing: changes that were saved cannot be read",
                hint: "vault repair brings back what it can; vault unlock --accept-loss opens it without them")
        }
    }

    /// How the rescued index becomes the vault's again. What lies there now is put aside under names that nothing has
    /// yet, and what is put back replaces nothing: no file is ever lost by it.
    func rescueHint(_ place: String) -> String {
        let index = "index-\(found ?? 0).db"
        let aside = ["manifest", "manifest.2", index, index + "-wal"].map { "mv --backup=numbered \($0) \($0).aside" }
        let back = ["mv -n index-\(rescuedName) \(index)", "mv -n manifest.rescued\(rescuedNumber) manifest"]
        return "vault lock, then in \(place): \((aside + back).joined(separator: "; ")); "
            + "then vault unlock (what mv does not find needs no moving)"
    }

    var rescuedName: String { "\(found ?? 0).rescued\(rescuedNumber)" }
    /// The first one has none.
    private var rescuedNumber: String { (expected ?? 1) > 1 ? ".\(expected ?? 1)" : "" }

    /// What is left of a note, and what brings it back.
    var damagedNote: Outcome {
        let id = candidates.first?.shortID ?? "ID"
        guard let found else {
            return Outcome(
                .integrity, "note \(id): its text is damaged, and no revision of it opens",
                hint: "vault rm \(id), or restore a backup")
        }
        guard found > 0 else {
            return Outcome(
                .integrity, "note \(id): its text is whole, and the index that leads to it is damaged",
                hint: "vault repair")
        }
        return Outcome(
            .integrity, "note \(id): its text is damaged; an earlier revision opens",
            hint: "vault show \(id)@\(found) shows it, vault revert \(id) @\(found) brings it back")
    }
}
