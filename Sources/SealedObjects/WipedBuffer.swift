// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// Memory for content on its way, wiped when it goes.
@safe final class WipedBuffer {
    let count: Int
    private let start: UnsafeMutableRawPointer

    init(byteCount: Int) {
        count = byteCount
        unsafe start = .allocate(byteCount: max(byteCount, 1), alignment: 4096)
    }

    deinit {
        unsafe vs_wipe(start, count)
        unsafe start.deallocate()
    }

    /// A part of it, to be used before the buffer goes.
    subscript(range: Range<Int>) -> UnsafeMutableRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a part lies within its buffer")
        return unsafe UnsafeMutableRawBufferPointer(start: start + range.lowerBound, count: range.count)
    }
}
