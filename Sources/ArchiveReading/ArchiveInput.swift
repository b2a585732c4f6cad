// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CArchive
internal import ForeignFormats
internal import ParserProtocol

/// `ArchiveInput` hands the bytes of the packed file to libarchive, piece by piece.
@safe
final class ArchiveInput {
    private static let pieceByteCountMax = ImportRecord.pieceByteCountMax

    private let container: any EntrySource
    /// Lies still while libarchive looks at it: until it asks for the next piece.
    private let buffer: UnsafeMutableRawBufferPointer
    /// Packed bytes that were handed over.
    private(set) var byteCount: UInt64 = 0
    /// Zero bytes at the end of what was read.
    private(set) var zeroByteCount = 0
    /// Why the input ended early.
    private(set) var failure: ImportFailure?

    init(_ container: any EntrySource) {
        self.container = container
        unsafe buffer = .allocate(byteCount: Self.pieceByteCountMax, alignment: 16)
    }

    deinit { unsafe buffer.deallocate() }

    /// Goes to the file in the container.
    func begin() throws(ImportFailure) {
        guard let file = try container.nextEntry(), file.refusal == nil else {
            throw ImportFailure(.malformedContainer)
        }
    }

    func rewind() throws(ImportFailure) {
        while try container.nextEntry() != nil {}
        try container.rewind()
        (byteCount, zeroByteCount) = (0, 0)
    }

    /// Whether the container itself ended too early, as what read or opened it says.
    var isCutShort: Bool { container.isCutShort }

    /// Reads what libarchive has no use for.
    func drain() throws(ImportFailure) {
        while true {
            let piece = try container.readPiece()
            if piece.isEmpty { return }
            count(piece)
        }
    }

    private func count(_ piece: [UInt8]) {
        byteCount += UInt64(piece.count)
        let zeroes = piece.reversed().prefix { $0 == 0 }.count
        zeroByteCount = zeroes == piece.count ? zeroByteCount + zeroes : zeroes
    }

    static let read:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int = {
            _, client, place in
            guard let client = unsafe client, let place = unsafe place else { return -1 }
            return unsafe Unmanaged<ArchiveInput>.fromOpaque(client).takeUnretainedValue().next(place)
        }

    private func next(_ place: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
        guard failure == nil else { return -1 }
        do throws(ImportFailure) {
            let piece = try container.readPiece()
            guard piece.count <= Self.pieceByteCountMax else { return -1 }
            unsafe buffer.copyBytes(from: piece)
            unsafe place.pointee = UnsafeRawPointer(buffer.baseAddress)
            count(piece)
            return piece.count
        } catch {
            failure = error
            return -1
        }
    }
}
