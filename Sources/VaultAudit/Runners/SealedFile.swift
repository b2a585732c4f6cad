// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Glibc
internal import SealedObjects

/// Bytes of a vector as a file without a name, since objects are read from descriptors.
final class SealedFile {
    let bytes: [UInt8]
    private let descriptor: Int32

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        descriptor = try Self.nameless()
        guard unsafe bytes.withUnsafeBytes({ unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count
        else {
            throw VectorFault("a temporary file could not be written")
        }
    }

    deinit { close(descriptor) }

    /// All of the content, or nil when it is refused.
    func content(_ place: ObjectPlace) throws -> [UInt8]? {
        guard let reader = reader(place) else { return nil }
        let target = try Self.nameless()
        defer { close(target) }
        let count = reader.contentByteCount
        guard (try? reader.copy(0..<count, to: target, progress: { _ in true })) != nil else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            filled = max(0, unsafe pread(target, buffer.baseAddress, Int(count), 0))
        }
    }

    /// A part of the content, or nil when it is refused.
    func part(_ range: Range<Int>, _ place: ObjectPlace) throws -> [UInt8]? {
        guard let reader = reader(place) else { return nil }
        var part = [UInt8](repeating: 0, count: range.count)
        let wanted = UInt64(range.lowerBound)..<UInt64(range.upperBound)
        let isRead = unsafe part.withUnsafeMutableBytes { target in
            (unsafe try? reader.read(wanted, into: target)) != nil
        }
        return isRead ? part : nil
    }

    private func reader(_ place: ObjectPlace) -> ObjectReader? {
        try? ObjectReader(
            file: descriptor, layers: place.layers, fileByteCount: place.fileByteCount, commitment: place.commitment,
            contentByteCount: place.contentByteCount)
    }

    private static func nameless() throws -> Int32 {
        var name = Array(
            (FileManager.default.temporaryDirectory.path + "/object." + String(repeating: "X", count: 6)).utf8CString)
        let descriptor = unsafe name.withUnsafeMutableBufferPointer { buffer in
            let descriptor = unsafe mkstemp(buffer.baseAddress!)
            if descriptor >= 0 { unsafe unlink(buffer.baseAddress!) }
            return descriptor
        }
        guard descriptor >= 0 else { throw VectorFault("a temporary file could not be made") }
        return descriptor
    }
}
