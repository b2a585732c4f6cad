// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `RecoveryPageRecord` is what `vault-parse recovery-page` is sent, in one `RecordFrame`: what stands on the page for
/// the drawer.
///
/// ```
/// offset  size  field
///      0    16  vaultID       never all zero
///     16    10  date          of printing: ASCII, YYYY-MM-DD, 1900…2200
///     26     4  nameLength    UInt32, big-endian; 1…255
///     30     n  name          the last part of the vault's path, UTF-8
///   30+n     4  keyLength     UInt32, big-endian; 4…128
///   34+n     k  key           groups of four characters of a–z and 2–7 with a hyphen between them
/// 34+n+k        end
/// ```
/// The answer is that of `vault-parse sketch draw pdf`: a `SketchDrawingRecord`.
///
/// The key is secret. It lies at the end so that a sender writes `leading(…)` and then the key from where it is kept,
/// and no array has both.
public struct RecoveryPageRecord: Sendable {
    public static let nameByteCountMax = 255
    public static let keyByteCountMax = 128
    /// Largest record without its frame's header, in bytes.
    public static let byteCountMax = 34 + nameByteCountMax + keyByteCountMax
    private static let vaultIDByteCount = 16
    private static let dateByteCount = 10

    /// 16 bytes.
    public let vaultID: [UInt8]
    public let date: String
    /// Untrusted: it may hold any character.
    public let name: String
    /// A part of the bytes that were parsed, not a copy: who wipes those when this value is gone has wiped it.
    public let key: ArraySlice<UInt8>

    /// Reads what is to be drawn, and checks that the key is one.
    ///
    /// - Throws: `RecordError`: `truncated`, `trailingBytes`, `tooLarge`, `notUTF8`, `notCanonical`, `timeOutOfRange`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        vaultID = Array(try reader.raw(Self.vaultIDByteCount))
        date = String(decoding: try reader.raw(Self.dateByteCount), as: UTF8.self)
        name = try reader.text(max: Self.nameByteCountMax)
        try Self.check(vaultID: vaultID, date: date, name: name)
        let at = reader.offset
        let keyByteCount = Int(try reader.u32())
        guard keyByteCount <= Self.keyByteCountMax else { throw RecordError(.tooLarge, offset: at) }
        key = try reader.raw(keyByteCount)
        try reader.end()
        guard Self.isKey(key) else { throw RecordError(.notCanonical, offset: at) }
    }

    /// Returns the frame's header and the record up to the key, which the sender writes behind it. Nothing of this is
    /// secret.
    ///
    /// - Parameters:
    ///   - vaultID: 16 bytes.
    ///   - date: YYYY-MM-DD.
    ///   - name: 1…255 bytes of UTF-8.
    ///   - keyByteCount: 4…128, in bytes.
    /// - Throws: `RecordError`: `tooLarge`, `notCanonical`, `timeOutOfRange`.
    public static func leading(vaultID: [UInt8], date: String, name: String, keyByteCount: Int) throws(RecordError)
        -> [UInt8]
    {
        guard name.utf8.count <= nameByteCountMax, 4...keyByteCountMax ~= keyByteCount else {
            throw RecordError(.tooLarge)
        }
        try check(vaultID: vaultID, date: date, name: name)
        var writer = RecordWriter(reserving: RecordFrame.headerByteCount + byteCountMax)
        writer.u32(UInt32(34 + name.utf8.count + keyByteCount))
        writer.raw(vaultID)
        writer.raw(Array(date.utf8))
        writer.text(name)
        writer.u32(UInt32(keyByteCount))
        return writer.bytes
    }

    private static func check(vaultID: [UInt8], date: String, name: String) throws(RecordError) {
        guard vaultID.count == vaultIDByteCount, vaultID.contains(where: { $0 != 0 }) else {
            throw RecordError(.notCanonical, offset: 0)
        }
        try checkDate(Array(date.utf8))
        guard !name.isEmpty else { throw RecordError(.notCanonical, offset: 26) }
    }

    /// Checks that a day is one that a calendar has.
    private static func checkDate(_ text: [UInt8]) throws(RecordError) {
        let digits = text.indices.filter { $0 != 4 && $0 != 7 }.map { Int(text[$0]) - 0x30 }
        guard text.count == dateByteCount, text[4] == 0x2D, text[7] == 0x2D, digits.allSatisfy({ 0...9 ~= $0 }) else {
            throw RecordError(.notCanonical, offset: 16)
        }
        let number = digits.reduce(0) { $0 * 10 + $1 }
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
        guard 1900...2200 ~= year else { throw RecordError(.timeOutOfRange, offset: 16) }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...days[month - 1] ~= day else { throw RecordError(.notCanonical, offset: 16) }
    }

    /// Returns whether a text has the one form that a recovery key is shown in (docs/format.md §6), of any length. Its
    /// checksum is not known here.
    private static func isKey(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count % 5 == 4 else { return false }
        for (index, character) in text.enumerated() {
            let fits = index % 5 == 4 ? character == 0x2D : 0x61...0x7A ~= character || 0x32...0x37 ~= character
            guard fits else { return false }
        }
        return true
    }
}
