// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `QRCodeRecord` is what `vault-parse qr-code` answers: the modules of a QR code. It is asked with the text alone, in
/// one `RecordFrame`: bytes without a zero, of which letters A to Z and digits take the least room.
///
/// ```
/// offset  size  field
///      0     1  side     modules on a side: 21 to 177, in steps of 4
///      1   s²   modules  row by row from the top: 1 dark, 0 light
/// 1 + s²        end
/// ```
public struct QRCodeRecord: Sendable, Equatable {
    /// Longest text that is asked for, in bytes.
    public static let textByteCountMax = 2048
    /// Largest record in bytes.
    public static let byteCountMax = 1 + 177 * 177

    public let side: Int
    private let modules: [UInt8]

    /// Makes a code of `side` by `side` modules.
    ///
    /// - Parameter isDark: tells of a module by its distance from the left and the top.
    /// - Throws: `RecordError.notCanonical` for a side that no code has.
    public init(side: Int, _ isDark: (_ x: Int, _ y: Int) -> Bool) throws(RecordError) {
        guard Self.isSide(side) else { throw RecordError(.notCanonical, offset: 0) }
        self.side = side
        modules = (0..<side * side).map { isDark($0 % side, $0 / side) ? 1 : 0 }
    }

    /// Reads an answer of `vault-parse qr-code`.
    ///
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `notCanonical`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        var reader = RecordReader(bytes)
        side = Int(try reader.u8())
        guard Self.isSide(side) else { throw RecordError(.notCanonical, offset: 0) }
        modules = Array(try reader.raw(side * side))
        guard modules.allSatisfy({ $0 <= 1 }) else { throw RecordError(.notCanonical, offset: 1) }
        try reader.end()
    }

    public var encoded: [UInt8] { [UInt8(side)] + modules }

    /// Returns whether a module is dark; false outside of the code, since all around it is light.
    public func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<side).contains(x) && (0..<side).contains(y) && modules[y * side + x] == 1
    }

    /// Returns whether a text can be asked for.
    public static func isText(_ text: [UInt8]) -> Bool {
        (1...textByteCountMax).contains(text.count) && !text.contains(0)
    }

    private static func isSide(_ side: Int) -> Bool { (21...177).contains(side) && side % 4 == 1 }
}
