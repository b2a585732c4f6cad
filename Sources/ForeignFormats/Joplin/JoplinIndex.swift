// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `JoplinIndex` holds what the first reading of a Joplin export learns: everything but texts and files.
struct JoplinIndex {
    struct Folder {
        let title: String
        let parent: ForeignID?
    }

    struct Resource {
        let name: String
        let updated: Int64?
    }

    private static let nameByteCountMax = 1024
    private static let depthMax = 64

    private(set) var titles = NoteTitles()
    private var folders: [ForeignID: Folder] = [:]
    private var resources: [ForeignID: Resource] = [:]
    private var tags: [ForeignID: String] = [:]
    private var tagsOfNotes: [ForeignID: [ForeignID]] = [:]
    /// Files in `resources/`.
    var files: Set<ForeignID> = []
    /// What any text names as ":/…".
    private(set) var named: Set<ForeignID> = []

    /// Adds an item of the export.
    ///
    /// - Returns: false for an item that is there already.
    mutating func add(_ item: JoplinItem, _ id: ForeignID, _ kind: JoplinItem.Kind, _ output: ImportOutput)
        throws(ImportFailure) -> Bool
    {
        let title = MarkdownTitle.cut(item.title, byteCountMax: Self.nameByteCountMax)
        try output.remember(byteCount: 2 * title.utf8.count)
        switch kind {
        case .note:
            guard titles.add(key: id.text, title: MarkdownTitle.clean(title) ?? "") else { return false }
            output.found.notes += 1
            try name(item.body, output)
        case .folder:
            guard folders.updateValue(Folder(title: title, parent: item.identifier("parent_id")), forKey: id) == nil
            else { return false }
            output.found.notebooks += 1
        case .resource:
            let updated = item["updated_time"].flatMap { MarkdownDate.milliseconds($0) }
            guard resources.updateValue(Resource(name: Self.fileName(item, title), updated: updated), forKey: id) == nil
            else { return false }
        case .tag: return tags.updateValue(title, forKey: id) == nil
        case .noteTag:
            guard let note = item.identifier("note_id"), let tag = item.identifier("tag_id") else { return true }
            tagsOfNotes[note, default: []].append(tag)
            output.found.tags += 1
        case .masterKey, .revision: break
        }
        return true
    }

    func resource(_ id: ForeignID) -> Resource? { resources[id] }
    func isFile(_ id: ForeignID) -> Bool { files.contains(id) }
    func tagNames(of note: ForeignID) -> [String] { tagsOfNotes[note, default: []].compactMap { tags[$0] } }

    /// Returns the path of a notebook: the folders from the outermost in. A folder that lies in itself is cut off.
    func notebook(_ id: ForeignID?) -> String {
        var parts: [String] = []
        var next = id
        while let id = next, let folder = folders[id], parts.count < Self.depthMax {
            // A slash would make two folders of one.
            parts.append(String(folder.title.map { $0 == "/" ? "-" : $0 }))
            next = folder.parent
        }
        return parts.reversed().joined(separator: "/")
    }

    private mutating func name(_ body: ArraySlice<UInt8>, _ output: ImportOutput) throws(ImportFailure) {
        var at = body.startIndex
        while let colon = body[at...].firstIndex(of: UInt8(ascii: ":")) {
            at = colon + 1
            guard body[at...].first == UInt8(ascii: "/"),
                let id = ForeignID(body[(at + 1)...].prefix(ForeignID.digitCount))
            else { continue }
            if named.insert(id).inserted { try output.remember(byteCount: 0) }
        }
    }

    private static func fileName(_ item: JoplinItem, _ title: String) -> String {
        let name = title.isEmpty ? item["filename"] ?? "" : title
        // Our own export gives every file an ending, and says beside it what the file is called.
        if !name.isEmpty, item["filename"] == name { return name }
        guard let ending = item["file_extension"], !ending.isEmpty,
            !name.lowercased().hasSuffix("." + ending.lowercased()), !name.contains(".")
        else { return name.isEmpty ? "attachment" : name }
        return (name.isEmpty ? "attachment" : name) + "." + ending
    }
}
