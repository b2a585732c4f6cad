// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import CSystemShims
import Glibc

/// strace(1) of programs with all their children: every call by which bytes can reach a file.
enum SystemTrace {
    static let isPermitted: Bool = {
        guard let strace = Programs.system("strace") else { return false }
        return (try? Command.run([strace, "-o", "/dev/null", "/bin/true"], environment: [:], seconds: 10).code) == 0
    }()

    static func command(output: String) -> [String] {
        let calls =
            "write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,mmap,copy_file_range,sendfile,splice,symlinkat,linkat,renameat2"
        return [
            Programs.system("strace") ?? "strace", "-f", "-y", "-s", "1000000", "-e", "trace=" + calls, "-o", output,
        ]
    }

    struct Call {
        let text: String
        /// The path behind the first descriptor, as `-y` shows it; nil when it is none.
        var file: String? {
            guard let begin = text.firstIndex(of: "<"), let end = text[begin...].firstIndex(of: ">") else { return nil }
            let path = text[text.index(after: begin)..<end]
            return path.hasPrefix("/") ? String(path) : nil
        }

        /// A shared writable mapping of a file can write anything to it without a further call.
        var mapsForWriting: Bool {
            text.contains(" mmap(") && text.contains("PROT_WRITE") && text.contains("MAP_SHARED") && file != nil
        }

        /// Whether the file is, or stands for, one on a disk. The tests' own directory may lie on tmpfs, so only
        /// `memory` in it counts as such.
        func reachesADisk(besides memory: String) -> Bool {
            guard let file else {
                return text.contains(" symlinkat(") || text.contains(" linkat(") || text.contains(" renameat2(")
            }
            if file.hasPrefix(memory + "/") || file.hasPrefix("/dev/") { return false }
            return true
        }
    }

    /// All calls of a trace.
    static func calls(in path: String) throws -> [Call] {
        String(decoding: try ProcFile.bytes(path), as: UTF8.self).split(separator: "\n").map { Call(text: String($0)) }
    }
}
