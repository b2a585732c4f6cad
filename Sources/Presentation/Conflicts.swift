// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

// Notes with several versions, how these differ, and what became of them.

extension ListConflicts: Presented {
    /// Presents each note with a line for each version; elsewhere a line for each version alone.
    public func present(_ reply: ConflictList, on page: inout Page) {
        if page.style.json { return page.conflicts(reply) }
        for conflict in reply.conflicts {
            guard page.style.isTerminal else {
                for version in conflict.versions { page.tabbed(conflict.fields(of: version)) }
                continue
            }
            page.output(page.rows(long: false).row(RenderedNote(conflict.note)))
            for version in conflict.versions { page.version(version) }
        }
        guard page.style.isTerminal, reply.isLast else { return }
        page.talk(Quantity.notes(shown: reply.count, total: reply.count))
        if reply.count > 0 { page.hint("vault conflict show ID shows how the versions differ") }
    }
}

extension ShowConflict: Presented {
    public func present(_ reply: ShownConflict, on page: inout Page) {
        let conflict = reply.conflict
        let isLast = reply.number + 1 == conflict.versions.count
        if page.style.json { return presentJSON(reply, isLast: isLast, on: &page) }
        guard conflict.versions.indices.contains(reply.number) else { return }
        if reply.number == 0 {
            var line = StyledLine()
            let note = RenderedNote(conflict.note)
            line.append(note.title.isEmpty ? note.unnamed : note.title, note.title.isEmpty ? .dim : .bold)
            if page.style.isTerminal { page.output(line) }
        }
        if page.style.isTerminal { page.version(conflict.versions[reply.number]) }
        if let difference = reply.difference {
            CompareRevisions(ref: ref, from: nil, to: nil, byWord: byWord).present(difference, on: &page)
        } else if reply.number > 0 {
            page.talk("vault: warning: the version \(conflict.versions[reply.number].name) does not open")
        }
        guard isLast else { return }
        let id = conflict.note.shortID
        let other = conflict.versions[min(1, conflict.versions.count - 1)].name
        page.hint("vault conflict resolve \(id) --keep \(other), or --both, or --merge")
    }

    /// Presents a part of one document: the versions come one after the other.
    private func presentJSON(_ reply: ShownConflict, isLast: Bool, on page: inout Page) {
        var bytes: [UInt8] = []
        if reply.number == 0 {
            bytes = Array("{\"schema\":\(JSONText.notesSchema),\"note\":".utf8)
            JSONText.note(reply.conflict.note).write(to: &bytes)
            bytes += Array(",\"versions\":[".utf8)
        } else {
            bytes.append(UInt8(ascii: ","))
        }
        if reply.conflict.versions.indices.contains(reply.number) {
            let changes = reply.difference.map { JSONText.array($0.changes.map { .string($0.words) }) }
            let diff = reply.difference.map { JSONText.string(String(decoding: $0.unified, as: UTF8.self)) }
            JSONText.object(
                reply.conflict.versions[reply.number].json + [("changes", changes ?? .null), ("diff", diff ?? .null)]
            ).write(to: &bytes)
        }
        page.output(bytes + (isLast ? Array("]}\n".utf8) : []))
    }
}

extension ResolveConflict: Presented {
    public func present(_ reply: ChangedNotes, on page: inout Page) {
        page.changed(reply, kept == nil ? "kept" : "resolved")
        page.hint("vault undo takes it back")
    }
}

extension Page {
    /// Presents a part of one document.
    fileprivate mutating func conflicts(_ reply: ConflictList) {
        var bytes = reply.isFirst ? Array("{\"schema\":\(JSONText.notesSchema),\"conflicts\":[".utf8) : []
        for (index, conflict) in reply.conflicts.enumerated() {
            if !(reply.isFirst && index == 0) { bytes.append(UInt8(ascii: ",")) }
            JSONText.object(conflict.json).write(to: &bytes)
        }
        output(bytes + (reply.isLast ? Array("]}\n".utf8) : []))
    }

    /// Presents a version on a line: its revision, when and by which device it was made.
    fileprivate mutating func version(_ version: VersionRow) {
        var line = StyledLine()
        line.append("  \(version.name)", version.isShown ? .bold : .dim)
        let made = version.made == 0 ? "at an unknown time" : clock.text(version.made)
        line.append("  \(made)  \(version.isOwn ? "this device" : "device \(version.device.prefix(8))")", .dim)
        if version.isShown { line.append("  [shown]", .dim) }
        output(line)
    }
}

extension VersionRow {
    /// The beginning of its revision, as people see and type it.
    fileprivate var name: String { String(revision.prefix(6)) }

    fileprivate var json: [(key: String, value: JSONText)] {
        [
            ("revision", .string(revision)), ("made", made == 0 ? .null : .date(made)), ("device", .string(device)),
            ("thisDevice", .bool(isOwn)), ("shown", .bool(isShown)),
        ]
    }
}

extension ConflictRow {
    fileprivate var json: [(key: String, value: JSONText)] {
        [("note", .note(note)), ("versions", .array(versions.map { .object($0.json) }))]
    }

    /// Returns a line for a script.
    fileprivate func fields(of version: VersionRow) -> [String] {
        let title = note.title.isEmpty && note.isLocked ? RenderedNote.privateNote : note.title
        return [
            note.id, "\(versions.count)", version.revision, version.made == 0 ? "" : DateStyle.rfc3339(version.made),
            version.device, version.isOwn ? "this" : "other", version.isShown ? "shown" : "hidden", title,
        ]
    }
}
