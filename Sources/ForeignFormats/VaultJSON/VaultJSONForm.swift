// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Names and identifiers of vault's JSON export. What does not have their form is not looked for anywhere.
///
/// Spec: docs/export-json.md §1, §3, §5.
enum VaultJSONForm {
    static let noteIDByteCount = 16
    static let attachmentIDByteCount = 26

    static func isNoteID(_ text: String) -> Bool {
        text.utf8.count == noteIDByteCount && text.utf8.allSatisfy(isBase32)
    }
    static func isAttachmentID(_ text: String) -> Bool {
        text.utf8.count == attachmentIDByteCount && text.utf8.allSatisfy(isBase32)
    }

    /// Whether a path is `attachments/ab/<id>`, perhaps with a short ending of letters and digits behind it.
    static func isFile(_ path: String, of id: String) -> Bool {
        let beginning = "attachments/" + String(decoding: Array(id.utf8.prefix(2)), as: UTF8.self) + "/" + id
        guard path.utf8.starts(with: beginning.utf8) else { return false }
        let ending = path.utf8.dropFirst(beginning.utf8.count)
        return ending.isEmpty
            || (ending.first == UInt8(ascii: ".") && (2...12).contains(ending.count)
                && ending.dropFirst().allSatisfy(isAlphanumeric))
    }

    /// `notes-000001.json`.
    static func documentName(part: UInt64) -> String {
        let digits = String(part)
        return "notes-" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ".json"
    }

    private static func isBase32(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
