// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Reads and writes a regular file at given places, whole pieces only.
enum FileBytes {
    /// Fills `target` from `offset` on.
    ///
    /// - Returns: how many bytes there were: fewer only at the file's end.
    static func read(_ descriptor: Int32, _ target: UnsafeMutableRawBufferPointer, at offset: Int) throws(ObjectError)
        -> Int
    {
        var done = 0
        while done < target.count {
            let got = unsafe pread(descriptor, target.baseAddress! + done, target.count - done, off_t(offset + done))
            if got == 0 { break }
            if got < 0 {
                if errno == EINTR { continue }
                throw ObjectError(errno: errno)
            }
            done += got
        }
        return done
    }

    /// - Throws: `ObjectError.noRoom`, `.io`.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ObjectError) {
        var done = 0
        while done < bytes.count {
            let put = unsafe pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
            if put < 0 {
                if errno == EINTR { continue }
                throw ObjectError(errno: errno)
            }
            guard put > 0 else { throw ObjectError(.io, systemError: EIO) }
            done += put
        }
    }
}
