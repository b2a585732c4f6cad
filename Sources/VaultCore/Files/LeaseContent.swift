// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto

/// `ThisMachine` tells this machine, as it runs now, from every other: it has nothing of its hardware.
struct ThisMachine: Equatable {
    /// Random, kept in the state directory; another one each time where that cannot be written.
    var id: String
    /// Another one after each start of the machine.
    var boot: String
    var host: String

    init(id: String, boot: String, host: String) { (self.id, self.boot, self.host) = (id, boot, host) }

    init(pins: PinStore) {
        id = pins.machineID() ?? "unknown"
        boot = Self.text("/proc/sys/kernel/random/boot_id") ?? "unknown"
        host = Self.hostName ?? "another machine"
    }

    /// Its name, of printable ASCII.
    static var hostName: String? { text("/proc/sys/kernel/hostname") }

    /// What it runs on, as `Linux x86_64`.
    static var system: String {
        #if arch(x86_64)
            let processor = " x86_64"
        #elseif arch(arm64)
            let processor = " aarch64"
        #else
            let processor = ""
        #endif
        return (text("/proc/sys/kernel/ostype") ?? "Linux") + processor
    }

    /// Reads the first line of a small file of the system's.
    private static func text(_ path: String) -> String? {
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(opened, $0.baseAddress!, $0.count) }
        guard count > 0 else { return nil }
        let line = String(decoding: bytes[0..<count].prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }
}

/// A `LeaseContent` is what a lease says: lines of a name and a value.
struct LeaseContent: Equatable {
    static let magic = "vault lease 1"
    private static let valueByteCountMax = 64

    var machine: String
    var boot: String
    var host: String
    var pid: String
    /// Of one opening of the vault.
    var session: String
    /// One more at each renewal.
    var beat: UInt64 = 0

    init(machine: ThisMachine, session: String) {
        (self.machine, boot, host) = (machine.id, machine.boot, machine.host)
        pid = String(getpid())
        self.session = session
    }

    /// Reads a lease; nil for anything else, which counts as none.
    init?(parsing bytes: [UInt8]) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 8, lines.removeFirst() == Self.magic, lines.removeLast().isEmpty else { return nil }
        var values: [Substring] = []
        for (line, name) in zip(lines, Self.names) {
            guard line.hasPrefix(name + " ") else { return nil }
            let value = line.dropFirst(name.count + 1)
            guard value.utf8.count <= Self.valueByteCountMax, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                return nil
            }
            values.append(value)
        }
        guard let beat = UInt64(values[5]) else { return nil }
        (machine, boot, host) = (String(values[0]), String(values[1]), String(values[2]))
        (pid, session) = (String(values[3]), String(values[4]))
        self.beat = beat
    }

    private static let names = ["machine", "boot", "host", "pid", "session", "beat"]

    var encoded: [UInt8] {
        let values = [machine, boot, host, pid, session, String(beat)].map { value in
            value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && value.utf8.count <= Self.valueByteCountMax
                ? value : "unknown"
        }
        let lines = zip(Self.names, values).map { "\($0) \($1)\n" }.joined()
        return Array((Self.magic + "\n" + lines).utf8)
    }

    /// Tells whether this machine wrote it since it was started: the process that holds the vault's lock now then knows
    /// that the one which wrote it is gone.
    func isOf(_ machine: ThisMachine) -> Bool { self.machine == machine.id && boot == machine.boot }
}

extension PinStore {
    /// Returns this machine's random number, made at the first time; nil where the state directory cannot be written.
    func machineID() -> String? {
        guard let folder = VaultDirectory.made(at: stateFolder) else { return nil }
        let name = "machine"
        if let bytes = try? folder.read(name, byteCountMax: 64), bytes.count == 32 {
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let random = try? SecureRandom.bytes(16) else { return nil }
        let text = BackupFolder.hex(random)
        return (try? folder.replace(name, with: Array(text.utf8))) == nil ? nil : text
    }

    /// Where the account's own files about vaults lie.
    var stateFolder: String { String(folder.dropLast(folder.hasSuffix("/pins") ? 5 : 0)) }
}
