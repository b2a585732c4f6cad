// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CQRCode
internal import CSystemShims

/// The modules of a QR code: which squares are dark. They are as secret as what they say, and wiped at the end.
package final class QRModules {
    /// Modules on a side.
    package let side: Int
    /// Row by row from the top: 1 dark, 0 light.
    private var dark: [UInt8]

    /// The smallest code that a quarter of may be stained or creased (error correction Q). For the 44 characters of a
    /// recovery key it is as large as with M: 33 modules on a side. The text is kept as it is, in byte mode, so that a
    /// scanner types what stands on the page.
    ///
    /// - Parameter text: 1…128 bytes.
    /// - Throws: `RecoveryPageError`: `libraryFailure`.
    package init(encoding text: ArraySlice<UInt8>) throws(RecoveryPageError) {
        let made = unsafe text.withUnsafeBufferPointer {
            unsafe QRcode_encodeData(Int32(clamping: $0.count), $0.baseAddress, 0, QR_ECLEVEL_Q)
        }
        guard let code = unsafe made else { throw RecoveryPageError(.libraryFailure) }
        defer { unsafe QRcode_free(code) }
        guard unsafe 21...177 ~= code.pointee.width, let data = unsafe code.pointee.data else {
            throw RecoveryPageError(.libraryFailure)
        }
        side = Int(unsafe code.pointee.width)
        let modules = unsafe UnsafeMutableBufferPointer(start: data, count: side * side)
        // The lowest bit is the colour; the others tell what a module is for.
        dark = unsafe modules.map { $0 & 1 }
        unsafe vs_wipe(modules.baseAddress, modules.count)
    }

    deinit { dark.wipe() }

    /// - Returns: false outside of the code: all around it is light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        guard 0..<side ~= x, 0..<side ~= y else { return false }
        return dark[y * side + x] == 1
    }
}
