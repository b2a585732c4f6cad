// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto

/// What the results were computed with.
public struct LibraryVersions: Codable, Sendable {
    /// As OpenSSL says at run time.
    public let openSSL: String
    /// Version of the algorithm; the library does not say its release.
    public let argon2: String
    /// File names of the libraries that are loaded, without their directories.
    public let files: [String]

    static func current() -> LibraryVersions {
        LibraryVersions(
            openSSL: CryptoLibraries.openSSL, argon2: "version \(CryptoLibraries.argon2Algorithm) of the algorithm",
            files: loadedFiles(["libcrypto", "libargon2"]))
    }

    /// From the memory map of this process: what was mapped, not what was asked for.
    private static func loadedFiles(_ stems: [String]) -> [String] {
        let descriptor = unsafe open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let map = DescriptorBytes.read(descriptor, byteCountMax: 1 << 20) ?? []
        let names = String(decoding: map, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.split(separator: "/").last.map { String($0) }
        }
        return Set(names.filter { name in stems.contains { name.hasPrefix($0) } }).sorted()
    }
}
