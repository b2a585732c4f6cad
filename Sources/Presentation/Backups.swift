// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates

// Archives, backups, and vaults that are restored from either.

extension PrepareArchive: Presented {}

extension WriteArchive: Presented {
    public func present(_ reply: WrittenArchive, on page: inout Page) {
        if page.style.json {
            return page.json(.answer(reply.contents.fields + [("byteCount", .count(reply.byteCount))]))
        }
        page.output("archived \(reply.contents.words), \(Quantity.bytes(reply.byteCount))\n")
    }
}

extension CreateBackup: Presented {
    public func present(_ reply: CreatedSnapshot, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer(
                    [("snapshot", .string(reply.name))] + reply.contents.fields + [
                        ("addedByteCount", .count(reply.addedByteCount)),
                        ("totalByteCount", .count(reply.totalByteCount)),
                        ("full", .bool(reply.isFull)), ("olderKeySnapshots", .count(reply.olderKeyCount)),
                    ] + reply.damage.fields + [
                        ("passedOver", .names(reply.passedOver)), ("parityByteCount", .count(reply.parityByteCount)),
                    ]))
        }
        let added = reply.isFull ? "all of it new" : "\(Quantity.bytes(reply.addedByteCount)) of it new"
        page.output(
            "snapshot \(reply.name): \(reply.contents.words), \(Quantity.bytes(reply.totalByteCount)), \(added)\n")
        if reply.parityByteCount > 0 {
            page.output("parity of what is new: \(Quantity.bytes(reply.parityByteCount))\n")
        }
        page.tell(reply.damage, "is missing in the snapshot")
        page.tell(passedOver: reply.passedOver, taken: nil)
        let count = reply.olderKeyCount
        guard count > 0 else { return }
        let older =
            "\(count) older \(count == 1 ? "snapshot" : "snapshots") here still \(count == 1 ? "opens" : "open")"
        page.talk("vault: note: \(older) with the old key and the old passwords, which rotate has replaced")
        page.talk(
            "vault: hint: vault backup ls DIR lists them; remove their files in snapshots/ when you no longer need them"
        )
    }
}

extension VerifyBackup: Presented {
    public func present(_ reply: VerifiedSnapshot, on page: inout Page) {
        if page.style.json {
            let isWhole = !reply.damage.isOfRecords
            return page.json(
                .answer(
                    [
                        ("snapshot", .string(reply.name)), ("made", .date(reply.made)), ("verified", .bool(true)),
                        ("whole", .bool(isWhole)),
                    ] + reply.contents.fields + reply.damage.fields + [("passedOver", .names(reply.passedOver))]))
        }
        page.tell(passedOver: reply.passedOver, taken: reply.name)
        let date = DateStyle.rfc3339(reply.made)
        if reply.damage.isOfRecords {
            page.output("snapshot \(reply.name) of \(date) is the copy of a damaged vault: \(reply.contents.words)\n")
        } else {
            page.output("snapshot \(reply.name) of \(date) is intact: \(reply.contents.words)\n")
        }
        page.tell(reply.damage, "is missing in it")
    }
}

extension RestoreVault: Presented {
    public func present(_ reply: FinishedRestore, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer(
                    [("notes", .count(reply.noteCount))] + reply.contents.fields + [
                        ("replacesOlder", .bool(reply.replacesOlder)), ("newKey", .bool(reply.hasNewKey)),
                        ("copy", .bool(reply.isCopy)),
                        ("snapshot", reply.snapshot.isEmpty ? .null : .string(reply.snapshot)),
                    ] + reply.damage.fields + [("passedOver", .names(reply.passedOver))]))
        }
        page.tell(passedOver: reply.passedOver, taken: reply.snapshot)
        page.output(
            "restored \(Quantity.notes(shown: reply.noteCount, total: reply.noteCount)): \(reply.contents.words)\n")
        page.tell(reply.damage, "could not be restored")
        // An archive always gets a new key, and nobody expects another.
        let isArchive = snapshot == nil
        if reply.hasNewKey, !isArchive {
            page.talk(
                "vault: note: the snapshot is from before the vault's key was changed, so the vault has a new key")
            page.talk(
                "vault: note: it opens with the password given, and the recovery key if one was given; not with a key file or another password"
            )
        } else if reply.leftOutNewPassword {
            page.talk(
                "vault: note: a snapshot keeps the passwords it was made with, so the new one was not used; vault passwd changes it"
            )
        }
        if reply.replacesOlder {
            page.talk(
                "vault: note: You have another copy of this vault here. After you unlock the restored one, the other will be refused as older."
            )
        } else if reply.isCopy {
            page.talk("vault: note: this is a copy with its own identity: it and the vault can be used side by side")
            page.talk("vault: hint: to replace the vault instead, restore it with --replace to another folder")
        }
    }
}

extension ArchiveContents {
    /// "12 revisions, 1 attachment"
    var words: String {
        var parts = [Self.count(revisions, "revision")]
        if attachments > 0 { parts.append(Self.count(attachments, "attachment")) }
        if privateNotes > 0 { parts.append(Self.count(privateNotes, "private note")) }
        if drafts > 0 { parts.append(Self.count(drafts, "draft")) }
        return parts.joined(separator: ", ")
    }

    private static func count(_ number: UInt64, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }

    /// The members of the object in JSON.
    var fields: [(key: String, value: JSONText)] {
        [
            ("revisions", .count(revisions)), ("attachments", .count(attachments)),
            ("privateNotes", .count(privateNotes)),
            ("drafts", .count(drafts)),
        ]
    }
}
