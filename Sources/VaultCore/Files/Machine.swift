// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `Machine` holds facts about this machine that decide what may be asked of it.
public enum Machine {
    /// Memory in bytes; a limit of a container counts when it is smaller.
    public static var memoryByteCount: UInt64 {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let size = sysconf(Int32(_SC_PAGESIZE))
        let physical = pages > 0 && size > 0 ? UInt64(pages) * UInt64(size) : 1 << 30
        return min(physical, containerLimit ?? physical)
    }

    /// Milliseconds since 1970, UTC.
    public static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Now, in UTC, as `20261123T150412Z`.
    public static var stamp: String { stamp(at: now, withMilliseconds: false) }
    /// Now, in UTC, as `20261123T150412345Z`, for what may happen twice within a second.
    public static var fineStamp: String { stamp(at: now, withMilliseconds: true) }

    private static func stamp(at moment: Int64, withMilliseconds: Bool) -> String {
        var seconds = time_t(moment / 1000)
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        func digits(_ numbers: [Int32]) -> String { numbers.map { ($0 < 10 ? "0" : "") + String($0) }.joined() }
        let rest = withMilliseconds ? String(String(1000 + moment % 1000).dropFirst()) : ""
        return digits(date) + "T" + digits(clock) + rest + "Z"
    }

    private static var containerLimit: UInt64? {
        let opened = unsafe open("/sys/fs/cgroup/memory.max", O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(opened, $0.baseAddress!, $0.count) }
        return UInt64(String(decoding: bytes[0..<max(count, 0)].prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
    }
}
