// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import MediaFormats

/// `vault-parse strip`: a photo on standard input, the same one without place, serial numbers and the like on standard
/// output.
enum StripCommand {
    static func run() {
        guard let photo = Pipe.wholeInput(max: PhotoMetadata.byteCountMax) else { Pipe.fail("the photo is too large") }
        // Nothing is written before the whole photo is understood.
        guard let stripped = try? PhotoMetadata.strip(photo) else { Pipe.fail("the photo is not understood") }
        Pipe.write(stripped.bytes)
    }
}
