// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import SyncProtocol
import Testing
import VaultTesting

/// Each kind of remote that the conformance suite runs over. Those that are slow to install are run by `make audit`,
/// which sets VAULT_STORES=all.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case folder, nginx, apache, seaweedfs, signed, dropbox, rclone
    case wsgidav, rcloneWebDAV = "rclone-webdav", moto, rcloneS3 = "rclone-s3", openstack
    case given

    static let quick: [StoreKind] = [
        .folder, .nginx, .apache, .seaweedfs, .signed, .dropbox, .rclone,
    ]
    private static let environment = ProcessInfo.processInfo.environment
    /// A server that somebody else has started: `VAULT_S3="http://127.0.0.1:8460 KEY SECRET BUCKET"`.
    static let givenServer = environment["VAULT_S3"]?.split(separator: " ").map(String.init)
    static let chosen =
        givenServer != nil ? [.given] : environment["VAULT_STORES"] == "all" ? allCases.filter { $0 != .given } : quick

    var testDescription: String { rawValue }

    var isWebDAV: Bool {
        switch self {
        case .nginx, .apache, .wsgidav, .rcloneWebDAV: true
        case .folder, .dropbox, .rclone, .seaweedfs, .signed, .moto, .rcloneS3, .openstack, .given: false
        }
    }
}

/// A remote with its server or its folder.
final class StoreWorld: @unchecked Sendable {
    static let vault: [UInt8] = (0..<16).map { 0xA0 + $0 }

    let kind: StoreKind
    let server: StoreServer?
    let folder: TemporaryFolder?

    init(_ kind: StoreKind) throws {
        self.kind = kind
        // rclone reaches a server that the others reach by themselves.
        let name = kind == .rclone ? StoreKind.nginx.rawValue : kind.rawValue
        server = kind == .folder || kind == .given ? nil : try StoreServer(name)
        folder = kind == .folder ? TemporaryFolder() : nil
    }

    private var given: [String]? { kind == .given ? StoreKind.givenServer : nil }

    func order(creates: Bool = true) throws -> StartOrder {
        var order = StartOrder(vault: Self.vault, settings: try settings())
        order.createsVaultFolder = creates
        return order
    }

    private func settings() throws -> StoreSettings {
        if let given {
            return .s3(S3Bucket(endpoint: RemoteAddress(given[0])!, region: "us-east-1", bucket: given[3])!)
        }
        guard let server else { return .folder }
        if kind == .dropbox {
            let address = RemoteAddress(server.url)!
            let hosts = DropboxFolder.Hosts(api: address, content: address, notify: address)!
            return .dropbox(DropboxFolder(hosts: hosts, appKey: server.keys[0], prefix: "my/notes.d")!)
        }
        if kind == .rclone {
            return .rclone(RcloneFolder(program: Rclone.program, backend: "webdav", path: "notes/with rclone")!)
        }
        guard !kind.isWebDAV else { return .webDAV(RemoteAddress(server.url + "/notes")!) }
        return .s3(
            S3Bucket(
                endpoint: RemoteAddress(server.url)!, region: "us-east-1", bucket: server.bucket, prefix: "my/notes.d")!
        )
    }

    func remote(creates: Bool = true) throws -> Remote {
        if let server, kind == .dropbox { return try Remote(order(creates: creates), "", server.keys[1]) }
        if let server, kind == .rclone { return try Remote(order(creates: creates), "", Rclone.section(of: server)) }
        let credential = given.map { Array($0[1...2]) } ?? (kind.isWebDAV ? server?.password : server?.keys)
        return try Remote(order(creates: creates), folder: folder?.url, credential?[0] ?? "", credential?[1] ?? "")
    }
}

/// rclone, as `Scripts/setup.sh` installs it.
enum Rclone {
    static let program = Repository.root.appending(path: "bench-out/venv/bin/rclone").path

    /// What opens a WebDAV server, as rclone keeps it.
    static func section(of server: StoreServer) throws -> String {
        let obscured = try ProgramRun(URL(filePath: program), ["obscure", server.password[1]]).text
        let members = [
            "type": "webdav", "vendor": "other", "url": server.url, "user": server.password[0],
            "pass": obscured.trimmingCharacters(in: .whitespacesAndNewlines),
        ]
        return String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
    }
}
