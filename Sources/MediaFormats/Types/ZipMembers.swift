// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Documents that are zip archives, by their first members.
enum ZipMembers {
    static let zip = MediaType.file("application/zip", "zip")

    static func type(of view: ByteView) -> MediaType? {
        guard let first = name(of: view, at: 0) else { return zip }
        if first.elementsEqual("mimetype".utf8) { return declared(view) ?? zip }
        let isPackage = ["[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/"].contains {
            first.starts(with: $0.utf8)
        }
        return isPackage ? office(view) ?? zip : zip
    }

    /// OpenDocument and EPUB: the first member is stored as it is and holds the media type.
    private static func declared(_ view: ByteView) -> MediaType? {
        guard view.le16(8) == 0, let byteCount = view.le32(18), let nameCount = view.le16(26),
            let extraCount = view.le16(28),
            let content = view.view(30 + nameCount + extraCount, byteCount)
        else { return nil }
        let types = [
            MediaType.file("application/epub+zip", "epub"), .file("application/vnd.oasis.opendocument.text", "odt"),
            .file("application/vnd.oasis.opendocument.spreadsheet", "ods"),
            .file("application/vnd.oasis.opendocument.presentation", "odp"),
            .file("application/vnd.oasis.opendocument.graphics", "odg"),
        ]
        return types.first { content.slice.elementsEqual($0.name.utf8) }
    }

    /// Office Open XML: which of three folders is met first among the members in view.
    private static func office(_ view: ByteView) -> MediaType? {
        let prefix = "application/vnd.openxmlformats-officedocument."
        for at in 0..<max(view.count - 30, 0) where view.has([0x50, 0x4B, 3, 4], at: at) {
            guard let name = name(of: view, at: at) else { continue }
            if name.starts(with: "word/".utf8) { return .file(prefix + "wordprocessingml.document", "docx") }
            if name.starts(with: "xl/".utf8) { return .file(prefix + "spreadsheetml.sheet", "xlsx") }
            if name.starts(with: "ppt/".utf8) { return .file(prefix + "presentationml.presentation", "pptx") }
        }
        return nil
    }

    private static func name(of view: ByteView, at offset: Int) -> ArraySlice<UInt8>? {
        guard let byteCount = view.le16(offset + 26) else { return nil }
        return view.view(offset + 30, byteCount)?.slice
    }
}
