// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `ProgramChecks` checks whether the programs that run are the ones that are meant.
enum ProgramChecks {
    static func all() -> [DoctorCheck] {
        [.ok("version", "vault \(Frame.programVersion)"), path(own: ownPath, first: ProgramPath.find("vault"))]
            + helpers() + SetupChecks.here(own: ownPath).all
    }

    /// Looks at the programs that this one starts. What is wrong with their folder is said once.
    private static func helpers() -> [DoctorCheck] {
        let found = ["vault-agent", "vault-parse", "vault-sync", "vault-web", "vault-fetch", "vault-tui"].map(beside)
        guard let first = found.first, first.state == .bad, found.allSatisfy({ $0.message == first.message }) else {
            return found
        }
        return [.bad("folder of programs", first.message, hint: first.hint)]
    }

    private static var ownPath: String? {
        guard let resolved = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(validatingCString: resolved)
    }

    /// Compares this program with the one that `PATH` finds. Another program of that name that is found first would be
    /// given the password (MITRE ATT&CK T1574.007).
    static func path(own: String?, first: String?) -> DoctorCheck {
        let name = "vault in PATH"
        guard let own, let first else { return .ok(name, "not in PATH; it was run by its full name") }
        var (one, other) = (stat(), stat())
        guard unsafe stat(own, &one) == 0, unsafe stat(first, &other) == 0 else {
            return .warning(name, "cannot compare it with this one")
        }
        if one.st_dev == other.st_dev && one.st_ino == other.st_ino { return .ok(name, "this one") }
        return .bad(
            name,
            "'vault' runs \(VisibleText.escaped(first)), which is not this program, at \(VisibleText.escaped(own))",
            hint: "ls -l \(ShellWord.quoted(first))")
    }

    private static func beside(_ program: String) -> DoctorCheck {
        do throws(ClientFailure) {
            _ = try Programs.path(of: program)
            return .ok(program, "installed, and only you or root can change it")
        } catch {
            return .bad(program, error.outcome.message, hint: error.outcome.hint)
        }
    }
}

/// `SettingChecks` checks the settings' file.
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

    /// Checks who may write in the settings' directory: anyone who can is able to replace the file that was checked.
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
