// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// The settings' file.
enum SettingChecks {
    static func all(_ context: Context) -> [DoctorCheck] {
        let name = "settings"
        do throws(ClientFailure) {
            let settings = try context.settings()
            if let warning = settings.warnings.first { return [.warning(name, warning, hint: "vault config edit")] }
            return [settings.texts.isEmpty ? .ok(name, "all defaults") : folder(name, count: settings.texts.count)]
        } catch {
            return [.bad(name, error.outcome.message, hint: error.outcome.hint)]
        }
    }

    /// Anyone who can write in the directory can replace the file that was checked.
    private static func folder(_ name: String, count: Int) -> DoctorCheck {
        guard let path = SettingsFile.path, let slash = path.lastIndex(of: "/") else {
            return .ok(name, "all defaults")
        }
        let folder = String(path[..<slash])
        var status = stat()
        guard unsafe stat(folder, &status) != 0 || status.st_mode & 0o022 == 0 else {
            return .warning(
                name, "other users can write in \(VisibleText.escaped(folder))",
                hint: "chmod go-w \(ShellWord.quoted(folder))")
        }
        return .ok(name, "\(count) \(count == 1 ? "is" : "are") set")
    }
}
