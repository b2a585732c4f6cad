// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// How Joplin knows an attachment: an item of properties, a file in `resources/`, and `:/id` in the text.
enum JEXResource {
    /// All but the end of its item.
    static func item(of attachment: ExportedAttachment, _ id: String) -> JEXItem {
        var item = JEXItem(title: attachment.name)
        item.add("id", id)
        item.add("mime", mediaType(attachment.mediaType))
        item.add("filename", attachment.name)
        item.add("file_extension", ending(of: attachment))
        item.add("encryption_blob_encrypted", "0")
        item.add("size", String(attachment.byteCount))
        return item
    }

    /// Without the dot: always one, because Joplin looks for the file by it.
    static func ending(of attachment: ExportedAttachment) -> String {
        let ending = SafeName.split(attachment.name).ending.dropFirst().lowercased()
        return ending.isEmpty ? "bin" : ending
    }

    /// What follows a text that does not show these; empty if there are none.
    static func links(to attachments: [ExportedAttachment]) -> [UInt8] {
        var text: [UInt8] = []
        for attachment in attachments {
            text += attachment.mediaType.hasPrefix("image/") ? "\n\n![".utf8 : "\n\n[".utf8
            for byte in OneLine.text(attachment.name).utf8 {
                if [UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\")].contains(byte) {
                    text.append(UInt8(ascii: "\\"))
                }
                text.append(byte)
            }
            text += "](:/\(JEXIdentity.attachment(attachment.id)))".utf8
        }
        return text
    }

    private static func mediaType(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain && text.contains("/") ? text : "application/octet-stream"
    }
}
