// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import RecoveryPage

/// `QRCodeCommand` runs `vault-parse qr-code`: a frame with letters, and a `QRCodeRecord` back.
enum QRCodeCommand {
    static func run() {
        do {
            let text = try Pipe.onlyFrame(max: QRCodeRecord.textByteCountMax)
            guard QRCodeRecord.isText(text) else { Pipe.fail("this is no text for a code") }
            guard let modules = try? QRModules(letters: text) else { Pipe.fail("the code cannot be made") }
            Pipe.write(try QRCodeRecord(side: modules.side) { modules.isDark($0, $1) }.encoded)
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }
}
