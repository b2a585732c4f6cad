// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import COpenSSL
internal import Glibc

/// `ContentHash` is what Dropbox says of a file's content: the SHA-256 of the SHA-256 of each 4 MiB of it. It protects
/// nothing: by it an upload or a download that was cut or altered on the way is told at once, and not when it is
/// opened.
enum ContentHash {
    private static let blockByteCount = 4 << 20

    /// Returns it as 64 hexadecimal digits; nil for a file that cannot be read so far.
    static func text(of descriptor: Int32, byteCount: Int) -> String? {
        var (blocks, block) = ([UInt8](), [UInt8](repeating: 0, count: min(byteCount, blockByteCount)))
        var at = 0
        while at < byteCount {
            let want = min(blockByteCount, byteCount - at)
            guard fill(&block, want, from: descriptor, at: at) else { return nil }
            blocks += sha256(block[..<want])
            at += want
        }
        return sha256(blocks[...]).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func fill(_ block: inout [UInt8], _ want: Int, from descriptor: Int32, at offset: Int) -> Bool {
        var done = 0
        while done < want {
            let got = unsafe block.withUnsafeMutableBytes { raw in
                unsafe pread(descriptor, raw.baseAddress! + done, want - done, off_t(offset + done))
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return false }
            done += got
        }
        return true
    }

    private static func sha256(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (digest, count) = ([UInt8](repeating: 0, count: 32), UInt32(0))
        // Because a failure leaves zeros, which fit to nothing, its answer needs no look.
        _ = unsafe bytes.withUnsafeBytes { raw in
            unsafe EVP_Digest(raw.baseAddress, raw.count, &digest, &count, EVP_sha256(), nil)
        }
        return digest
    }
}
