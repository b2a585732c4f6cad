// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A folder within a vault's directory, and what its listing tells.
public struct InspectedFolder: Encodable, Sendable, Equatable {
    /// From the vault's directory on, e.g. `objects/ab`; bytes other than printable ASCII as `\xNN`.
    public let path: String
    /// In the order of their names.
    public let files: [InspectedFile]
    public let isReadable: Bool

    /// All folders beneath one, to a depth of three; a vault has no deeper ones.
    static func below(_ directory: InspectedDirectory, _ files: [InspectedFile], path: String = "", depth: Int = 3)
        throws(InspectionError)
        -> [InspectedFolder]
    {
        var folders: [InspectedFolder] = []
        for file in files where file.kind == "directory" && depth > 0 {
            let name = path.isEmpty ? file.name : path + "/" + file.name
            guard let inner = directory.folder(file.bytes) else {
                folders.append(InspectedFolder(path: name, files: [], isReadable: false))
                continue
            }
            let listed = try inner.files()
            folders.append(InspectedFolder(path: name, files: listed, isReadable: true))
            folders += try below(inner, listed, path: name, depth: depth - 1)
        }
        return folders
    }
}
