// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc

/// Files of proc(5). They announce a size of 0, so they are read until they end.
enum ProcFile {
    struct Unreadable: Error { let number: Int32 }

    static func text(_ pid: pid_t, _ name: String) throws -> String {
        String(decoding: try bytes("/proc/\(pid)/\(name)"), as: UTF8.self)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Unreadable(number: errno) }
        defer { close(descriptor) }
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = unsafe part.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress!, $0.count) }
            guard got >= 0 else { throw Unreadable(number: errno) }
            if got == 0 { return all }
            all += part[0..<got]
        }
    }

    /// How often `pattern` lies in what a process may write to: its heap, stacks and data.
    static func countInMemory(of pid: pid_t, _ pattern: [UInt8]) throws -> (hits: Int, byteCount: Int) {
        let memory = unsafe open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw Unreadable(number: errno) }
        defer { close(memory) }
        var hits = 0
        var byteCount = 0
        for line in try text(pid, "maps").split(separator: "\n") {
            let fields = line.split(separator: " ")
            let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, fields[1].hasPrefix("rw"), ends[1] - ends[0] <= 1 << 30 else { continue }
            var buffer = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
            let got = unsafe buffer.withUnsafeMutableBytes {
                unsafe pread(memory, $0.baseAddress!, $0.count, off_t(ends[0]))
            }
            guard got > 0 else { continue }
            byteCount += got
            hits += ByteSearch.count(of: pattern, in: buffer)
        }
        return (hits, byteCount)
    }
}

/// Finds bytes in bytes.
enum ByteSearch {
    static func contains(_ pattern: [UInt8], in bytes: [UInt8]) -> Bool { count(of: pattern, in: bytes) > 0 }

    static func count(of pattern: [UInt8], in bytes: [UInt8]) -> Int {
        precondition(!pattern.isEmpty, "a pattern has bytes")
        var found = 0
        unsafe bytes.withUnsafeBytes { raw in
            unsafe pattern.withUnsafeBytes { wanted in
                var from = 0
                // The C library looks for the first byte: in a debug build a loop of ours takes minutes for a process's
                // memory.
                while from + wanted.count <= raw.count,
                    let hit = unsafe memchr(
                        raw.baseAddress! + from, Int32(wanted[0]), raw.count - from - wanted.count + 1)
                {
                    if unsafe memcmp(hit, wanted.baseAddress!, wanted.count) == 0 { found += 1 }
                    from = unsafe UnsafeRawPointer(hit) - raw.baseAddress! + 1
                }
            }
        }
        return found
    }
}
