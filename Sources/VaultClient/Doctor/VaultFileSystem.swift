// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import CSystemShims
internal import Glibc
internal import VaultFormat

/// The file system that a vault lies on.
enum VaultFileSystem {
    /// Nil where the vault's folder cannot be opened.
    static func kind(_ location: VaultLocation) -> FileSystemKind? {
        let path = String(decoding: location.directory, as: UTF8.self)
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        return FileSystemKind(number: vs_file_system_type(folder))
    }
}
