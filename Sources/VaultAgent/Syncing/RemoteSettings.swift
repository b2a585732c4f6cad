// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SyncProtocol
internal import VaultFormat

/// `RemoteSettings` says where a remote is, and of which vault, as the index keeps it.
///
///     UInt8 version (1, 2 of a paused one, 3 while a pairing code is to be met, 4 with flags)
///     ‖ with version 3: flag paused, point 44 (PairedPoint)
///     ‖ with version 4: UInt8 flags (1 paused, 2 append-only, 4 a point follows), point 44, Int64 signed in
///     ‖ vault or copy 16 ‖ UInt8 kind (1 folder, 2 WebDAV, 3 S3, 4 Dropbox, 5 rclone)
///     ‖ folder: path ‖ WebDAV: address ‖ S3: endpoint, region, bucket, prefix ‖ Dropbox: addresses of api, content and
///     notify, app key, prefix ‖ rclone: program, backend, path
///
/// Texts and byte strings have their length as UInt32 before them.
struct RemoteSettings: Equatable {
    enum Place: Equatable {
        /// The full path of a folder of this machine.
        case folder([UInt8])
        case webDAV(RemoteAddress)
        case s3(S3Bucket)
        case dropbox(DropboxFolder)
        case rclone(RcloneFolder)
    }

    /// 16 bytes: which vault, or which copy of one, lies there.
    let vault: [UInt8]
    let place: Place
    /// Nothing is read or sent over it.
    var isPaused = false
    /// Nothing is ever removed from it, which its store may not even allow.
    var isAppendOnly = false
    /// When its owner has signed in last, in milliseconds since 1970, UTC; 0 where that says nothing.
    var signedIn: Int64 = 0
    /// What a pairing code has named, until it was read: before that the remote is not believed to be whole.
    var point: PairedPoint?

    init(_ place: Place, of identity: VaultIdentity) { self.init(place, vault: identity.name) }

    /// Makes the settings of a remote.
    ///
    /// - Parameter vault: 16 bytes.
    init(_ place: Place, vault: [UInt8]) { (self.place, self.vault) = (place, vault) }

    /// Reads the settings as the index keeps them.
    ///
    /// - Throws: `FormatError` for anything that `encoded` does not give.
    init(parsing bytes: [UInt8]) throws(FormatError) {
        var reader = ByteReader(bytes)
        switch try reader.u8() {
        case 1: break
        // A program of before, which knows nothing of it, does not go on as if nothing had been said.
        case 2: isPaused = true
        case 3:
            isPaused = try reader.flag()
            point = try PairedPoint(from: &reader)
        case 4:
            let flags = try reader.u8()
            guard flags < 8 else { throw FormatError(.notCanonical, offset: 1) }
            (isPaused, isAppendOnly) = (flags & 1 != 0, flags & 2 != 0)
            if flags & 4 != 0 { point = try PairedPoint(from: &reader) }
            signedIn = try reader.i64()
        default: throw FormatError(.unknownVersion, offset: 0)
        }
        vault = try reader.bytes(16)
        switch try reader.u8() {
        case 1: place = .folder(try reader.lengthPrefixed(max: 4096))
        case 2:
            guard let address = RemoteAddress(try reader.text(max: RemoteAddress.byteCountMax)) else {
                throw FormatError(.notCanonical, offset: 18)
            }
            place = .webDAV(address)
        case 3:
            guard let endpoint = RemoteAddress(try reader.text(max: RemoteAddress.byteCountMax)) else {
                throw FormatError(.notCanonical, offset: 18)
            }
            let (region, bucket) = (try reader.text(max: 64), try reader.text(max: 63))
            guard
                let value = S3Bucket(
                    endpoint: endpoint, region: region, bucket: bucket, prefix: try reader.text(max: 512))
            else { throw FormatError(.notCanonical, offset: 18) }
            place = .s3(value)
        case 4: place = .dropbox(try DropboxFolder(parsing: &reader))
        case 5: place = .rclone(try RcloneFolder(parsing: &reader))
        default: throw FormatError(.unknownKind, offset: 17)
        }
        try reader.end()
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        if isAppendOnly || signedIn != 0 {
            writer.u8(4)
            writer.u8((isPaused ? 1 : 0) | (isAppendOnly ? 2 : 0) | (point == nil ? 0 : 4))
            point?.write(to: &writer)
            writer.i64(signedIn)
        } else if let point {
            writer.u8(3)
            writer.flag(isPaused)
            point.write(to: &writer)
        } else {
            writer.u8(isPaused ? 2 : 1)
        }
        writer.raw(vault)
        switch place {
        case .folder(let path):
            writer.u8(1)
            writer.lengthPrefixed(path)
        case .webDAV(let address):
            writer.u8(2)
            writer.text(address.text)
        case .s3(let bucket):
            writer.u8(3)
            writer.text(bucket.endpoint.text)
            writer.text(bucket.region)
            writer.text(bucket.bucket)
            writer.text(bucket.prefix.joined(separator: "/"))
        case .dropbox(let folder):
            writer.u8(4)
            folder.encode(&writer)
        case .rclone(let folder):
            writer.u8(5)
            folder.encode(&writer)
        }
        return writer.bytes
    }

    /// What `vault-sync` is started with.
    var order: StartOrder {
        let settings: StoreSettings =
            switch place {
            case .folder: .folder
            case .webDAV(let address): .webDAV(address)
            case .s3(let bucket): .s3(bucket)
            case .dropbox(let folder): .dropbox(folder)
            case .rclone(let folder): .rclone(folder)
            }
        return StartOrder(vault: vault, settings: settings)
    }

    /// The kind in one word, and where it is, for people.
    var words: (kind: String, place: String) {
        switch place {
        case .folder(let path): ("folder", String(decoding: path, as: UTF8.self))
        case .webDAV(let address): ("webdav", address.text)
        case .s3(let bucket):
            ("s3", ([bucket.endpoint.text, bucket.bucket] + bucket.prefix).joined(separator: "/"))
        case .dropbox(let folder): ("dropbox", folder.words)
        case .rclone(let folder): ("rclone", folder.words)
        }
    }
}

extension DropboxFolder {
    /// The app's key and the folder in it, as commands take it.
    var words: String { ([appKey] + prefix).joined(separator: "/") }
}

extension RcloneFolder {
    /// The backend and the path, as commands take it.
    var words: String { backend + ":" + path }
}

extension RemoteSettings.Place {
    /// Whether its store says by itself that something has changed.
    var tellsNews: Bool {
        switch self {
        case .folder, .dropbox: true
        case .webDAV, .s3, .rclone: false
        }
    }
}

extension RemoteSettings {
    /// How long a sign-in lasts where its end is known, in milliseconds: Apple's, by rclone's page of iCloud Drive.
    private static let iCloudLifetime: Int64 = 30 * 86_400_000

    /// When the owner has to sign in again, in milliseconds since 1970, UTC; 0 where nobody can say.
    var signInEnds: Int64 {
        guard signedIn != 0, case .rclone(let folder) = place, folder.backend == "iclouddrive" else { return 0 }
        return signedIn + Self.iCloudLifetime
    }
}
