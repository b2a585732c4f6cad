// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient

/// `RcloneService` is a service that is reached through rclone, and what rclone is to ask for it.
struct RcloneService {
    /// What rclone calls it.
    let backend: String

    /// Services by what people call them.
    private static let names = [
        "icloud": "iclouddrive", "drive": "drive", "gdrive": "drive", "onedrive": "onedrive", "pcloud": "pcloud",
        "proton": "protondrive", "box": "box", "mega": "mega", "sftp": "sftp", "jottacloud": "jottacloud",
    ]

    init(backend: String) { self.backend = backend }

    /// Finds a service by what it was called, or one of rclone's backends; nil for neither.
    init?(_ name: String, _ program: String?) {
        guard let backend = Self.names[name] ?? Self.backend(name, program) else { return nil }
        self.backend = backend
    }

    /// What is given without being asked: no more rights than vault needs.
    var given: [(name: String, value: String)] { backend == "drive" ? [("scope", "drive.file")] : [] }

    /// Whether rclone is to ask for all that a backend needs. Those where somebody signs in on a page of theirs need
    /// nothing else; of the others it would ask nothing.
    var asksForAll: Bool { !Self.withPages.contains(backend) }

    private static let withPages = [
        "box", "drive", "hidrive", "jottacloud", "onedrive", "pcloud", "premiumizeme", "putio", "sharefile", "yandex",
        "zoho",
    ]

    /// What is asked for though a backend could do without, and what is not, though rclone would ask.
    private static let wanted = [
        "host", "port", "user", "username", "url", "vendor", "key_file", "2fa", "region", "endpoint", "provider",
        "account", "access_key_id", "secret_access_key",
    ]
    private static let passedOver = ["config_fs_advanced", "config_change_team_drive", "service"]

    /// Whether a person is asked, or what rclone proposes is taken.
    ///
    /// - Parameters:
    ///   - isSetting: it is one of the backend's settings, and no question of its sign-in.
    ///   - isNeeded: rclone cannot do without, or it is a password.
    static func isAsked(_ option: String, isSetting: Bool, isNeeded: Bool) -> Bool {
        guard !passedOver.contains(option) else { return false }
        return !isSetting || isNeeded || wanted.contains(option)
    }

    /// Returns a backend that rclone has under this name.
    private static func backend(_ name: String, _ program: String?) -> String? {
        guard name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }),
            let path = try? RcloneRemote.path(program),
            let list = ChildProgram.output(of: path, ["help", "backends"], max: 1 << 20)
        else { return nil }
        let names = String(decoding: list, as: UTF8.self).split(separator: "\n").map { line in
            line.drop { $0 == " " }.prefix { $0 != " " }
        }
        return names.contains(Substring(name)) ? name : nil
    }
}
