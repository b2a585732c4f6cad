// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// Reads an open descriptor to its end. Foundation takes a short read of /proc for the end of the file.
enum DescriptorBytes {
    /// At most `byteCountMax` bytes; nil on an error.
    static func read(_ descriptor: Int32, byteCountMax: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCountMax)
        var done = 0
        while done < byteCountMax {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress! + done, $0.count - done)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            done += got
        }
        return Array(bytes[0..<done])
    }
}
