// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `GifStripper` strips GIF: it keeps the frames with their timing, the loop count and the colour profile.
///
/// Source: GIF89a specification; the loop count is an extension that all programs know.
struct GifStripper {
    private let view: ByteView
    private var at = 13

    static func strip(_ view: ByteView, to output: inout StripOutput) throws(MediaError) {
        var stripper = GifStripper(view)
        try stripper.run(&output)
    }

    private init(_ view: ByteView) { self.view = view }

    private func error(_ code: MediaError.Code) -> MediaError { MediaError(code, offset: at) }

    private mutating func run(_ output: inout StripOutput) throws(MediaError) {
        guard let flags = view.u8(10) else { throw error(.truncated) }
        at += Self.tableByteCount(flags)
        guard let start = view.view(0, at) else { throw error(.truncated) }
        output.append(start.slice)
        var hasFrame = false
        while true {
            let begin = at
            guard let introducer = view.u8(at) else { throw error(.truncated) }
            switch introducer {
            case 0x3B:
                guard hasFrame else { throw error(.malformed) }
                output.append([0x3B])
                if at + 1 < view.count { output.removed.insert(.trailingData) }
                return
            case 0x2C:
                try skipFrame()
                hasFrame = true
                output.append(view.slice[begin..<at])
            case 0x21: try takeExtension(&output)
            default: throw error(.malformed)
            }
        }
    }

    private static func tableByteCount(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }

    /// Skips a descriptor, perhaps a table of colours, the code size, and the coded picture in blocks.
    private mutating func skipFrame() throws(MediaError) {
        guard let flags = view.u8(at + 9) else { throw error(.truncated) }
        at += 10 + Self.tableByteCount(flags) + 1
        try skipBlocks()
    }

    /// Skips blocks of up to 255 bytes; an empty one ends them.
    private mutating func skipBlocks() throws(MediaError) {
        while true {
            guard let byteCount = view.u8(at), view.view(at + 1, byteCount) != nil else { throw error(.truncated) }
            at += 1 + byteCount
            if byteCount == 0 { return }
        }
    }

    private mutating func takeExtension(_ output: inout StripOutput) throws(MediaError) {
        let begin = at
        guard let label = view.u8(at + 1) else { throw error(.truncated) }
        at += 2
        try skipBlocks()
        switch label {
        // Timing, and text that is part of the picture.
        case 0xF9, 0x01: output.append(view.slice[begin..<at])
        case 0xFE: output.removed.insert(.comments)
        case 0xFF: takeApplication(from: begin, &output)
        default: output.removed.insert(.other)
        }
    }

    private func takeApplication(from begin: Int, _ output: inout StripOutput) {
        guard view.u8(begin + 2) == 11 else {
            output.removed.insert(.other)
            return
        }
        if view.has("NETSCAPE2.0", at: begin + 3) || view.has("ANIMEXTS1.0", at: begin + 3) {
            // The loop count is two bytes; what stands behind it could be anything.
            guard view.has([3, 1], at: begin + 14) else {
                output.removed.insert(.other)
                return
            }
            output.append(view.slice[begin..<begin + 18])
            output.append([0])
            if at > begin + 19 { output.removed.insert(.other) }
        } else if view.has("ICCRGBG1012", at: begin + 3) {
            output.append(view.slice[begin..<at])
        } else {
            output.removed.insert(view.has("XMP DataXMP", at: begin + 3) ? .xmp : .other)
        }
    }
}
