// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `JEXExport` writes notes as Joplin's archive, JEX: a tar of one file for each note, notebook, tag, attachment and
/// tag of a note.
///
/// Give it a `TarStream`; with a `FolderTarget` it makes what Joplin calls RAW. Attachments that the text does not show
/// are linked at its end, because Joplin removes files that no note refers to. Source: joplinapp.org/help,
/// "Importing and exporting notes".
public final class JEXExport: NoteExport {
    private let target: any ExportTarget
    private let content: AttachmentContent
    private var losses = LossCounter()
    /// Notebooks and tags that have an item already: as many as there are names.
    private var folders: [[UInt8]: String] = [:]
    private var tags: [String: String] = [:]
    private var namedIDs: Set<String> = []
    private var hasResources = false

    public init(to target: any ExportTarget, content: @escaping AttachmentContent) {
        self.target = target
        self.content = content
    }

    public func leaveOut(privateNotes count: Int) { losses.add(.privateNotes, count) }

    public func add(_ note: ExportedNote) throws {
        try Identifier.check(note)
        countLosses(of: note)
        let parent = try folder(note)
        let ids = note.attachments.map { JEXIdentity.attachment($0.id) }
        let text = AttachmentReferences(note.attachments).rewrite(note.body) { place, _ in Array(":/\(ids[place])".utf8)
        }
        let unused = note.attachments.indices.filter { !text.used.contains($0) }
        try addItem(
            of: note, body: text.bytes + JEXResource.links(to: unused.map { note.attachments[$0] }), parent: parent)
        for (attachment, id) in zip(note.attachments, ids) { try add(attachment, id) }
        for (place, tag) in note.tags.enumerated() { try add(tag, place: place, of: note) }
    }

    public func finish() throws -> [ExportLoss] {
        try target.finish()
        return losses.list
    }

    private func addItem(of note: ExportedNote, body: [UInt8], parent: String) throws {
        let id = JEXIdentity.note(note.id)
        var item = JEXItem(title: note.title, body: body)
        item.add("id", id)
        item.add("parent_id", parent)
        for key: String in ["is_conflict", "is_todo", "todo_due", "todo_completed", "order", "deleted_time"] {
            item.add(key, "0")
        }
        for key: String in ["author", "source_url", "application_data"] { item.add(key, "") }
        item.add("latitude", "0.00000000")
        item.add("longitude", "0.00000000")
        item.add("altitude", "0.0000")
        item.add("source", "vault")
        item.add("source_application", "vault")
        item.add("markup_language", "1")
        try end(&item, .note, id, created: note.created, modified: note.modified)
    }

    /// Returns the notebook's identifier; it and those above it get their items the first time.
    private func folder(_ note: ExportedNote) throws -> String {
        var (path, parent): ([UInt8], String) = ([], "")
        for name in note.notebook.split(separator: "/") {
            path += [UInt8(ascii: "/")] + name.utf8
            if let known = folders[path] {
                parent = known
                continue
            }
            let id = JEXIdentity.named(String(decoding: path, as: UTF8.self), kind: "folder", taken: &namedIDs)
            var item = JEXItem(title: String(name))
            item.add("id", id)
            item.add("parent_id", parent)
            item.add("icon", "")
            item.add("deleted_time", "0")
            try end(&item, .folder, id, created: note.created, modified: note.created)
            folders[path] = id
            parent = id
        }
        return parent
    }

    private func add(_ tag: String, place: Int, of note: ExportedNote) throws {
        let tagID = try self.tag(tag, note.created)
        let id = JEXIdentity.noteTag(note.id, place: place)
        var item = JEXItem(title: nil)
        item.add("id", id)
        item.add("note_id", JEXIdentity.note(note.id))
        item.add("tag_id", tagID)
        try end(&item, .noteTag, id, created: note.modified, modified: note.modified)
    }

    private func tag(_ tag: String, _ created: Int64) throws -> String {
        let key = tag.lowercased()
        if let known = tags[key] { return known }
        let id = JEXIdentity.named(key, kind: "tag", taken: &namedIDs)
        var item = JEXItem(title: tag)
        item.add("id", id)
        item.add("parent_id", "")
        try end(&item, .tag, id, created: created, modified: created)
        tags[key] = id
        return id
    }

    private func add(_ attachment: ExportedAttachment, _ id: String) throws {
        if !hasResources { try target.addFolder(["resources"], modified: attachment.created) }
        hasResources = true
        var item = JEXResource.item(of: attachment, id)
        try end(&item, .resource, id, created: attachment.created, modified: attachment.created)
        let path = ["resources", id + "." + JEXResource.ending(of: attachment)]
        try target.addFile(path, byteCount: attachment.byteCount, modified: attachment.created) { sink in
            try content(attachment.id, sink)
        }
    }

    private func end(_ item: inout JEXItem, _ kind: JEXItem.Kind, _ id: String, created: Int64, modified: Int64) throws
    {
        item.end(kind, created: created, modified: modified)
        try target.addFile([id + ".md"], modified: modified, bytes: item.bytes)
    }

    private func countLosses(of note: ExportedNote) {
        losses.addCommon(note)
        losses.add(.flags, note.flagWords.isEmpty ? 0 : 1)
        losses.add(.sources, note.source == nil ? 0 : 1)
        losses.add(.captions, note.attachments.count { !$0.caption.isEmpty })
        losses.add(.noteLinks, note.mayLinkToNotes ? 1 : 0)
    }
}
