// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc

/// `Environment` reads environment variables.
public enum Environment {
    /// Returns the value as bytes; nil when it is not set.
    public static func bytes(_ name: String) -> [UInt8]? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// Returns the value as text; nil when it is not set or not UTF-8.
    public static func text(_ name: String) -> String? { bytes(name).flatMap { String(validating: $0, as: UTF8.self) } }

    /// All variables as `NAME=value`, for programs of the person's own choice. What is not UTF-8 is left out.
    public static var all: [String] {
        let list = unsafe environ
        var variables: [String] = []
        var index = 0
        while let variable = unsafe list[index] {
            if let text = unsafe String(validatingCString: variable) { variables.append(text) }
            index += 1
        }
        return variables
    }

    /// Returns all variables with some replaced or added.
    public static func all(with changes: [(name: String, value: String)]) -> [String] {
        all.filter { variable in !changes.contains { variable.hasPrefix($0.name + "=") } }
            + changes.map { $0.name + "=" + $0.value }
    }
}
