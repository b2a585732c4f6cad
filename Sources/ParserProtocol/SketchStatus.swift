// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `SketchStatus` says how a work on a sketch ended: the first byte of each record about one. The raw values are never
/// reused.
public enum SketchStatus: UInt8, Sendable, Hashable, CaseIterable {
    case ok = 0
    /// Not a sketch, or no SVG at all.
    case notASketch = 1
    /// Begun as a sketch or SVG, and then not what one is; hostile files among them.
    case damaged = 2
    /// Larger than a sketch, a picture or this machine can be.
    case tooLarge = 3
    /// The drawing library failed.
    case failed = 4
}

extension RecordReader {
    /// Reads the status that an answer begins with.
    ///
    /// - Throws: `RecordError`: `truncated`; `notCanonical` for a status that there is not.
    mutating func sketchStatus() throws(RecordError) -> SketchStatus {
        let at = offset
        guard let status = SketchStatus(rawValue: try u8()) else { throw RecordError(.notCanonical, offset: at) }
        return status
    }
}
