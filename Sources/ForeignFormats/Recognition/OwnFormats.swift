// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ParserProtocol

/// `Recognition` says how well a source fits a format.
enum Recognition: Int, Comparable {
    case none
    /// It applies when no other format does.
    case possible
    case likely
    /// Nothing else is meant, whatever else it looks like.
    case certain

    static func < (first: Recognition, second: Recognition) -> Bool { first.rawValue < second.rawValue }
}

/// `OwnFormats` says which of the formats that are imported a source could be: each importer says how well it fits.
enum OwnFormats {
    static func formats(of view: SourceView) -> Set<ImportFormat> {
        let found = ImportFormat.allCases.map { (format: $0, recognition: $0.importer.recognition(of: view)) }
        guard let best = found.map(\.recognition).max(), best > .none else { return [] }
        return Set(found.filter { $0.recognition == best }.map(\.format))
    }

    /// Lists the formats that the file would have if it were encrypted.
    static func encrypted(_ view: SourceView) -> Set<ImportFormat> {
        Set(ImportFormat.allCases.filter { $0.importer.isEncrypted(view) })
    }
}

/// `FolderFile` is a name in a folder, in its parts.
struct FolderFile {
    let folders: [String]
    let name: String
    /// The name up to its last dot.
    let stem: String
    /// What stands behind the dot, in lower case.
    let ending: String

    var isMarkdown: Bool { ending == "md" || ending == "markdown" }

    init?(_ path: [UInt8]) {
        let parts = path.split(separator: 0x2F).map { String(decoding: $0, as: UTF8.self) }
        guard let name = parts.last else { return nil }
        (folders, self.name) = (Array(parts.dropLast()), name)
        guard let dot = name.lastIndex(of: ".") else {
            (stem, ending) = (name, "")
            return
        }
        (stem, ending) = (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }
}

extension String {
    /// Returns whether a text is nothing but so many ASCII digits.
    func isNumber(ofDigits count: Int) -> Bool {
        utf8.count == count && utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
