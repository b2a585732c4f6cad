// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// `StoreSettings` says what a remote is and where: all but its credential.
public enum StoreSettings: Sendable, Equatable {
    /// A folder of this machine, whose descriptor comes along.
    case folder
    case webDAV(RemoteAddress)
    case s3(S3Bucket)
    case dropbox(DropboxFolder)
    case rclone(RcloneFolder)

    /// The addresses at which this program reaches it directly; none for a folder, and none where rclone does.
    public var addresses: [RemoteAddress] {
        switch self {
        case .folder, .rclone: []
        case .webDAV(let address): [address]
        case .s3(let bucket): [bucket.endpoint]
        case .dropbox(let folder): folder.hosts.all
        }
    }
}

/// `S3Bucket` is a bucket of an S3 server, addressed by path.
public struct S3Bucket: Sendable, Equatable {
    public let endpoint: RemoteAddress
    public let region: String
    public let bucket: String
    /// Parts below which the vault's folder lies.
    public let prefix: [String]

    /// Takes the address of a bucket; nil for a region or bucket that has other characters than S3 allows, and for a
    /// prefix with other characters than letters, digits, `-`, `.` and `_`: what need not be escaped cannot be escaped
    /// in two ways.
    public init?(endpoint: RemoteAddress, region: String, bucket: String, prefix: String = "") {
        let parts =
            prefix.isEmpty ? [] : prefix.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !region.isEmpty, region.utf8.count <= 64, region.utf8.allSatisfy({ Self.isPlain($0) && $0 != 0x2E }),
            (3...63).contains(bucket.utf8.count), Self.isPart(bucket), parts.allSatisfy(Self.isPart),
            prefix.utf8.count <= 512
        else { return nil }
        (self.endpoint, self.region, self.bucket, self.prefix) = (endpoint, region, bucket, parts)
    }

    static func isPart(_ part: String) -> Bool {
        !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy(isPlain)
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._".utf8.contains(byte)
        }
    }
}

/// `StoreLimits` says how long a request may take.
public struct StoreLimits: Sendable, Equatable {
    /// Seconds until there is a connection.
    public var connectSeconds: UInt32 = 15
    /// Seconds after which a request has failed that moved less than `leastRate` meanwhile.
    public var idleSeconds: UInt32 = 30
    /// Bytes a second.
    public var leastRate: UInt32 = 1024
    /// Seconds for a request, whatever moves; each 16 KiB of the largest body that it may have add one.
    public var requestSeconds: UInt32 = 60

    public init() {}

    /// Returns the deadline of a request with a body of up to `byteCount` bytes, in seconds.
    public func seconds(byteCount: Int) -> Int { Int(requestSeconds) + max(0, byteCount) / (16 << 10) }
}

/// `StartOrder` is what `vault-sync` is started with: one remote of one vault.
public struct StartOrder: Sendable, Equatable {
    /// Of PEM certificates, in bytes.
    public static let certificateByteCountMax = 64 << 10

    /// 16 bytes: the vault's ID, or a copy's.
    public var vault: [UInt8]
    public var settings: StoreSettings
    /// Makes the vault's folder on the remote if it is missing: for a remote that is being added. Otherwise a remote
    /// without that folder is `missing`: an empty mount point is no remote.
    public var createsVaultFolder = false
    /// The credential is what somebody has just got for signing in: `vault-sync` exchanges it for one that lasts, and
    /// tells that.
    public var signsIn = false
    public var limits = StoreLimits()
    /// PEM certificates that vouch for the server in place of the system's; empty for the system's.
    public var certificates: [UInt8] = []

    /// Makes the order for one remote of a vault.
    ///
    /// - Parameter vault: the vault's ID, or the copy's of a copy: 16 bytes.
    public init(vault: [UInt8], settings: StoreSettings) {
        precondition(vault.count == 16, "a vault's ID has 16 bytes")
        (self.vault, self.settings) = (vault, settings)
    }

    /// The parts of the path of the vault's folder, below the remote's root: the format's name and the vault's ID.
    public var folder: [String] {
        [Self.formatFolder, hexadecimal(vault)]
    }

    /// The folder of the format's first version.
    public static let formatFolder = "notevault-1"
}
