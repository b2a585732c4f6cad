// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `SetupChecks` checks what an installation leaves to its user: which programs `PATH` has, whether zsh finds the
/// completion, and whether a session's end takes the agent with it.
struct SetupChecks {
    /// Directories in the order of `PATH`.
    var searched: [String]
    var home: String?
    var shell: String
    /// Of this program's folder: `share` beside it.
    var share: String?
    var userName: String?
    /// Of zsh's settings; nil where they are in `home`.
    var zshSettings: String?
    var lingering = "/var/lib/systemd/linger"
    var systemd = "/run/systemd/system"

    static func here(own: String?) -> SetupChecks {
        let path = Environment.text("PATH") ?? ""
        return SetupChecks(
            searched: path.split(separator: ":").map(String.init), home: Environment.text("HOME"),
            shell: Environment.text("SHELL") ?? "",
            share: own.map { $0.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/share" },
            userName: Environment.text("USER") ?? Environment.text("LOGNAME"), zshSettings: Environment.text("ZDOTDIR"))
    }

    var all: [DoctorCheck] { [otherPrograms, zsh, lingerer].compactMap(\.self) }

    /// Names further programs called `vault`: HashiCorp's is one, and an earlier installation of ours another.
    private var otherPrograms: DoctorCheck? {
        var seen: [(device: dev_t, node: ino_t)] = []
        var found: [String] = []
        for folder in searched where folder.hasPrefix("/") {
            var status = stat()
            let path = folder + "/vault"
            guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o111 != 0,
                !seen.contains(where: { $0.device == status.st_dev && $0.node == status.st_ino })
            else { continue }
            seen.append((status.st_dev, status.st_ino))
            found.append(path)
        }
        guard found.count > 1, let first = found.first else { return nil }
        return .warning(
            "other vaults in PATH",
            "'vault' is \(VisibleText.escaped(first)); there is also "
                + found.dropFirst().map { VisibleText.escaped($0) }.joined(separator: ", "),
            hint: "type -a vault")
    }

    /// Where zsh looks without being told.
    private static let zshFolders = [
        "/usr/local/share/zsh/site-functions", "/usr/share/zsh/site-functions", "/usr/share/zsh/vendor-completions",
    ]

    private var zsh: DoctorCheck? {
        guard shell.hasSuffix("/zsh"), let share, let home else { return nil }
        let name = "completion in zsh"
        let folders = ["site-functions", "vendor-completions"].map { share + "/zsh/" + $0 }
        guard let folder = folders.first(where: { unsafe access($0 + "/_vault", R_OK) == 0 }) else {
            return .warning(
                name, "it is not installed beside this program", hint: "make install, or vault completion zsh")
        }
        if Self.zshFolders.contains(folder) { return .ok(name, "installed where zsh looks") }
        let settings = zshSettings ?? home
        let isNamed = [".zshrc", ".zshenv", ".zprofile"].contains { file in
            let descriptor = unsafe open(settings + "/" + file, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            guard let bytes = try? FileBytes.read(descriptor, max: 1 << 20) else { return false }
            let text = String(decoding: bytes, as: UTF8.self)
            let short = folder.hasPrefix(home + "/") ? String(folder.dropFirst(home.count)) : folder
            return text.contains("fpath") && text.contains(short)
        }
        if isNamed { return .ok(name, "installed, and .zshrc names the folder") }
        return .warning(
            name, "zsh does not look into \(VisibleText.escaped(folder))",
            hint: "echo 'fpath=(\(folder) $fpath)' before compinit in .zshrc")
    }

    /// A machine that is to sync while nobody is logged in needs lingering; everywhere else the end of the last session
    /// locks the vault, which is what most want.
    private var lingerer: DoctorCheck? {
        guard let home, let userName, unsafe access(systemd, F_OK) == 0 else { return nil }
        let name = "after logout"
        var status = stat()
        let isLingering = unsafe stat(lingering + "/" + userName, &status) == 0
        let timer = home + "/.config/systemd/user/timers.target.wants/vault-sync.timer"
        let syncs = unsafe lstat(timer, &status) == 0
        if isLingering { return .ok(name, syncs ? "syncing goes on" : "your services go on; vault lock --all locks") }
        guard syncs else { return .ok(name, "the vault locks when your last session ends") }
        return .warning(
            name, "vault-sync.timer ends with your last session, because this account does not linger",
            hint: "loginctl enable-linger")
    }
}
