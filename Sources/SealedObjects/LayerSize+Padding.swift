// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

extension LayerSize {
    /// Writes what of the padding lies in a piece of the padded content; the rest of the piece is left as it is.
    ///
    /// - Parameter offset: where the piece lies in the padded content.
    func pad(_ piece: UnsafeMutableRawBufferPointer, at offset: Int) {
        let begin = min(max(content - offset, 0), piece.count)
        guard begin < piece.count, let base = piece.baseAddress else { return }
        unsafe memset(base + begin, 0, piece.count - begin)
        for index in lengthIndices(piece.count, offset) { unsafe piece[index] = lengthByte(offset + index) }
    }

    /// Whether what of the padding lies in a piece is as `pad` writes it: there is one padding for each content.
    func isPadded(_ piece: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        let begin = min(max(content - offset, 0), piece.count)
        let length = lengthIndices(piece.count, offset)
        let end = length.isEmpty ? piece.count : length.lowerBound
        if begin < end, unsafe !isZero(UnsafeRawBufferPointer(rebasing: piece[begin..<end])) { return false }
        for index in length where unsafe piece[index] != lengthByte(offset + index) { return false }
        return true
    }

    /// Which bytes of a piece belong to the length at the end.
    private func lengthIndices(_ count: Int, _ offset: Int) -> Range<Int> {
        let begin = min(max(padded - 8 - offset, 0), count)
        return begin..<min(max(padded - offset, begin), count)
    }

    private func lengthByte(_ offset: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: UInt64(content) >> UInt64((padded - 1 - offset) * 8))
    }

    /// All bytes equal the one before, and the first is zero: the library compares many at a time.
    private func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        return unsafe bytes[0] == 0 && memcmp(base, base + 1, bytes.count - 1) == 0
    }
}
