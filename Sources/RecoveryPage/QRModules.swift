// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CQRCode
internal import CSystemShims

/// `QRModules` holds the modules of a QR code: which squares are dark. They are as secret as what they say, and wiped
/// at the end.
package final class QRModules {
    /// Modules on a side.
    package let side: Int
    /// Row by row from the top: 1 dark, 0 light.
    private var dark: [UInt8]

    /// Makes the smallest code that a quarter of may be stained or creased (error correction Q). For the 44 characters
    /// of a recovery key it is as large as with M: 33 modules on a side. The text is kept as it is, in byte mode, so
    /// that a scanner types what stands on the page.
    ///
    /// - Parameter text: 1…128 bytes.
    /// - Throws: `RecoveryPageError`: `libraryFailure`.
    package convenience init(encoding text: ArraySlice<UInt8>) throws(RecoveryPageError) {
        try unsafe self.init(
            text.withUnsafeBufferPointer {
                unsafe QRcode_encodeData(Int32(clamping: $0.count), $0.baseAddress, 0, QR_ECLEVEL_Q)
            })
    }

    /// Makes the smallest code for a screen, which is neither stained nor creased (error correction L): of letters A to
    /// Z and digits, two of which are 11 bits.
    ///
    /// - Parameter letters: none of them zero.
    /// - Throws: `RecoveryPageError`: `libraryFailure`, also when they are too many.
    package convenience init(letters: [UInt8]) throws(RecoveryPageError) {
        let text = letters.map { CChar(bitPattern: $0) } + [0]
        try unsafe self.init(QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1))
    }

    /// Takes the modules of a code of the library's, and frees that.
    private init(_ made: UnsafeMutablePointer<QRcode>?) throws(RecoveryPageError) {
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

    /// Returns whether a module is dark; false outside of the code, since all around it is light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        guard 0..<side ~= x, 0..<side ~= y else { return false }
        return dark[y * side + x] == 1
    }
}

/// `ModuleOutline` is the border between the dark and the light modules of a QR code, as closed loops. To be filled by
/// the even-odd rule.
///
/// Squares beside squares would let light lines through between them where a screen or a printer smooths their edges:
/// the loops have no edge inside of a dark area.
package struct ModuleOutline {
    private enum Direction: Int, CaseIterable {
        case right, down, left, up

        var step: (x: Int, y: Int) {
            switch self {
            case .right: (1, 0)
            case .down: (0, 1)
            case .left: (-1, 0)
            case .up: (0, -1)
            }
        }
        var bit: UInt8 { 1 << UInt8(rawValue) }
        /// Where to go on, the sharpest turn first: dark modules that touch in one corner only become two loops.
        var next: [Direction] { [1, 0, 3].compactMap { Direction(rawValue: (rawValue + $0) % 4) } }
    }

    private let side: Int
    /// For each corner of a module, by rows: the directions in which a border that was not yet walked leaves it. Dark
    /// lies on its right.
    private var leaving: [UInt8]

    /// Walks along all borders.
    ///
    /// - Parameter visit: is given the corners in turn, each with its distance from the left and the top in modules,
    ///   and whether it begins a loop.
    package static func trace(_ modules: QRModules, _ visit: (_ x: Int, _ y: Int, _ isStart: Bool) -> Void) {
        var outline = ModuleOutline(modules)
        for y in 0...modules.side {
            for x in 0...modules.side {
                while let direction = outline.open(x, y).first { outline.walk(fromX: x, y: y, direction, visit) }
            }
        }
        outline.leaving.wipe()
    }

    private init(_ modules: QRModules) {
        side = modules.side
        leaving = [UInt8](repeating: 0, count: (side + 1) * (side + 1))
        for y in 0..<side {
            for x in 0..<side where modules.isDark(x, y) {
                if !modules.isDark(x, y - 1) { mark(x, y, .right) }
                if !modules.isDark(x + 1, y) { mark(x + 1, y, .down) }
                if !modules.isDark(x, y + 1) { mark(x + 1, y + 1, .left) }
                if !modules.isDark(x - 1, y) { mark(x, y + 1, .up) }
            }
        }
    }

    private mutating func mark(_ x: Int, _ y: Int, _ direction: Direction) {
        leaving[y * (side + 1) + x] |= direction.bit
    }

    private func open(_ x: Int, _ y: Int) -> [Direction] {
        Direction.allCases.filter { leaving[y * (side + 1) + x] & $0.bit != 0 }
    }

    /// Walks around one loop. As many borders lead to each corner as leave it, so the walk ends where it began.
    private mutating func walk(fromX startX: Int, y startY: Int, _ start: Direction, _ visit: (Int, Int, Bool) -> Void)
    {
        var (x, y, direction) = (startX, startY, start)
        visit(x, y, true)
        while true {
            leaving[y * (side + 1) + x] &= ~direction.bit
            (x, y) = (x + direction.step.x, y + direction.step.y)
            guard x != startX || y != startY else { return }
            let open = open(x, y)
            guard let next = direction.next.first(where: open.contains) else { return }
            if next != direction { visit(x, y, false) }
            direction = next
        }
    }
}
