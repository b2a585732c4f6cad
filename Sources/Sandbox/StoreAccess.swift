// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `StoreAccess` names what a process that serves one remote keeps: one folder, or the network.
public enum StoreAccess: Sendable {
    /// This folder and what is below it, and no socket.
    case folder(descriptor: Int32)
    /// Sockets of IPv4 and IPv6, TCP to these ports alone where the kernel can say so, and reading what says how names
    /// are looked up. Nothing can be written to.
    case network(ports: [UInt16])
    /// Connections that another process makes and passes: no file, and no socket of its own.
    case passedConnections
}

extension Sandbox {
    /// Address space for libcurl, its threads that look names up, and buffers; in bytes.
    private static let storeSpaceMax: rlim_t = 2 << 30
    /// The largest file of a remote, and so the largest that is ever written; in bytes.
    private static let storeFileMax: rlim_t = 38 << 20
    /// Sixteen requests with a descriptor each, four connections, what looks names up.
    private static let storeDescriptorMax: rlim_t = 96

    /// What says how names are looked up, and system-wide certificates. Whole folders: their files are replaced by
    /// others of the same name while a process runs.
    static let resolverFolders = [
        "/etc", "/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/usr/share/ca-certificates",
        "/usr/local/share/ca-certificates",
    ]

    /// Permanently confines this process, before the first byte of a store is read and while it has one thread.
    ///
    /// Landlock takes the files, and the list of system calls everything else: programs, other processes, sockets of
    /// this machine, memory that is executed. Both are needed, so a kernel without either is refused.
    ///
    /// - Returns: false if the system refuses any of it; the process must then end.
    public static func enter(for access: StoreAccess) -> Bool {
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT, SIGSYS] {
            Glibc.signal(signal, SIG_DFL)
        }
        // The end of a connection and of a limit are errors to report.
        for signal in [SIGPIPE, SIGXFSZ] { Glibc.signal(signal, SIG_IGN) }
        guard vs_no_new_privs() == 0, vs_not_dumpable() == 0, limitStore(), restrictFiles(access),
            let filter = CallFilter(for: access)
        else { return false }
        return filter.load()
    }

    private static func limitStore() -> Bool {
        limit(RLIMIT_CORE, to: 0) && limit(RLIMIT_FSIZE, to: storeFileMax) && limit(RLIMIT_AS, to: storeSpaceMax)
            && limit(RLIMIT_NOFILE, to: storeDescriptorMax)
    }

    private static func restrictFiles(_ access: StoreAccess) -> Bool {
        switch access {
        case .folder(let descriptor): return vs_landlock_folder(descriptor) == 0
        case .network(let ports): return restrictToNetwork(ports)
        case .passedConnections: return vs_landlock_kin() == 0
        }
    }

    /// Leaves what says how names are looked up to be read, nothing to be written, and TCP to these ports.
    static func restrictToNetwork(_ servers: [UInt16]) -> Bool {
        var folders: [UnsafePointer<CChar>?] = unsafe resolverFolders.map { unsafe UnsafePointer(strdup($0)) }
        unsafe folders.append(nil)
        defer { unsafe folders.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        // Names are asked for by TCP when an answer is long.
        let ports = servers + [53]
        return unsafe vs_landlock_network(folders, ports, ports.count) == 0
    }
}
