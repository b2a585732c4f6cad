// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import Glibc
internal import VaultFormat

/// `VaultFileChecks` checks who can access the vault's directory and its files.
enum VaultFileChecks {
    static func all(_ location: VaultLocation) -> [DoctorCheck] {
        let path = String(decoding: location.directory, as: UTF8.self)
        var status = stat()
        guard unsafe lstat(path, &status) == 0, location.hasHeader else {
            return [.warning("vault", "no vault at \(location.name)", hint: "vault init")]
        }
        // The directory may be named through a link; what lies in it may not be one.
        guard unsafe stat(path, &status) == 0 else { return [.bad("vault", "cannot examine \(location.name)")] }
        return [directory(status, location.name, path), files(path)]
            + beside(FolderNames.of(path) ?? [])
    }

    private static func directory(_ status: stat, _ name: String, _ path: String) -> DoctorCheck {
        if status.st_uid != getuid() {
            return .bad("vault directory", "\(name) belongs to another user", hint: "ls -ld \(ShellWord.quoted(path))")
        }
        guard status.st_mode & 0o077 == 0 else {
            return .bad(
                "vault directory", "other users can look into \(name)", hint: "chmod 700 \(ShellWord.quoted(path))")
        }
        return .ok("vault directory", "only you can access \(name)")
    }

    /// Checks what else lies there and may hold notes: what was rescued or put aside, and other machines' files.
    static func beside(_ names: [String]) -> [DoctorCheck] {
        let kept = names.count { $0.hasPrefix("index-") && ($0.contains(".rescued") || AsideName.isOne($0)) }
        guard kept > 0 else { return copies(names) }
        let lies = kept == 1 ? "one file lies" : "\(kept) files lie"
        return [
            .warning(
                "rescued files", "\(lies) in the vault's folder that may hold notes which are only there",
                hint: "vault unlock says how they are put back or taken over")
        ] + copies(names)
    }

    /// Tells what a sync program left of another machine's changes, one line for each program.
    private static func copies(_ names: [String]) -> [DoctorCheck] {
        let copies = names.compactMap { ConflictedCopy($0) }
        return ConflictedCopy.Program.allCases.compactMap { program in
            let count = copies.count { $0.program == program }
            guard count > 0 else { return nil }
            let files = count == 1 ? "one file of the vault was" : "\(count) files of the vault were"
            return .warning(
                "conflicted copies",
                "\(files) changed on two machines at once, and \(program.name) kept the other machine's beside ours",
                hint: "vault check names them; vault adopt FILE takes over the notes that only an index among them has")
        }
    }

    /// Says one sentence about the worst of all files; a list of names would tell more than is needed.
    private static func files(_ path: String) -> DoctorCheck {
        guard let names = FolderNames.of(path) else {
            return .bad("vault files", "cannot list the directory", hint: "ls -l \(ShellWord.quoted(path))")
        }
        var open = 0
        var foreign = 0
        var strange = 0
        for name in names {
            var status = stat()
            guard unsafe lstat(path + "/" + name, &status) == 0 else { continue }
            let kind = status.st_mode & S_IFMT
            if kind != S_IFREG && kind != S_IFDIR { strange += 1 }
            if status.st_uid != getuid() { foreign += 1 }
            if kind != S_IFLNK && status.st_mode & 0o077 != 0 { open += 1 }
        }
        let list = "ls -la \(ShellWord.quoted(path))"
        if strange > 0 {
            return .bad("vault files", "\(count(strange)) not plain, and a vault holds only plain files", hint: list)
        }
        if foreign > 0 { return .bad("vault files", "\(count(foreign)) owned by another user", hint: list) }
        if open > 0 {
            return .bad(
                "vault files", "\(count(open)) open to other users", hint: "chmod -R go= \(ShellWord.quoted(path))")
        }
        return .ok("vault files", "only you can access them")
    }

    private static func count(_ number: Int) -> String { number == 1 ? "one is" : "\(number) are" }
}

/// `FolderNames` lists the names in a directory, without `.` and `..`.
enum FolderNames {
    static func of(_ path: String) -> [String]? {
        guard let stream = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}

/// `BackupCheck` checks whether what is known of the vault's backups says that they were tried lately.
enum BackupCheck {
    /// Warns when a drill of the backup is due; returns nothing where no backup is known.
    ///
    /// - Parameter now: milliseconds since 1970, UTC.
    static func run(_ location: VaultLocation, stateDirectory: String?, now: Int64) -> [DoctorCheck] {
        guard let stateDirectory, location.hasHeader, let vaultID = try? location.vaultID() else { return [] }
        let path = stateDirectory + "/pins/" + BackupMemory.fileNamePrefix + hexadecimal(vaultID)
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: BackupMemory.byteCount)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        guard got == bytes.count, let memory = BackupMemory(parsing: bytes) else { return [] }
        guard memory.isDrillDue(now: now) else { return [.ok("backup", "a snapshot was made, and no drill is due")] }
        return [
            .warning(
                "backup", "no drill of the backup has succeeded for a month",
                hint: "vault backup drill DIR")
        ]
    }
}
