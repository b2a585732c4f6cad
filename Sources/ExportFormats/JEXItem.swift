// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `JEXItem` is one item of Joplin's archive: title and body as they are, then a blank line and properties, one to a
/// line.
///
/// The reader takes the properties from the last blank line on, so no property may hold one.
struct JEXItem {
    enum Kind: Int {
        case note = 1
        case folder = 2
        case resource = 4
        case tag = 5
        case noteTag = 6
    }

    private(set) var bytes: [UInt8] = []

    /// Begins an item with its title and body.
    ///
    /// - Parameter title: nil for items that have none.
    init(title: String?, body: [UInt8]? = nil) {
        bytes.reserveCapacity(1024 + (body?.count ?? 0))
        if let title {
            bytes += Self.escaped(title)
            bytes += "\n\n".utf8
        }
        if let body {
            bytes += body
            bytes += "\n\n".utf8
        }
    }

    mutating func add(_ key: String, _ value: String) {
        bytes += key.utf8
        bytes += ": ".utf8
        bytes += Self.escaped(value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns one line. The reader takes "\n" and "\r" in all but a body for line ends, so those two letters get a
    /// second backslash.
    private static func escaped(_ text: String) -> [UInt8] {
        let line = Array(OneLine.text(text).utf8)
        guard line.contains(UInt8(ascii: "\\")) else { return line }
        var result: [UInt8] = []
        for at in line.indices {
            if line[at] == UInt8(ascii: "\\"), at + 1 < line.count,
                line[at + 1] == UInt8(ascii: "n") || line[at + 1] == UInt8(ascii: "r")
            {
                result.append(line[at])
            }
            result.append(line[at])
        }
        return result
    }

    /// Adds the properties that every item has; the last of them ends it.
    mutating func end(_ kind: Kind, created: Int64, modified: Int64) {
        for (key, time) in [("created_time", RFC3339.text(created)), ("updated_time", RFC3339.text(modified))] {
            add(key, time)
            add("user_" + key, time)
        }
        add("encryption_cipher_text", "")
        add("encryption_applied", "0")
        add("is_shared", "0")
        bytes += "type_: \(kind.rawValue)".utf8
    }
}

/// `JEXResource` says how Joplin knows an attachment: an item of properties, a file in `resources/`, and `:/id` in the
/// text.
enum JEXResource {
    /// Returns an item for an attachment, all but the item's end.
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

    /// Gives a file its ending, without the dot. There is always one, because Joplin looks for the file by it.
    static func ending(of attachment: ExportedAttachment) -> String {
        let ending = SafeName.split(attachment.name).ending.dropFirst().lowercased()
        return ending.isEmpty ? "bin" : ending
    }

    /// Returns what follows a text that does not show these; empty if there are none.
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

/// `JEXIdentity` makes identifiers of Joplin, 32 hexadecimal digits, that are the same in every export of the same
/// things.
///
/// A note's and an attachment's are their own bytes. A notebook's and a tag's come from its name, by FNV-1a of 128
/// bits; that is no protection against names made to meet, so the export looks whether one is taken before it gives it
/// out.
enum JEXIdentity {
    /// Returns the identifier of a note: six bytes that say "note", before its ten.
    static func note(_ id: String) -> String { "6e6f74650000" + Identifier.hexadecimal(id) }

    static func attachment(_ id: String) -> String { Identifier.hexadecimal(id) }

    /// Returns the identifier that says that a note has its n-th tag. No two notes have one in common, and no note has
    /// 65,536 tags.
    static func noteTag(_ id: String, place: Int) -> String {
        var text = Array("6e746167".utf8)
        Identifier.appendByte(UInt8(truncatingIfNeeded: place >> 8), &text)
        Identifier.appendByte(UInt8(truncatingIfNeeded: place), &text)
        return String(decoding: text, as: UTF8.self) + Identifier.hexadecimal(id)
    }

    /// Returns the identifier of a notebook or a tag by its name, and takes it.
    ///
    /// - Parameter kind: keeps a notebook and a tag of one name apart.
    static func named(_ name: String, kind: String, taken: inout Set<String>) -> String {
        // FNV-1a with the offset and the prime for 128 bits of Fowler, Noll and Vo.
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        for byte in Array(kind.utf8) + [0] + Array(name.utf8) {
            hash ^= UInt128(byte)
            hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        while true {
            let digits = String(hash, radix: 16)
            let id = String(repeating: "0", count: 32 - digits.utf8.count) + digits
            if taken.insert(id).inserted { return id }
            hash &+= 1
        }
    }
}
