// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

extension NoteState: Presented {
    public func present(_ reply: NoteSecrecy, on page: inout Page) { page.output("\(reply.state)\n") }
}

extension LockNotes: Presented {
    public func present(_ reply: SecuredNote, on page: inout Page) { page.secured(reply, "locked") }
}

extension ProtectNote: Presented {
    public func present(_ reply: SecuredNote, on page: inout Page) {
        page.secured(reply, "locked")
        page.hint("vault note unlock \(reply.shortID)")
    }
}

extension UnlockNote: Presented {
    public func present(_ reply: SecuredNote, on page: inout Page) { page.secured(reply, "unlocked") }
}

extension UnlockNotes: Presented {
    public func present(_ reply: UnlockedNotes, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer([("unlocked", .int(Int64(reply.count))), ("left", .int(Int64(reply.leftCount)))]))
        }
        guard reply.count + reply.leftCount > 0 else {
            return page.talk(refs.isEmpty ? "no private note is locked" : "none of these notes is locked")
        }
        page.talk("unlocked \(Quantity.counted(reply.count, "note"))")
        if reply.leftCount > 0 {
            page.talk("vault: note: \(Quantity.counted(reply.leftCount, "note")) stayed locked")
        }
    }
}

extension ChangeNotePassword: Presented {
    public func present(_ reply: SecuredNote, on page: inout Page) {
        page.secured(reply, "changed the password of")
        page.talk("vault: note: an old copy of the vault still opens this note with its old password")
    }
}

extension RemoveNotePassword: Presented {
    public func present(_ reply: SecuredNote, on page: inout Page) { page.secured(reply, "removed the password of") }
}

extension SecuredNote {
    fileprivate var shortID: String { String(id.prefix(6)) }
}

extension Page {
    fileprivate mutating func secured(_ reply: SecuredNote, _ word: String) {
        if style.json { return json(.answer([("note", .string(reply.id)), ("done", .string(word))])) }
        output(style.isTerminal ? "\(word)  \(reply.shortID)\n" : reply.id + "\n")
    }
}
