// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// `RcloneAnswer` is what rclone's remote control has answered: a head of HTTP, and an object of JSON, which may hold
/// what is secret. Values are taken out of it as they are written there.
struct RcloneAnswer: ~Copyable {
    /// Whether rclone has done what it was asked for.
    let isDone: Bool
    private let object: SecretBytes

    /// Reads one; nil for what is no answer.
    init?(_ bytes: borrowing SecretBytes) {
        let parts: (isDone: Bool, begin: Int)? = unsafe bytes.withUnsafeBytes { raw in
            guard raw.count > 16 else { return nil }
            // One that was cut holds less than it seems to.
            let last = unsafe raw.last { ![9, 10, 13, 32].contains($0) }
            guard last == UInt8(ascii: "}") else { return nil }
            let end = (0..<raw.count - 4).first { unsafe raw[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
            guard let end else { return nil }
            let isDone = unsafe raw[9..<12].elementsEqual("200".utf8)
            return (isDone, end + 4)
        }
        guard let parts else { return nil }
        isDone = parts.isDone
        object = unsafe bytes.withUnsafeBytes { raw in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: raw[parts.begin...]))
        }
    }

    /// Returns a member, or a member of a member, on one line; nil for one that is not there or null. Of what is secret
    /// call `secret(_:)`.
    func value(_ names: String...) -> [UInt8]? {
        unsafe object.withUnsafeBytes { raw in
            unsafe Self.range(names, in: raw).map { range in
                // In a string a line feed is written with two characters; these are between values.
                unsafe raw[range].map { $0 == 10 || $0 == 13 || $0 == 9 ? 0x20 : $0 }
            }
        }
    }

    /// Whether a member begins so, behind its quotation mark.
    func begins(_ name: String, with text: String) -> Bool {
        unsafe object.withUnsafeBytes { raw in
            guard let range = unsafe Self.range([name], in: raw) else { return false }
            return unsafe raw[range].dropFirst().starts(with: text.utf8)
        }
    }

    /// Whether a member of a member is true.
    func isTrue(_ names: String...) -> Bool {
        unsafe object.withUnsafeBytes { raw in
            unsafe Self.range(names, in: raw).map { unsafe raw[$0].elementsEqual("true".utf8) } ?? false
        }
    }

    /// Returns a text without its quotation marks, up to so many bytes and escapes left as they are.
    func text(_ names: String...) -> String {
        unsafe object.withUnsafeBytes { raw in
            guard let range = unsafe Self.range(names, in: raw), range.count >= 2 else { return "" }
            return unsafe String(decoding: raw[range].dropFirst().dropLast().prefix(512), as: UTF8.self)
        }
    }

    /// Returns a member, or a member of a member, with its quotation marks; two of these for one that is not there.
    func secret(of names: String...) -> SecretBytes {
        unsafe object.withUnsafeBytes { raw in
            guard let range = unsafe Self.range(names, in: raw) else {
                return unsafe SecretBytes(byteCount: 2) { unsafe $0.copyBytes(from: [0x22, 0x22]) }
            }
            return unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: raw[range]))
        }
    }

    private static func range(_ names: [String], in raw: UnsafeRawBufferPointer) -> Range<Int>? {
        var found = 0..<raw.count
        for name in names {
            let part = unsafe UnsafeRawBufferPointer(rebasing: raw[found])
            guard let range = unsafe SecretJSON.value(of: name, in: part) else { return nil }
            found = found.lowerBound + range.lowerBound..<found.lowerBound + range.upperBound
        }
        return unsafe raw[found].elementsEqual("null".utf8) ? nil : found
    }
}
