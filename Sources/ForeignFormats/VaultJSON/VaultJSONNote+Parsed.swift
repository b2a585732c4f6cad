// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ForeignRecords

extension VaultJSONNote {
    /// - Parameter attachments: in their order; their contents have been delivered.
    func parsed(_ attachments: VaultJSONAttachments, _ titles: NoteTitles, _ output: ImportOutput) -> ParsedNote {
        var note = NoteAssembly(sourceKey: id)
        if titleIsSet { note.setTitle(title) }
        if titleIsSet, isTitleCut || title.utf8.count > ParsedNote.titleByteCountMax { note.losses.add(.titleTooLong) }
        for tag in tags { note.addTag(tag) }
        note.setNotebook(notebook)
        note.setTimes(created: Self.time(created, "created", &note), updated: Self.time(modified, "modified", &note))
        note.insert(flags)
        // Stored under a password again, or not at all.
        if isPrivate { note.insert(.isPrivate) }
        if hasSource { note.losses.add(.flagNotCarried, detail: "source") }
        if revisionCount > 0 { note.losses.add(.historyNotCarried, detail: String(revisionCount)) }
        if !isTextExact { note.losses.add(.textDamaged) }
        if attachments.isCut { note.losses.add(.tooManyExtras) }
        let names = Self.attach(attachments.list, &note)
        let text = VaultJSONBody(body)
        output.found.links += text.addLinks(titles, &note)
        note.setBody(text.renaming(names))
        return note.finished()
    }

    /// - Returns: what the text has to call them, where that is something else than before.
    private static func attach(_ attachments: [VaultJSONAttachment], _ note: inout NoteAssembly) -> [String: String] {
        var names: [String: String] = [:]
        for attachment in attachments {
            guard attachment.state != .missing else {
                note.losses.add(.attachmentMissing)
                continue
            }
            if attachment.state == .damaged { note.losses.add(.attachmentDamaged) }
            if !attachment.isKindKnown { note.losses.add(.flagNotCarried, detail: "kind") }
            // Where two have one name, the text means the first.
            if let name = note.attach(key: attachment.id, name: attachment.name), names[attachment.name] == nil {
                names[attachment.name] = name
            }
        }
        return names.filter { $0.key != $0.value }
    }

    private static func time(_ text: String, _ name: String, _ note: inout NoteAssembly) -> Int64? {
        guard let time = MarkdownDate.milliseconds(text) else {
            note.losses.add(.dateReplaced, detail: name)
            return nil
        }
        return time
    }
}
