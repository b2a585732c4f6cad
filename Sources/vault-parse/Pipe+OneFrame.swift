// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc
import ParserProtocol

extension Pipe {
    /// The content of the only frame of the input, which must end behind it. It is read into the array that is returned
    /// and nowhere else, so that a caller who wipes that has wiped all of it.
    ///
    /// - Parameter max: the cap on the content, in bytes; it is reserved before the content has arrived.
    /// - Throws: `RecordError`: `tooLarge`, `truncated`, `trailingBytes`.
    static func onlyFrame(max: Int) throws(RecordError) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: RecordFrame.headerByteCount)
        guard fill(&header) == header.count else { throw RecordError(.truncated) }
        var content = [UInt8](repeating: 0, count: try RecordFrame.contentByteCount(header: header, max: max))
        guard fill(&content) == content.count else { throw RecordError(.truncated) }
        var more: [UInt8] = [0]
        guard fill(&more) == 0 else { throw RecordError(.trailingBytes, offset: content.count) }
        return content
    }

    /// - Returns: how many bytes arrived before the array was full or the input ended.
    private static func fill(_ bytes: inout [UInt8]) -> Int {
        unsafe bytes.withUnsafeMutableBytes { target in
            var count = 0
            while count < target.count {
                let got = unsafe read(STDIN_FILENO, target.baseAddress?.advanced(by: count), target.count - count)
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { fail("standard input cannot be read") }
                guard got > 0 else { break }
                count += got
            }
            return count
        }
    }
}
