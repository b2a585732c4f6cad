// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SyncProtocol

/// `FileStatus` holds what fstat(2) says of an open file.
struct FileStatus {
    let isRegular: Bool
    let byteCount: Int
    let inode: UInt64

    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        isRegular = status.st_mode & S_IFMT == S_IFREG
        byteCount = Int(status.st_size)
        inode = UInt64(status.st_ino)
    }
}

/// `FileBytes` reads and writes at places, so that nothing depends on an offset that another process shares.
enum FileBytes {
    private static let chunkByteCount = 256 << 10

    /// Writes all bytes at an offset; returns nil when that is done, else an errno.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int) -> Int32? {
        var done = 0
        while done < bytes.count {
            let put = unsafe pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, offset + done)
            if put < 0 && errno == EINTR { continue }
            guard put > 0 else { return put < 0 ? errno : EIO }
            done += put
        }
        return nil
    }

    /// Copies `byteCount` bytes, or up to the end with `atMost`.
    ///
    /// - Returns: how many.
    /// - Throws: `reading` and `writing` make a failure of an errno; `truncated` when the source ends early.
    static func copy(
        from source: Int32, to target: Int32, byteCount: Int, mayEndEarly: Bool,
        reading: (Int32) -> StoreFailure, writing: (Int32) -> StoreFailure
    ) throws(StoreFailure) -> Int {
        var buffer = [UInt8](repeating: 0, count: min(chunkByteCount, max(byteCount, 1)))
        var done = 0
        while done < byteCount {
            let want = min(buffer.count, byteCount - done)
            let got = unsafe buffer.withUnsafeMutableBytes { unsafe pread(source, $0.baseAddress!, want, done) }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw reading(errno) }
            guard got > 0 else {
                guard mayEndEarly else { throw reading(EIO) }
                break
            }
            let failed = unsafe buffer.withUnsafeBytes { raw in
                unsafe write(UnsafeRawBufferPointer(rebasing: raw[..<got]), to: target, at: done)
            }
            if let failed { throw writing(failed) }
            done += got
        }
        return done
    }
}
