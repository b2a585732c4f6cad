// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `MailMessage` is a message that mail programs open as one that is still to be sent: the first line is its subject.
///
/// Sources: RFC 5322 (fields), RFC 2047 (encoded words), RFC 2045 §6.8 (base64); `X-Unsent` as Outlook and Thunderbird
/// read it.
struct MailMessage {
    let bytes: [UInt8]
    /// Bytes in one encoded word, and characters in a line of base64.
    private static let (wordByteCount, lineCount) = (42, 76)

    init(_ text: [UInt8]) {
        let first = text.prefix { $0 != 0x0A && $0 != 0x0D }
        let rest = text.dropFirst(first.count).drop { $0 == 0x0A || $0 == 0x0D }
        var message = "X-Unsent: 1\r\nSubject: \(Self.subject(Array(first)))\r\nMIME-Version: 1.0\r\n"
        message += "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        bytes = Array(message.utf8) + Self.lines(Array(rest.isEmpty ? first : rest))
    }

    /// Returns words of base64: any text stays in one field, whatever it holds.
    private static func subject(_ text: [UInt8]) -> String {
        var words: [String] = []
        var begin = 0
        while begin < text.count {
            var end = min(begin + wordByteCount, text.count)
            // No character is cut: a byte 10…… goes on with the one before.
            while end < text.count, end > begin + 1, text[end] & 0xC0 == 0x80 { end -= 1 }
            let word = OSC52.base64(Array(text[begin..<end]))
            words.append("=?utf-8?B?" + String(decoding: word, as: UTF8.self) + "?=")
            begin = end
        }
        return words.joined(separator: "\r\n ")
    }

    /// Returns lines of base64, each with its end.
    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        let encoded = OSC52.base64(bytes)
        return stride(from: 0, to: encoded.count, by: lineCount).flatMap { begin in
            encoded[begin..<min(begin + lineCount, encoded.count)] + [0x0D, 0x0A]
        }
    }
}
