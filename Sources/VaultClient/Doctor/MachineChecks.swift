// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

/// `MachineChecks` checks what the machine lets happen to memory, and whether its clock can be right.
enum MachineChecks {
    static func everyday() -> [DoctorCheck] {
        [clock(now: Int(time(nil))), timeZone(), terminal(), swap(isOpen: SwapCheck.isOpen)]
    }

    static func security(proc: String = "/proc") -> [DoctorCheck] {
        [coreDumps(proc), memoryLock(), ptrace(proc)]
    }

    static func swap(isOpen: Bool) -> DoctorCheck {
        isOpen
            ? .warning(
                "swap", "it is not encrypted: parts of open notes may reach that disk",
                hint: "use zram or encrypted swap")
            : .ok("swap", "none, or encrypted, or in memory")
    }

    /// Tells what becomes of core dumps. Our programs turn them off for themselves; other programs that show notes,
    /// such as terminals, do not.
    static func coreDumps(_ proc: String) -> DoctorCheck {
        let name = "core dumps"
        guard let pattern = line(proc + "/sys/kernel/core_pattern") else {
            return .ok(name, "off for vault's own programs")
        }
        if pattern.hasPrefix("|") {
            return .ok(name, "off for vault's own programs; those of others are handed to a service")
        }
        return .warning(
            name, "off for vault's own programs, but a terminal that crashes may write its screen to a file",
            hint: "ulimit -c 0, in your shell's start file")
    }

    static func memoryLock() -> DoctorCheck {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else {
            return .warning("memory lock", "its limit cannot be read")
        }
        return memoryLock(byteCount: UInt64(limit.rlim_cur))
    }

    /// Judges how much memory may be locked. Keys and passwords take some pages; 64 KiB was the kernel's own default
    /// for long.
    static func memoryLock(byteCount: UInt64) -> DoctorCheck {
        let name = "memory lock"
        if byteCount == .max { return .ok(name, "enough") }
        let text = "\(byteCount >> 10) KiB"
        return byteCount >= 1 << 20
            ? .ok(name, text)
            : .warning(
                name, "only \(text) can be locked, so a key may reach swap",
                hint: "ulimit -l 8192, or memlock in /etc/security/limits.conf")
    }

    static func ptrace(_ proc: String) -> DoctorCheck {
        let name = "other programs"
        // The agent is not dumpable, so it is not open to this; the client that shows a note is for its short life.
        switch line(proc + "/sys/kernel/yama/ptrace_scope") {
        case "0":
            return .warning(
                name, "your programs can read each other's memory",
                hint: "sudo sysctl kernel.yama.ptrace_scope=1")
        case .some: return .ok(name, "cannot read the memory of programs that they did not start")
        case nil: return .warning(name, "this kernel has no Yama, so your programs can read each other's memory")
        }
    }

    /// Judges the clock. One that is far off writes wrong dates into notes, and a lock's time may never come.
    static func clock(now: Int) -> DoctorCheck {
        // 2026-01-01 and 2100-01-01: this program is not older, and will not be that old.
        guard (1_767_225_600..<4_102_444_800).contains(now) else {
            return .bad("clock", "it is far off, and so are the dates of notes", hint: "timedatectl set-ntp true")
        }
        return .ok("clock", "looks right")
    }

    static func timeZone() -> DoctorCheck {
        var now = time(nil)
        var parts = unsafe tm()
        guard unsafe localtime_r(&now, &parts) != nil else {
            return .warning("time zone", "unknown", hint: "timedatectl set-timezone Europe/Berlin")
        }
        let minutes = unsafe parts.tm_gmtoff / 60
        let sign = minutes < 0 ? "-" : "+"
        let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
        return .ok("time zone", "UTC\(sign)\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)")
    }

    static func terminal() -> DoctorCheck {
        let name = "terminal"
        guard isatty(Streams.output) == 1 else { return .ok(name, "output is not a terminal") }
        guard Terminal.canDraw else { return .ok(name, "plain text only (TERM=dumb)") }
        let columns = Terminal.columns(of: Streams.output)
        guard isUTF8() else {
            return .warning(
                name, "the locale is not UTF-8: non-ASCII letters may look wrong", hint: "export LANG=C.UTF-8")
        }
        return .ok(name, "UTF-8" + (columns == 0 ? "" : ", \(columns) columns"))
    }

    /// Returns whether the locale is UTF-8: the first of these variables that is set decides (locale(7)).
    private static func isUTF8() -> Bool {
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment.text($0) }.first { !$0.isEmpty } ?? ""
        let lowered = locale.lowercased()
        return lowered.contains("utf-8") || lowered.contains("utf8")
    }

    /// Returns a small file's first line.
    static func line(_ path: String) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let bytes = try? FileBytes.read(descriptor, max: 4096) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
