// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import MediaFormats
import ParserProtocol
import PictureDecoding
import SketchDrawing

/// `PictureCommand` runs `vault-parse picture`: a whole file until the end of the input, one `PictureRecord` back, also
/// when there is no picture in it.
enum PictureCommand {
    static func run() {
        guard var bytes = Pipe.wholeInput(max: PictureDecoder.byteCountMax) else {
            Pipe.write(PictureRecord.tooLarge.encoded)
            return
        }
        var record = PictureDecoder.record(of: bytes).encoded
        wipe(&bytes)
        Pipe.write(record)
        wipe(&record)
    }

    private static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { unsafe vs_wipe($0.baseAddress, $0.count) }
    }
}

/// `DrawCommand` runs `vault-parse sketch import|check|draw FORMAT [WIDTH]`: SVG on standard input, a record on
/// standard output.
enum DrawCommand {
    /// Largest input, in bytes: that of a sketch (docs/sketch-format.md); what is imported may be no larger.
    private static let byteCountMax = 16 << 20

    @Sendable static func run(_ words: [String]) {
        guard let command = SketchCommand(words) else {
            Pipe.fail("usage: vault-parse sketch import|check|draw FORMAT [WIDTH]", exitCode: 2)
        }
        guard let input = Pipe.wholeInput(max: byteCountMax) else { Pipe.fail("the sketch is too large") }
        Pipe.write(command.run(input))
    }
}

/// `StripCommand` runs `vault-parse strip`: a photo on standard input, the same one without place, serial numbers and
/// the like on standard output.
enum StripCommand {
    static func run() {
        guard let photo = Pipe.wholeInput(max: PhotoMetadata.byteCountMax) else { Pipe.fail("the photo is too large") }
        // Nothing is written before the whole photo is understood.
        guard let stripped = try? PhotoMetadata.strip(photo) else { Pipe.fail("the photo is not understood") }
        Pipe.write(stripped.bytes)
    }
}
