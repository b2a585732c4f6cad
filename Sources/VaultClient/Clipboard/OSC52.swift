// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `OSC52` writes to the terminal's own clipboard: a sequence that sets it (xterm's control sequences, "Operating
/// System Commands", 52).
enum OSC52 {
    /// Terminals take about 100,000 characters of base64.
    static let byteCountMax = 74_994

    static func copy(_ bytes: [UInt8]) throws(ClientFailure) {
        guard Terminal.canDraw else {
            throw ClientFailure(
                .other, "this terminal (TERM=dumb) has no clipboard", hint: "vault share ID --to file -o PATH")
        }
        guard bytes.count <= byteCountMax else {
            throw .usage(
                "the text is too long for the terminal's clipboard (\(byteCountMax) bytes)",
                hint: "vault share ID --to file -o PATH")
        }
        let terminal = unsafe open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw ClientFailure(
                .other, "there is no terminal here, so there is no clipboard", hint: "vault share ID --to file -o PATH")
        }
        defer { close(terminal) }
        guard Streams.writeAll(sequence(bytes), to: terminal) else {
            throw ClientFailure(.other, "the terminal did not accept the text")
        }
    }

    /// Returns the sequence ESC ] 52 ; c ; base64 BEL.
    static func sequence(_ bytes: [UInt8]) -> [UInt8] { Array("\u{1B}]52;c;".utf8) + base64(bytes) + [0x07] }

    /// Writes base64 by RFC 4648 section 4, with padding.
    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let letter = letters[Int(bits >> UInt32(18 - 6 * place) & 63)]
                result.append(place <= group.count ? letter : 0x3D)
            }
        }
        return result
    }
}
