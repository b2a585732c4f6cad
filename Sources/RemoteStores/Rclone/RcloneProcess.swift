// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import ExecArguments
internal import Glibc
internal import SyncProtocol

/// `RcloneProcess` is rclone's remote control as a child of this process, and a porter who connects to it.
///
/// Its socket lies in a folder that nobody else enters, and both are gone before rclone has answered anything: nothing
/// but this process can speak to it. Both children end with this process, whatever becomes of that.
struct RcloneProcess {
    /// Gives a connection for each byte that it is sent.
    let porter: PassedFile

    /// Starts it; nil where it cannot be started. Call it before the process is confined.
    init?(_ folder: RcloneFolder) {
        guard let (listener, porter) = Self.listeningSocket() else { return nil }
        defer { close(listener) }
        var pid: pid_t = 0
        let words = ["vault-sync", folder.program, String(getpid())]
        let started = unsafe CStrings.with(words) { arguments in
            unsafe CStrings.with([]) { environment in
                unsafe withUnsafePointer(to: listener) { passed in
                    unsafe vs_spawn_server("/proc/self/exe", arguments, environment, passed, 1, &pid)
                }
            }
        }
        guard started == 0 else { return nil }
        self.porter = porter
    }

    /// Returns a listening socket, and who connects to it. No path leads there any more.
    private static func listeningSocket() -> (Int32, PassedFile)? {
        var template = Array(("/tmp/notevault-" + String(repeating: "X", count: 6)).utf8CString)
        guard unsafe mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = folder + "/s"
        defer {
            unsafe unlink(path)
            unsafe rmdir(folder)
        }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let isListening = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            } && listen(listener, 16) == 0
        }
        let file = unsafe open(path, pathAlone | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        var control: Int32 = -1
        guard isListening, file >= 0, unsafe vs_start_porter(file, &control) == 0 else {
            close(listener)
            return nil
        }
        return (listener, PassedFile(taking: control))
    }

    /// O_PATH.
    static let pathAlone: Int32 = 0x20_0000
}
