// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import ParserProtocol

/// `QRPicture` draws a QR code with two modules in each cell, dark on light whatever the terminal's colours are, with
/// the light border that readers need.
enum QRPicture {
    /// Light modules around the code.
    private static let border = 4

    /// Returns how many columns a code takes.
    static func columns(_ code: QRCodeRecord) -> Int { code.side + 2 * border }

    static func drawn(_ code: QRCodeRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        for y in stride(from: -border, to: code.side + border, by: 2) {
            // Black on bright white.
            bytes += "\u{1B}[30;107m".utf8
            for x in -border..<code.side + border {
                switch (code.isDark(x, y), code.isDark(x, y + 1)) {
                case (true, true): bytes += "\u{2588}".utf8
                case (true, false): bytes += "\u{2580}".utf8
                case (false, true): bytes += "\u{2584}".utf8
                case (false, false): bytes.append(0x20)
                }
            }
            bytes += "\u{1B}[0m\n".utf8
        }
        return bytes
    }

    /// Has `vault-parse` make the code of a text.
    ///
    /// - Parameter text: letters A to Z and digits.
    /// - Throws: `.other` when it cannot be made.
    static func made(of text: [UInt8]) throws(ClientFailure) -> QRCodeRecord {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else {
            throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))")
        }
        let filter: ParserFilter
        do throws(ClientFailure) { filter = try ParserFilter(["qr-code"], input: ends[0]) } catch {
            close(ends[0])
            close(ends[1])
            throw error
        }
        close(ends[0])
        // The pipe takes so little at once.
        let isSent = PipeSignal.ignored { Streams.writeAll(RecordFrame.enclosing(text), to: ends[1]) }
        close(ends[1])
        guard isSent, let answer = try? filter.readAll(max: QRCodeRecord.byteCountMax),
            let code = try? QRCodeRecord(parsing: answer)
        else { throw ClientFailure(.other, "the QR code could not be made", hint: "is vault-parse from this build?") }
        return code
    }
}
