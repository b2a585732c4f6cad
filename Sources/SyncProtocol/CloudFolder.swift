// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `DropboxFolder` is a folder in Dropbox's storage for one app: the app's key, the hosts, and where below the app's
/// folder the vault's lies.
public struct DropboxFolder: Sendable, Equatable {
    /// `Hosts` are the three that Dropbox's interface is spread over. They have one scheme.
    public struct Hosts: Sendable, Equatable {
        /// Takes and gives JSON, and tokens.
        public let api: RemoteAddress
        /// Takes and gives contents of files.
        public let content: RemoteAddress
        /// Says that something has changed.
        public let notify: RemoteAddress

        /// Takes three addresses; nil when one is secure and another is not.
        public init?(api: RemoteAddress, content: RemoteAddress, notify: RemoteAddress) {
            guard api.isSecure == content.isSecure, api.isSecure == notify.isSecure else { return nil }
            (self.api, self.content, self.notify) = (api, content, notify)
        }

        /// Dropbox's own.
        public static let dropbox: Hosts = {
            let names = ["api", "content", "notify"].map { RemoteAddress("https://\($0).dropboxapi.com")! }
            return Hosts(api: names[0], content: names[1], notify: names[2])!
        }()

        public var all: [RemoteAddress] { [api, content, notify] }
    }

    public let hosts: Hosts
    /// What Dropbox calls the app: public, and no secret belongs to it (RFC 7636).
    public let appKey: String
    /// Parts below the app's folder under which the vault's folder lies.
    public let prefix: [String]

    /// Takes the place of a vault; nil for an app key of other characters than letters and digits, and for a prefix
    /// with others than letters, digits, `-`, `.` and `_`.
    public init?(hosts: Hosts = .dropbox, appKey: String, prefix: String = "") {
        let parts =
            prefix.isEmpty ? [] : prefix.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isKey =
            (1...64).contains(appKey.utf8.count)
            && appKey.utf8.allSatisfy { S3Bucket.isPlain($0) && !"-._".utf8.contains($0) }
        guard isKey, parts.allSatisfy(S3Bucket.isPart), prefix.utf8.count <= 512 else { return nil }
        (self.hosts, self.appKey, self.prefix) = (hosts, appKey, parts)
    }
}

/// `RcloneFolder` is a folder that the program rclone reaches.
public struct RcloneFolder: Sendable, Equatable {
    /// The name that the remote has in the configuration rclone is given: its own one is never read.
    public static let remote = "vault"

    /// The full path of the program.
    public let program: String
    /// Which of its backends: `drive`, `iclouddrive`, `sftp` …
    public let backend: String
    /// Where in the remote the vault's folder lies; empty for its top.
    public let path: String

    /// Takes the place of a vault; nil for a program's path that is not absolute, for a backend with other
    /// characters than small letters and digits, and for a path with control characters or parts that are empty, `.` or
    /// `..`.
    public init?(program: String, backend: String, path: String) {
        let parts = path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false)
        guard program.hasPrefix("/"), program.utf8.count <= 4096, program.utf8.allSatisfy({ $0 >= 0x20 }),
            (1...32).contains(backend.utf8.count),
            backend.utf8.allSatisfy({ S3Bucket.isPlain($0) && !(0x41...0x5A).contains($0) && !"-._".utf8.contains($0) }
            ),
            path.utf8.count <= 1024, path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "]") }),
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
        else { return nil }
        (self.program, self.backend, self.path) = (program, backend, path)
    }
}
