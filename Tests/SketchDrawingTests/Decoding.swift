// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CCairo
import CTurboJPEG
import Testing

/// Pixels that a codec read back from a file that we wrote.
struct Decoded {
    let width: Int
    let height: Int
    /// Red, green, blue, alpha; premultiplied where there is a choice.
    let rgba: [UInt8]

    subscript(_ x: Int, _ y: Int) -> [Int] { rgba[(y * width + x) * 4..<(y * width + x) * 4 + 4].map { Int($0) } }

    static func png(_ bytes: [UInt8]) throws -> Decoded {
        var rest = bytes[...]
        let surface = unsafe withUnsafeMutablePointer(to: &rest) { rest in
            unsafe cairo_image_surface_create_from_png_stream(
                { closure, target, count in
                    guard let rest = unsafe closure?.assumingMemoryBound(to: ArraySlice<UInt8>.self),
                        let target = unsafe target,
                        unsafe rest.pointee.count >= Int(count)
                    else { return CAIRO_STATUS_READ_ERROR }
                    for index in 0..<Int(count) { unsafe target[index] = rest.pointee.removeFirst() }
                    return CAIRO_STATUS_SUCCESS
                }, rest)
        }
        defer { unsafe cairo_surface_destroy(surface) }
        try #require(unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        let (width, height) = unsafe (
            Int(cairo_image_surface_get_width(surface)), Int(cairo_image_surface_get_height(surface))
        )
        let stride = Int(unsafe cairo_image_surface_get_stride(surface))
        let data = try unsafe #require(cairo_image_surface_get_data(surface))
        var rgba: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let pixel = unsafe UnsafeRawPointer(data).load(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
                rgba += [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: pixel >> $0) }
            }
        }
        return Decoded(width: width, height: height, rgba: rgba)
    }

    static func jpeg(_ bytes: [UInt8]) throws -> Decoded {
        let decoder = try unsafe #require(tjInitDecompress())
        defer { unsafe tjDestroy(decoder) }
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let header = unsafe tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
        try #require(header == 0)
        var rgba = [UInt8](repeating: 0, count: Int(width * height) * 4)
        let result = unsafe tjDecompress2(
            decoder, bytes, UInt(bytes.count), &rgba, width, 0, height, Int32(TJPF_RGBA.rawValue), 0)
        try #require(result == 0)
        return Decoded(width: Int(width), height: Int(height), rgba: rgba)
    }
}
