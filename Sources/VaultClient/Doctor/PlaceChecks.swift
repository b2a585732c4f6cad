// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import VaultFormat

/// `PlaceChecks` checks the room for the vault, memory for edits, and the directories beside the vault's own.
enum PlaceChecks {
    static func all(_ location: VaultLocation?) -> [DoctorCheck] {
        (location.map { [room($0), fileSystem($0)].compactMap(\.self) } ?? []) + [edits()]
    }

    /// Checks directories that hold the agent's socket and what this user saw last of a vault.
    static func `private`() -> [DoctorCheck] {
        var checks: [DoctorCheck] = []
        do throws(AgentAddress.Failure) {
            _ = try AgentAddress.directory()
            checks.append(.ok("runtime directory", "only you can access it"))
        } catch {
            let failure = AgentConnection.failure(error).outcome
            checks.append(.bad("runtime directory", failure.message, hint: failure.hint))
        }
        if let state = stateDirectory { checks.append(folder("state directory", state)) }
        return checks
    }

    static var stateDirectory: String? {
        if let base = Environment.text("XDG_STATE_HOME"), base.hasPrefix("/") { return base + "/notevault" }
        return Environment.text("HOME").map { $0 + "/.local/state/notevault" }
    }

    static func folder(_ name: String, _ path: String) -> DoctorCheck {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return .ok(name, "not created yet") }
        let shown = VisibleText.escaped(path)
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .bad(name, "\(shown) is not a directory", hint: "ls -ld \(ShellWord.quoted(path))")
        }
        guard status.st_uid == getuid() else {
            return .bad(name, "\(shown) belongs to another user", hint: "ls -ld \(ShellWord.quoted(path))")
        }
        guard status.st_mode & 0o022 == 0 else {
            return .bad(name, "other users can write in \(shown)", hint: "chmod 700 \(ShellWord.quoted(path))")
        }
        guard status.st_mode & 0o077 == 0 else {
            return .warning(name, "other users can look into \(shown)", hint: "chmod 700 \(ShellWord.quoted(path))")
        }
        return .ok(name, "only you can access it")
    }

    private static func room(_ location: VaultLocation) -> DoctorCheck? {
        var details = statvfs()
        let path = String(decoding: location.directory, as: UTF8.self)
        guard unsafe statvfs(path, &details) == 0 else { return nil }
        let (free, isOver) = UInt64(details.f_bavail).multipliedReportingOverflow(by: UInt64(details.f_frsize))
        return room(freeByteCount: isOver ? .max : free, isReadOnly: details.f_flag & UInt(ST_RDONLY) != 0)
    }

    /// Judges the free room. A full disk opens a vault read-only; before that there is time to do something.
    static func room(freeByteCount: UInt64, isReadOnly: Bool) -> DoctorCheck {
        let name = "disk space"
        let text = freeByteCount >= 10 << 30 ? "\(freeByteCount >> 30) GiB" : "\(freeByteCount >> 20) MiB"
        if isReadOnly { return .bad(name, "the vault's file system is read-only, so nothing can be saved") }
        if freeByteCount < 16 << 20 { return .bad(name, "only \(text) free, so notes may not be saved", hint: "df -h") }
        if freeByteCount < 256 << 20 { return .warning(name, "only \(text) free", hint: "df -h") }
        return .ok(name, "\(text) free")
    }

    /// Checks what holds where the vault lies: on a network file system another machine's locks may not be seen.
    private static func fileSystem(_ location: VaultLocation) -> DoctorCheck? {
        FileSystemKind(of: location).map(fileSystem)
    }

    static func fileSystem(_ kind: FileSystemKind) -> DoctorCheck {
        if kind.isMemory {
            return .warning(
                "file system", "the vault is on \(kind.name), in memory: it is gone when the machine is turned off",
                hint: "move it to a disk")
        }
        guard let warning = kind.warning else { return .ok("file system", kind.name) }
        return .warning("file system", warning, hint: "keep the vault on a local disk, and use vault backup")
    }

    private static func edits() -> DoctorCheck {
        let runtime = try? AgentAddress.directory()
        return edits(hasMemory: (runtime.map(MemoryFolder.holds) ?? false) || MemoryFolder.holds("/dev/shm"))
    }

    static func edits(hasMemory: Bool) -> DoctorCheck {
        hasMemory
            ? .ok("folder for edits", "in memory")
            : .warning(
                "folder for edits",
                "none in memory, so 'vault edit' refuses to run: on a disk, parts of the text would stay readable",
                hint: "mount a tmpfs at $XDG_RUNTIME_DIR")
    }
}

extension FileSystemKind {
    /// Finds the file system that a vault lies on; nil where the vault's folder cannot be opened.
    init?(of location: VaultLocation) {
        let path = String(decoding: location.directory, as: UTF8.self)
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        self.init(number: vs_file_system_type(folder))
    }
}
