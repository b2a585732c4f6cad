// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Glibc

/// Where the programs lie that are tested: `VAULT_BIN`, else beside the test bundle, where the build puts them.
enum Programs {
    static let directory: String = text(of: "VAULT_BIN").flatMap { $0.isEmpty ? nil : $0 } ?? built

    private static let built: String = {
        // The bundle is the running program itself, or lies beside it.
        for path in [CommandLine.arguments[0], link("/proc/self/exe") ?? ""] {
            let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
            if isProgram(folder + "/vault") { return folder }
        }
        return repository + "/.build/debug"
    }()

    /// Tests/ProgramTests/Support/Programs.swift is four steps below the package.
    static let repository = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    /// A program that `VAULT_BIN` does not have, such as the fault runner, is taken from the build.
    static func path(_ name: String) -> String {
        let named = directory + "/" + name
        return isProgram(named) ? named : built + "/" + name
    }

    /// The first of these programs of the system that is installed.
    static func system(_ name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"].map { $0 + name }.first(where: isProgram)
    }

    static func text(of variable: String) -> String? { unsafe getenv(variable).map { unsafe String(cString: $0) } }

    /// Where a symbolic link leads, or nil.
    static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { raw in
            unsafe readlink(path, raw.baseAddress!.assumingMemoryBound(to: CChar.self), raw.count)
        }
        return count > 0 ? String(decoding: buffer[0..<count], as: UTF8.self) : nil
    }

    private static func isProgram(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }
}
