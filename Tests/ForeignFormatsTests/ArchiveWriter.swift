// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Archives for tests, byte by byte as their formats say: POSIX.1-1988 tar and PKWARE's zip without compression.
enum ArchiveWriter {
    static func tar(_ entries: [(path: String, type: Character, link: String, content: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in entries {
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: String, _ at: Int) {
                for (offset, byte) in text.utf8.enumerated() { header[at + offset] = byte }
            }
            func octal(_ number: Int, _ count: Int) -> String {
                let digits = String(number, radix: 8)
                return String(repeating: "0", count: count - digits.count) + digits
            }
            put(entry.path, 0)
            put(octal(0o644, 7), 100)
            put(octal(0, 7), 108)
            put(octal(0, 7), 116)
            put(octal(entry.content.count, 11), 124)
            put(octal(1_600_000_000, 11), 136)
            put("        ", 148)
            put(String(entry.type), 156)
            put(entry.link, 157)
            put("ustar", 257)
            put("00", 263)
            put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", 148)
            bytes += header + entry.content
            bytes += [UInt8](repeating: 0, count: (512 - entry.content.count % 512) % 512)
        }
        return bytes + [UInt8](repeating: 0, count: 1024)
    }

    static func tar(_ files: [(String, String)]) -> [UInt8] { tar(files.map { ($0.0, "0", "", Array($0.1.utf8)) }) }

    /// - Parameter method: 0 for plain content; 8 for content that is deflated already.
    static func zip(_ files: [(path: String, content: [UInt8], method: UInt16, byteCount: Int, crc: UInt32)]) -> [UInt8]
    {
        var (bytes, directory) = ([UInt8](), [UInt8]())
        func u16(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        func u32(_ value: UInt32) -> [UInt8] { u16(UInt16(value & 0xFFFF)) + u16(UInt16(value >> 16)) }
        for file in files {
            let name = Array(file.path.utf8)
            let common = u16(20) + u16(0x800) + u16(file.method) + u16(0) + u16(0x58C1) + u32(file.crc)
            let sizes = u32(UInt32(file.content.count)) + u32(UInt32(file.byteCount)) + u16(UInt16(name.count)) + u16(0)
            directory +=
                u32(0x0201_4B50) + u16(20) + common + sizes + u16(0) + u16(0) + u16(0) + u32(0)
                + u32(UInt32(bytes.count)) + name
            bytes += u32(0x0403_4B50) + common + sizes + name + file.content
        }
        let count = UInt16(files.count)
        return bytes + directory + u32(0x0605_4B50) + u16(0) + u16(0) + u16(count) + u16(count)
            + u32(UInt32(directory.count))
            + u32(UInt32(bytes.count)) + u16(0)
    }

    static func zip(_ files: [(String, String)]) -> [UInt8] {
        zip(
            files.map {
                (
                    path: $0.0, content: Array($0.1.utf8), method: 0, byteCount: $0.1.utf8.count,
                    crc: crc(Array($0.1.utf8))
                )
            })
    }

    static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = ~UInt32(0)
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    /// Zeros as deflate packs them: one literal, then copies of 258 bytes at 13 bits each.
    static func deflatedZeros(blockCount: Int) -> (content: [UInt8], byteCount: Int) {
        var writer = BitWriter()
        writer.put(1, 1)
        writer.put(1, 2)
        // Fixed codes: literal 0 is 00110000, length 258 is code 285 = 11000101, distance 1 is 00000; codes go most
        // significant bit first.
        writer.putCode(0b0011_0000, 8)
        for _ in 0..<blockCount {
            writer.putCode(0b1100_0101, 8)
            writer.putCode(0, 5)
        }
        writer.putCode(0, 7)
        return (writer.finished(), 1 + 258 * blockCount)
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var used = 8

        mutating func put(_ value: UInt32, _ count: Int) {
            for at in 0..<count {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                if value >> UInt32(at) & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(used) }
                used += 1
            }
        }

        mutating func putCode(_ value: UInt32, _ count: Int) {
            for at in stride(from: count - 1, through: 0, by: -1) { put(value >> UInt32(at) & 1, 1) }
        }

        func finished() -> [UInt8] { bytes }
    }
}
