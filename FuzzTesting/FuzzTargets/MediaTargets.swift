// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import MediaFormats
internal import ParserProtocol
internal import PictureDecoding
internal import SketchDrawing
internal import SketchFormat

/// Pictures and sketches, as Imp sends them.
extension FuzzTarget {
    static let media = [svg, exif, picture]

    /// What was imported is a sketch of ours: it parses, and is written as it was.
    private static let svg = FuzzTarget("svg") { bytes in
        if let sketch = try? Sketch(parsingSVG: bytes), (try? Sketch(parsingSVG: sketch.svg)) != sketch { return false }
        var leftOut: [LeftOut: Int] = [:]
        guard let sketch = try? Sketch(importingSVG: bytes, leavingOut: &leftOut) else { return true }
        guard (try? Sketch(parsingSVG: sketch.svg)) == sketch else { return false }
        _ = SketchCommand(["draw", "png", "32"])?.run(bytes)
        return true
    }

    /// A photo that was stripped has nothing left to strip.
    private static let exif = FuzzTarget("exif") { bytes in
        _ = MediaType.detect(head: Array(bytes.prefix(MediaType.headByteCount)))
        _ = PictureSize.read(bytes)
        _ = try? PhotoMetadata.report(bytes)
        guard let stripped = try? PhotoMetadata.strip(bytes) else { return true }
        guard let again = try? PhotoMetadata.strip(stripped.bytes) else { return false }
        return again.bytes == stripped.bytes
    }

    private static let picture = FuzzTarget("picture") { bytes in
        let record = PictureDecoder.record(of: bytes).encoded
        return record.count <= PictureRecord.byteCountMax
    }
}
