// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension [UInt8] {
    /// Adds a copy of what a span shows.
    mutating func append(_ span: Span<UInt8>) {
        // An array takes a buffer in one copy and a span only byte by byte.
        unsafe span.withUnsafeBufferPointer { bytes in unsafe append(contentsOf: bytes) }
    }
}
