// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import ParserProtocol
import PictureDecoding

/// `vault-parse picture`: a whole file until the end of the input, one `PictureRecord` back, also when there is no
/// picture in it.
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
