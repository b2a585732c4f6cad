// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import SecretMemory

/// `RcloneDialog` lets rclone ask a person what it needs for a remote, on this terminal, and takes what it has made of
/// the answers. Its file lies in memory, in a folder that nobody else enters, and is gone afterwards.
enum RcloneDialog {
    private static let name = RcloneRemote.ownName

    /// Returns what opens a new remote of a backend.
    ///
    /// - Throws: `.locked` without a terminal, `.aborted` when rclone gives up.
    static func section(
        of service: RcloneService, _ program: String?, _ context: Context
    ) throws(ClientFailure) -> SecretBytes {
        guard !context.options.noInput, Terminal.canAsk else {
            throw ClientFailure(
                .locked, "rclone asks what it needs, and there is no terminal to ask on",
                hint: "rclone config on a terminal; then vault remote add rclone NAME:PATH")
        }
        let path = try RcloneRemote.path(program)
        let folder = try memoryFolder()
        let file = folder + "/rclone.conf"
        // Ctrl-C is rclone's: this program stays, and removes what rclone has written.
        let signals = [SIGINT, SIGQUIT, SIGHUP, SIGTERM]
        let before = signals.map { signal($0, SIG_IGN) }
        defer {
            removeAll(in: folder)
            for (number, handler) in zip(signals, before) { _ = signal(number, handler) }
        }
        context.reporter.talk(
            "rclone asks what \(service.backend) needs; the answers are kept only in the vault, encrypted")
        let words =
            ["--config", file, "config", "create", name, service.backend] + (service.asksForAll ? ["--all"] : [])
            + service.given.map { "\($0.name)=\($0.value)" }
        guard try ChildProgram.run(path, words, environment: RcloneRemote.plainEnvironment) == 0 else {
            throw ClientFailure(.aborted, "rclone did not sign in; nothing was changed", hint: "try again")
        }
        return try RcloneRemote(name, program, file: file).secret()
    }

    private static func removeAll(in folder: String) {
        if let stream = unsafe opendir(folder) {
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                    unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { unsafe unlink(folder + "/" + name) }
            }
            unsafe closedir(stream)
        }
        unsafe rmdir(folder)
    }

    /// Makes a folder of one's own where files lie in memory alone.
    private static func memoryFolder() throws(ClientFailure) -> String {
        let places = [Environment.text("XDG_RUNTIME_DIR"), "/dev/shm"].compactMap { $0 }
            .filter { $0.hasPrefix("/") && MemoryFolder.holds($0) }
        for place in places {
            var template = Array((place + "/notevault-" + String(repeating: "X", count: 6)).utf8CString)
            guard unsafe mkdtemp(&template) != nil else { continue }
            return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        throw ClientFailure(
            .other, "there is no folder in memory: neither XDG_RUNTIME_DIR nor /dev/shm is in memory")
    }
}
