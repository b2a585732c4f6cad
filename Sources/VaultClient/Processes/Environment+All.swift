// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

extension Environment {
    /// All variables as `NAME=value`, for programs of the person's own choice. What is not UTF-8 is left out.
    static var all: [String] {
        let list = unsafe environ
        var variables: [String] = []
        var index = 0
        while let variable = unsafe list[index] {
            if let text = unsafe String(validatingCString: variable) { variables.append(text) }
            index += 1
        }
        return variables
    }

    /// All variables with some set anew.
    static func all(with changes: [(name: String, value: String)]) -> [String] {
        all.filter { variable in !changes.contains { variable.hasPrefix($0.name + "=") } } + changes.map { $0.name + "=" + $0.value }
    }
}
