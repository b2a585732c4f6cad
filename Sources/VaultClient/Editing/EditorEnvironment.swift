// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// The variables that an editor is given: all of the person's, without ours.
enum EditorEnvironment {
    /// Filters (`:%!sort`), spell checkers and formatters get the text in a temporary file: it lies in the folder too.
    private static let temporary = ["TMPDIR", "TMP", "TEMP"]

    /// - Parameter folder: where temporary files go.
    static func variables(folder: String) -> [String] { filtered(current()) + temporary.map { $0 + "=" + folder } }

    /// What names a password's place is nothing to an editor and all that it starts.
    static func filtered(_ variables: [String]) -> [String] {
        variables.filter { variable in
            let name = variable.prefix { $0 != "=" }
            return !name.hasPrefix("NOTEVAULT_") && name != "VAULT_PASSWORD" && !temporary.contains(String(name))
        }
    }

    private static func current() -> [String] {
        var next = unsafe environ
        var variables: [String] = []
        while let entry = unsafe next.pointee {
            if let text = unsafe String(validatingCString: entry) { variables.append(text) }
            unsafe next += 1
        }
        return variables
    }
}
