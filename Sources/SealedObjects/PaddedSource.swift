// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto

/// A regular file as its padded form: content, zeros, its size in the last 8 bytes.
struct PaddedSource {
    let descriptor: Int32
    let contentByteCount: UInt64
    let byteCount: Int

    init(_ descriptor: Int32, contentByteCount: UInt64) throws(ObjectError) {
        self.descriptor = descriptor
        self.contentByteCount = contentByteCount
        byteCount = try SealLayer.paddedByteCount(contentByteCount)
    }

    /// - Throws: `ObjectError.changed` when the file is shorter than it was.
    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(ObjectError) {
        let fromFile = max(0, min(target.count, Int(contentByteCount) - offset))
        if fromFile > 0 {
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: target[0..<fromFile])
            guard try unsafe Descriptors.read(descriptor, at: UInt64(offset), into: part) == fromFile else { throw ObjectError(.changed) }
        }
        unsafe Self.fill(UnsafeMutableRawBufferPointer(rebasing: target[fromFile...]), from: offset + fromFile, contentByteCount, byteCount)
    }

    /// Writes the part of the padding that begins at an offset of the padded form.
    static func fill(_ target: UnsafeMutableRawBufferPointer, from offset: Int, _ contentByteCount: UInt64, _ byteCount: Int) {
        for index in target.indices {
            let fromEnd = byteCount - (offset + index)
            unsafe target[index] = fromEnd > 8 ? 0 : UInt8(truncatingIfNeeded: contentByteCount >> UInt64((fromEnd - 1) * 8))
        }
    }
}
