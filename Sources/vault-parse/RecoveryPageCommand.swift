// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import ParserProtocol
import RecoveryPage

/// `RecoveryPageCommand` runs `vault-parse recovery-page`: a frame with a `RecoveryPageRecord`, and the page as a
/// `SketchDrawingRecord` back. Then the process ends: no second input meets what the libraries may have left of a key
/// in memory.
enum RecoveryPageCommand {
    static func run() {
        do {
            var frame = try Pipe.onlyFrame(max: RecoveryPageRecord.byteCountMax)
            let drawn = Result { () throws(RecordError) in try page(of: frame) }
            frame.wipe()
            guard var page = try drawn.get() else {
                Pipe.write(SketchDrawingRecord(refused: .failed).encoded)
                return
            }
            // The record in two parts: as one it would be a copy of the page.
            Pipe.write([SketchStatus.ok.rawValue, SketchDrawingRecord.Format.pdf.rawValue])
            Pipe.write(page)
            page.wipe()
        } catch {
            Pipe.fail("a frame is malformed: \(error)")
        }
    }

    /// Makes the page in a function of its own: when it returns, the record is gone, and the frame is the caller's
    /// alone.
    @inline(never)
    private static func page(of frame: [UInt8]) throws(RecordError) -> [UInt8]? {
        let record = try RecoveryPageRecord(parsing: frame)
        return try? RecoveryPage.draw(record)
    }
}
