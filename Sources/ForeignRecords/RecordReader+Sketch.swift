// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension RecordReader {
    /// - Throws: `RecordError`: `truncated`; `notCanonical` for a status that there is not.
    mutating func sketchStatus() throws(RecordError) -> SketchStatus {
        let at = offset
        guard let status = SketchStatus(rawValue: try u8()) else { throw RecordError(.notCanonical, offset: at) }
        return status
    }
}
