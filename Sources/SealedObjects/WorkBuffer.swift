// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims

/// `WorkBuffer` is memory for content on its way, wiped when it is given back. It is not locked: pieces of files would
/// use up what the system lets us lock, and keys need that more.
@safe final class WorkBuffer: @unchecked Sendable {
    let byteCount: Int
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ byteCount: Int) {
        self.byteCount = byteCount
        unsafe bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(byteCount, 1), alignment: 4096)
    }

    deinit {
        if let base = unsafe bytes.baseAddress { unsafe vs_wipe(base, bytes.count) }
        unsafe bytes.deallocate()
    }

    /// Returns a part of it, to be used while the buffer lives.
    subscript(range: Range<Int>) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range])
    }

    /// Returns the same for reading.
    func reading(_ range: Range<Int>) -> UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(self[range]) }
}
