// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `BrowserWindow` opens the page: in a window with a profile of its own in memory, where a Chromium is installed as a
/// plain program; else in the browser that the desktop names.
enum BrowserWindow {
    /// Browsers that take `--app`.
    private static let programs = [
        "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "brave-browser",
    ]

    /// Nothing of this profile is kept, synchronised, translated, corrected elsewhere or asked for.
    private static let switches = [
        "--no-first-run", "--no-default-browser-check", "--disable-sync", "--disable-extensions",
        "--disable-component-update", "--disable-background-networking", "--disable-breakpad", "--no-pings",
        "--disable-features=Translate,SpellcheckService,AutofillServerCommunication,MediaRouter",
        "--password-store=basic",
    ]

    /// Opens a window.
    ///
    /// - Returns: false where there is no desktop or no browser.
    static func open(_ address: WebAddress, isPrivate: Bool) throws(ClientFailure) -> Bool {
        guard Environment.text("DISPLAY") != nil || Environment.text("WAYLAND_DISPLAY") != nil else { return false }
        if isPrivate, let program = programs.lazy.compactMap({ ProgramPath.find($0) }).first(where: isPlain),
            let profile = try profile()
        {
            return try start("/proc/self/exe", name: "vault", [command, program, profile, address.file])
        }
        guard let program = ProgramPath.find("xdg-open") else { return false }
        return try start(program, ["file://" + address.file])
    }

    /// The hidden command: `vault __window PROGRAM PROFILE FILE`. It waits for the window's end, and removes its
    /// profile.
    static let command = "__window"

    /// Runs the hidden command.
    static func run(_ words: [String]) -> Int32 {
        guard words.count == 3, words[1].hasPrefix(profilePrefix) else { return 2 }
        let silence = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        let pid = try? ChildProgram.start(
            words[0], ["--app=file://\(words[2])", "--user-data-dir=\(words[1])"] + switches, input: silence,
            output: silence)
        if let pid { _ = ChildProgram.wait(for: pid) }
        PrivateFolder.remove(words[1])
        return 0
    }

    private static var profilePrefix: String { PrivateFolder.prefix("web") }

    /// Removes profiles whose window was killed together with what would have removed them.
    private static func sweep() {
        guard let stream = unsafe opendir("/dev/shm") else { return }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            let folder = "/dev/shm/" + name
            if folder.hasPrefix(profilePrefix), !isInUse(folder) { PrivateFolder.remove(folder) }
        }
    }

    /// A Chromium's lock is a link to "HOST-PID".
    private static func isInUse(_ folder: String) -> Bool {
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, status.st_uid == getuid() else { return true }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = unsafe buffer.withUnsafeMutableBytes { raw in
            unsafe readlink(
                folder + "/SingletonLock", raw.baseAddress!.assumingMemoryBound(to: CChar.self), raw.count)
        }
        // One that was just made has none yet.
        guard count > 0 else { return time(nil) - status.st_mtim.tv_sec < 60 }
        let target = String(decoding: buffer.prefix(count), as: UTF8.self)
        return target.split(separator: "-").last.flatMap { pid_t($0) }.map { kill($0, 0) == 0 } ?? false
    }

    /// Snap's and flatpak's browsers see no file of ours, and their profiles are theirs.
    private static func isPlain(_ path: String) -> Bool {
        guard let resolved = unsafe realpath(path, nil) else { return false }
        defer { unsafe free(resolved) }
        let target = unsafe String(cString: resolved)
        return !target.contains("/snap") && !target.contains("/flatpak")
    }

    /// A folder in memory for one window; nil where there is none.
    private static func profile() throws(ClientFailure) -> String? {
        sweep()
        return try PrivateFolder.make("web")
    }

    private static func start(_ program: String, name: String? = nil, _ words: [String]) throws(ClientFailure) -> Bool {
        let silence = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(silence) }
        _ = try ChildProgram.startApart(program, name: name, words, input: silence, output: silence)
        return true
    }
}
