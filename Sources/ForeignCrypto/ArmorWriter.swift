// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Turns bytes into lines of armor as they come.
struct ArmorWriter {
    /// Less than a line, until more comes or the file ends.
    private var held: [UInt8] = []
    private var hasBegun = false

    /// The text of all full lines that there are now.
    mutating func text(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text = start()
        text.reserveCapacity(bytes.count / 3 * 4 + bytes.count / 32 + 256)
        unsafe held.append(contentsOf: bytes)
        let full = held.count / AgeArmor.lineContentByteCount * AgeArmor.lineContentByteCount
        for begin in stride(from: 0, to: full, by: AgeArmor.lineContentByteCount) {
            AgeBase64.encode(held[begin..<begin + AgeArmor.lineContentByteCount], padded: true, to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        held.removeSubrange(..<full)
        return text
    }

    /// The last line and the end; no empty line when the last one was full.
    mutating func finish() -> [UInt8] {
        var text = start()
        if !held.isEmpty {
            AgeBase64.encode(held[...], padded: true, to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        held = []
        return text + AgeArmor.end + [UInt8(ascii: "\n")]
    }

    private mutating func start() -> [UInt8] {
        defer { hasBegun = true }
        return hasBegun ? [] : AgeArmor.begin + [UInt8(ascii: "\n")]
    }
}
