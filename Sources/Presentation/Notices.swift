// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText

extension Notice {
    /// Presents one line for standard error.
    public func present(on page: inout Page) {
        switch kind {
        case .draftsRecovered:
            page.talk("vault: note: \(count) recovered draft\(count == 1 ? "" : "s"): vault draft ls")
        case .draftExists:
            page.talk(
                "vault: note: there is a recovered draft of this note: vault draft resume \(SafeText.singleLine(name))")
        case .editedElsewhere:
            page.talk("vault: note: this note is being edited elsewhere; changes of both will be merged")
        case .attachmentsStay: page.talk("vault: note: its attachments stay with the original")
        case .lastCheckFailed:
            let found = "\(count) problem\(count == 1 ? "" : "s")"
            page.talk("vault: warning: the last check of this vault found \(found): make a backup, then vault check")
        case .chainDamaged:
            page.talk(
                "vault: warning: the record of this vault's changes is damaged or was altered: make a backup, then vault check"
            )
        case .linkedByOldTitle:
            let notes = count == 1 ? "1 note links" : "\(count) notes link"
            page.talk(
                "vault: note: \(notes) to it by its old title '\(SafeText.singleLine(name))', which it no "
                    + "longer has; vault undo brings it back")
        case .newKeyInPlace:
            page.talk("vault: the new key is in place; if the rest is interrupted, it continues at the next unlock")
        }
    }
}
