// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc

/// Finds AES-256 keys in a process's memory without knowing them, as a thief does who has its core or its swap: an
/// expanded key is 240 bytes of which each 4 follow from those before. Spec: FIPS 197, 5.2.
struct KeySchedules {
    /// A stretch of memory that the process may write to.
    struct Stretch {
        let from: UInt64
        let bytes: [UInt8]
        /// Two letters each, as the kernel has them: `lo` locked, `dd` left out of core files.
        let flags: Set<Substring>
        var isKept: Bool { flags.isSuperset(of: ["lo", "dd"]) }
    }

    let stretches: [Stretch]
    /// The first 32 bytes of each schedule: the key itself.
    let kept: Set<[UInt8]>
    let exposed: Set<[UInt8]>

    init(of pid: pid_t) throws {
        stretches = try Self.stretches(of: pid)
        let box = Self.substitutions
        kept = Set(stretches.filter(\.isKept).flatMap { Self.keys(in: $0.bytes, box) })
        exposed = Set(stretches.filter { !$0.isKept }.flatMap { Self.keys(in: $0.bytes, box) })
    }

    /// How often the bytes of a key lie where they may be swapped or dumped.
    func exposures(of key: [UInt8]) -> Int {
        stretches.reduce(0) { $0 + ($1.isKept ? 0 : ByteSearch.count(of: key, in: $1.bytes)) }
    }

    // MARK: Memory

    private static func stretches(of pid: pid_t) throws -> [Stretch] {
        let memory = unsafe open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw ProcFile.Unreadable(number: errno) }
        defer { close(memory) }
        var found: [Stretch] = []
        var range: (from: UInt64, to: UInt64)?
        for line in try ProcFile.text(pid, "smaps").split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = (words.first ?? "").split(separator: "-").compactMap { UInt64($0, radix: 16) }
            if ends.count == 2 { range = words[1].hasPrefix("rw") ? (ends[0], ends[1]) : nil }
            guard words.first == "VmFlags:", let here = range, here.to - here.from <= 1 << 30 else { continue }
            var bytes = [UInt8](repeating: 0, count: Int(here.to - here.from))
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(memory, $0.baseAddress!, $0.count, off_t(here.from))
            }
            guard got > 0 else { continue }
            found.append(Stretch(from: here.from, bytes: bytes, flags: Set(words.dropFirst())))
        }
        return found
    }

    // MARK: Schedules

    private static func keys(in bytes: [UInt8], _ box: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        unsafe bytes.withUnsafeBytes { raw in
            var at = 0
            while at + 240 <= raw.count {
                if unsafe looksExpanded(raw.baseAddress! + at), unsafe isExpanded(raw.baseAddress! + at, box) {
                    unsafe found.append(Array(raw[at..<at + 32]))
                }
                at += 8  // how libcrypto aligns it
            }
        }
        return found
    }

    /// Three words of the second key, before anything that takes longer.
    private static func looksExpanded(_ at: UnsafeRawPointer) -> Bool {
        let ninth = unsafe at.loadUnaligned(fromByteOffset: 36, as: UInt32.self)
        guard
            unsafe ninth
                == at.loadUnaligned(fromByteOffset: 32, as: UInt32.self)
                ^ at.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        else { return false }
        return unsafe ninth ^ at.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
            == at.loadUnaligned(fromByteOffset: 40, as: UInt32.self)
    }

    private static func isExpanded(_ at: UnsafeRawPointer, _ box: [UInt8]) -> Bool {
        var round: UInt8 = 1
        for word in 8..<60 {
            var last = (0..<4).map { unsafe at.load(fromByteOffset: 4 * (word - 1) + $0, as: UInt8.self) }
            if word % 8 == 0 {
                last = [last[1], last[2], last[3], last[0]].map { box[Int($0)] }
                last[0] ^= round
                round <<= 1
            } else if word % 8 == 4 {
                last = last.map { box[Int($0)] }
            }
            for index in 0..<4 {
                let before = unsafe at.load(fromByteOffset: 4 * (word - 8) + index, as: UInt8.self)
                guard unsafe at.load(fromByteOffset: 4 * word + index, as: UInt8.self) == before ^ last[index] else {
                    return false
                }
            }
        }
        return true
    }

    /// The S-box, from the powers of 3 in GF(2^8).
    private static let substitutions: [UInt8] = {
        var box = [UInt8](repeating: 0x63, count: 256)
        var (power, inverse) = (UInt8(1), UInt8(1))
        repeat {
            power = power ^ power << 1 ^ (power & 0x80 != 0 ? 0x1B : 0)
            inverse ^= inverse << 1
            inverse ^= inverse << 2
            inverse ^= inverse << 4
            if inverse & 0x80 != 0 { inverse ^= 0x09 }
            func turned(_ count: UInt8) -> UInt8 { inverse << count | inverse >> (8 - count) }
            box[Int(power)] = inverse ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63
        } while power != 1
        return box
    }()
}
