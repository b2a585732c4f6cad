// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CPictureCodecs

/// `PictureReader` reads the rows of a picture, as one of the libraries decodes them.
@safe
struct PictureReader: ~Copyable {
    /// What the file claims, in pixels. Untrusted: check it before `start`.
    let width: Int
    let height: Int
    private let reader: OpaquePointer

    /// Reads the head of the file.
    ///
    /// - Parameter input: must outlive the reader.
    init(_ input: UnsafeBufferPointer<UInt8>, _ format: PictureFormat) throws(PictureFailure) {
        var opened: OpaquePointer?
        var size = vpc_size()
        let (start, count) = (input.baseAddress, input.count)
        let result =
            switch format {
            case .jpeg: unsafe vpc_open_jpeg(start, count, &opened, &size)
            case .png: unsafe vpc_open_png(start, count, &opened, &size)
            case .webp: unsafe vpc_open_webp(start, count, &opened, &size)
            case .gif: unsafe vpc_open_gif(start, count, &opened, &size)
            }
        guard Int(result) == vpc_ok, let opened = unsafe opened else { throw Self.failure(result) }
        unsafe reader = opened
        width = Int(size.width)
        height = Int(size.height)
    }

    deinit { unsafe vpc_close(reader) }

    /// Gets ready for rows, once.
    ///
    /// - Returns: the size that the rows make up: the picture's own or a smaller one, never below what is wanted.
    mutating func start(wantedWidth: Int, wantedHeight: Int) throws(PictureFailure) -> (width: Int, height: Int) {
        var plane = vpc_size()
        let wanted = vpc_size(width: UInt32(wantedWidth), height: UInt32(wantedHeight))
        let result = unsafe vpc_start(reader, wanted, &plane)
        guard Int(result) == vpc_ok else { throw Self.failure(result) }
        return (Int(plane.width), Int(plane.height))
    }

    /// Decodes the next row into `row`, and returns where it belongs; nil after the last.
    ///
    /// - Parameter row: at least 4 × `width` bytes.
    mutating func nextRow(into row: inout [UInt8]) throws(PictureFailure) -> RowPlace? {
        var place = vpc_row()
        let result = unsafe row.withUnsafeMutableBufferPointer { buffer in
            unsafe vpc_next_row(reader, buffer.baseAddress, buffer.count / 4, &place)
        }
        if Int(result) == vpc_end { return nil }
        guard Int(result) == vpc_ok else { throw Self.failure(result) }
        return RowPlace(x: Int(place.x), y: Int(place.y), step: Int(place.step), count: Int(place.count))
    }

    private static func failure(_ result: Int32) -> PictureFailure {
        Int(result) == vpc_too_large ? .tooLarge : .damaged
    }
}

/// `RowPlace` tells where the pixels of a row belong: `count` of them at `x`, `x + step` and so on.
struct RowPlace {
    let x: Int
    let y: Int
    let step: Int
    let count: Int
}
