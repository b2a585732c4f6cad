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
            return try start(
                program, ["--app=file://\(address.file)", "--user-data-dir=\(profile)"] + switches)
        }
        guard let program = ProgramPath.find("xdg-open") else { return false }
        return try start(program, ["file://" + address.file])
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
        let folder = "/dev/shm/notevault-web-\(getuid())-\(try WebPlace.randomText(12))"
        return unsafe mkdir(folder, 0o700) == 0 ? folder : nil
    }

    private static func start(_ program: String, _ words: [String]) throws(ClientFailure) -> Bool {
        let silence = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(silence) }
        _ = try ChildProgram.startApart(program, words, input: silence, output: silence)
        return true
    }
}
