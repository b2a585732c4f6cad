// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto

/// `Hardening` is what a process that is to hold keys does first.
public enum Hardening {
    /// Allows no core file, no debugger of our own user, no new privileges, nothing readable by others, no folder kept
    /// busy.
    ///
    /// - Returns: whether the kernel agreed to all of it; the agent refuses to go on otherwise.
    public static func apply() -> Bool {
        vs_default_fatal_signals()
        umask(0o077)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        let noCore = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0
        // Room for many clients and a file for each; where more is not allowed, clients wait.
        var files = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 {
            files.rlim_cur = max(files.rlim_cur, min(files.rlim_max, 4096))
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        }
        let hidden = vs_not_dumpable() == 0 && vs_is_dumpable() == 0
        let noPrivileges = vs_no_new_privs() == 0
        _ = signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is an error to report, as a full disk is.
        _ = signal(SIGXFSZ, SIG_IGN)
        return unsafe noCore && hidden && noPrivileges && chdir("/") == 0
    }

    /// Whether the cryptographic libraries give the known answers; nothing is touched otherwise.
    ///
    /// What libcrypto makes of keys after that lies in locked memory. Where that cannot be had, `status` says so.
    public static var librariesAreSound: Bool {
        let isDiverted = LibcryptoMemory.divert()
        guard (try? SelfTest.run()) != nil else { return false }
        return !isDiverted || LibcryptoMemory.lock()
    }
}
