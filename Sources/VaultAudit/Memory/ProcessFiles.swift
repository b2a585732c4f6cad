// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `ProcessFiles` reads the files of one process in /proc, through one open directory: it cannot become another
/// process's.
final class ProcessFiles {
    private let directory: Int32

    init(_ processID: Int32) { directory = unsafe open("/proc/\(processID)", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

    deinit { if directory >= 0 { close(directory) } }

    /// Of a process that ended, nothing can be read any more, or that it waits for its parent.
    var isStillTheSame: Bool { status.map { $0["State"]?.hasPrefix("Z") == false } ?? false }

    /// Whether the system hands core files to a program: core(5).
    static var coreFilesGoToAProgram: Bool {
        let opened = unsafe open("/proc/sys/kernel/core_pattern", O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return DescriptorBytes.read(opened, byteCountMax: 1)?.first == UInt8(ascii: "|")
    }

    /// Names and values of `status`; nil where there is no such process.
    var status: [String: String]? {
        text("status", byteCountMax: 1 << 16).map { text in
            var fields: [String: String] = [:]
            for line in text.split(separator: "\n") {
                let name = line.prefix { $0 != ":" }
                fields[String(name)] = line.dropFirst(name.count + 1).trimmed
            }
            return fields
        }
    }

    /// Returns soft and hard limit.
    func limit(_ name: String) -> [String]? {
        guard let text = text("limits", byteCountMax: 1 << 16),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) })
        else {
            return nil
        }
        let limits = line.dropFirst(name.count).split(separator: " ").prefix(2).map { String($0) }
        return limits.count == 2 ? limits : nil
    }

    /// User that the process's memory belongs to.
    var owner: uid_t? {
        var status = stat()
        // Of a bad descriptor the call says so.
        return unsafe fstatat(directory, "mem", &status, 0) == 0 ? status.st_uid : nil
    }

    /// The kernel's two-letter flags of each mapping; nil where this user may not see them.
    var mappings: [Set<String>]? {
        guard let text = text("smaps", byteCountMax: 16 << 20) else { return nil }
        let prefix = "VmFlags:"
        let lines = text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
        return lines.isEmpty
            ? nil : lines.map { Set($0.dropFirst(prefix.count).split(separator: " ").map { String($0) }) }
    }

    private func text(_ name: String, byteCountMax: Int) -> String? {
        guard directory >= 0 else { return nil }
        let opened = unsafe openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        let bytes = DescriptorBytes.read(opened, byteCountMax: byteCountMax)
        // What was cut is not judged as if it were whole.
        return bytes.flatMap { $0.isEmpty || $0.count == byteCountMax ? nil : String(decoding: $0, as: UTF8.self) }
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " || $0 == "\t" }) }
}
