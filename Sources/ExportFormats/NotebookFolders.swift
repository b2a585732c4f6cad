// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// The folders that notebooks become. Their number is that of the notebooks, not of the notes.
struct NotebookFolders {
    struct Folder {
        /// For `UsedNames`: 0 is the export's own folder.
        let number: Int
        let path: [String]
    }

    /// Deeper notebooks lie in one folder with their names joined: paths have an end on every system.
    static let depthMax = 24

    private var known: [[UInt8]: Folder] = [:]
    private var recent: (notebook: [UInt8], folder: Folder)?
    private let root: Folder
    private(set) var renamedCount = 0

    /// - Parameter root: parts of the path that all of the export lies in.
    init(root: [String] = []) { self.root = Folder(number: 0, path: root) }

    /// Finds the folder of a notebook.
    ///
    /// - Parameter make: is called for each new folder, its parents first.
    mutating func folder(of notebook: String, _ names: inout UsedNames, make: ([String]) throws -> Void) throws
        -> Folder
    {
        if notebook.isEmpty { return root }
        let key = Array(notebook.utf8)
        if let recent, recent.notebook == key { return recent.folder }
        var folder = root
        var parts = notebook.split(separator: "/").map(String.init)
        if parts.count > Self.depthMax {
            parts = parts[..<(Self.depthMax - 1)] + [parts[(Self.depthMax - 1)...].joined(separator: "_")]
        }
        var above: [UInt8] = []
        for part in parts {
            above += [UInt8(ascii: "/")] + part.utf8
            folder = try self.folder(part, key: above, in: folder, &names, make: make)
        }
        recent = (key, folder)
        return folder
    }

    private mutating func folder(
        _ name: String, key: [UInt8], in parent: Folder, _ names: inout UsedNames, make: ([String]) throws -> Void
    ) throws -> Folder {
        if let folder = known[key] { return folder }
        var clean = SafeName.clean(name, fallback: "Notebook")
        // Such a folder is a note's attachments to whoever reads the export.
        if clean.lowercased().hasSuffix(".files") {
            clean = SafeName.cut(clean, byteCountMax: SafeName.byteCountMax - 1) + "_"
        }
        let safe = names.claim(clean, in: parent.number, endings: [""])
        if !safe.utf8.elementsEqual(name.utf8) { renamedCount += 1 }
        let folder = Folder(number: known.count + 1, path: parent.path + [safe])
        try make(folder.path)
        known[key] = folder
        return folder
    }
}
