// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc

/// `SwapCheck` warns when memory may be written to a disk in the clear: locked pages never are, but a note's text may
/// be.
public enum SwapCheck {
    /// Whether memory may reach a disk in the clear.
    static var isOpen: Bool { !unsafeAreas.isEmpty }

    static func warn() {
        let open = unsafeAreas
        guard !open.isEmpty else { return }
        let names = open.map { VisibleText.escaped($0) }.joined(separator: ", ")
        Streams.warn(
            "swap on \(names) is not encrypted: parts of open notes may reach that disk; use zram or encrypted swap")
    }

    private static var unsafeAreas: [String] {
        let descriptor = unsafe open("/proc/swaps", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        guard let bytes = try? FileBytes.read(descriptor, max: 1 << 16) else { return [] }
        return areas(String(decoding: bytes, as: UTF8.self)).filter { !isSafe($0) }
    }

    /// Returns the names of the swap areas in the text of /proc/swaps (proc(5)): the first column, after one line of
    /// headings.
    public static func areas(_ table: String) -> [String] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first.map(String.init)
        }
    }

    /// Returns whether a swap area keeps nothing readable on a disk. zram is memory. A device-mapper volume of dm-crypt
    /// has a UUID that begins with CRYPT-.
    private static func isSafe(_ area: String) -> Bool {
        guard let resolved = unsafe realpath(area, nil) else { return false }
        defer { unsafe free(resolved) }
        let path = unsafe String(cString: resolved)
        if path.hasPrefix("/dev/zram") { return true }
        guard path.hasPrefix("/dev/dm-") else { return false }
        let file = "/sys/block/" + path.dropFirst("/dev/".count) + "/dm/uuid"
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (try? FileBytes.read(descriptor, max: 4096))?.starts(with: "CRYPT-".utf8) ?? false
    }
}
