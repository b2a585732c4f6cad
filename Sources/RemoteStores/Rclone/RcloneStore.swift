// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SecretMemory
package import SyncProtocol

/// `RcloneStore` is a remote that rclone reaches: Google Drive, iCloud, OneDrive, sftp and some seventy others, by the
/// remote control of a child process.
///
/// What rclone is given for the remote goes over its socket and stays in its memory; what has become of it, since
/// rclone renews tokens, is asked for and told. Source: rclone's reference of its remote control.
package final class RcloneStore: RemoteStore {
    private let session: RcloneSession
    private let loop: TransferLoop
    private let order: StartOrder
    /// How rclone calls the remote. Folders stand in the path: a folder here would be looked for before each request.
    private static let root = RcloneFolder.remote + ":"
    /// The path of the vault's folder.
    private let vault: String

    package init(_ loop: TransferLoop, _ folder: RcloneFolder, _ order: StartOrder) {
        (self.loop, self.order) = (loop, order)
        session = RcloneSession(loop, folder, order.limits)
        vault = ((folder.path.isEmpty ? [] : [folder.path]) + order.folder).joined(separator: "/")
    }

    package let requestCountMax = 8

    package func tellCredential(_ tell: @escaping (borrowing StoreCredential) -> Void) {
        session.whenCredential = { tell($0) }
    }

    package func get(_ name: StoreName, into file: PassedFile, max: Int, _ done: @escaping Done) {
        let parts = path(name.folder).split(separator: "/").map { S3Store.escaped(Array($0.utf8)) }
        let path = "/[" + Self.root + "]/" + parts.joined(separator: "/") + "/" + name.text
        session.call(.get(path, into: file, max: max), seconds: order.limits.seconds(byteCount: max)) { answer in
            done(answer.failure.map { .failure($0) } ?? .success(answer.byteCount))
        }
    }

    package func put(
        _ name: StoreName, from file: PassedFile, byteCount: Int, digest: [UInt8], _ done: @escaping Done
    ) {
        // A body up to this is read whole before it is sent on: its size is known then, no copy of it is put on a disk,
        // and rclone takes as much memory as that.
        let whole = #"{"StreamingUploadCutoff":"\#(byteCount + 1)B"}"#
        let query =
            "fs=" + S3Store.escaped(Array(Self.root.utf8)) + "&remote="
            + S3Store.escaped(Array(path(name.folder).utf8)) + "&_config=" + S3Store.escaped(Array(whole.utf8))
        let upload = RcloneSession.Request.upload(
            "/operations/uploadfile?" + query, file, byteCount: byteCount, name: name.text)
        lookForVault { [self] failure in
            if let failure { return done(.failure(failure)) }
            put(upload, byteCount, done)
        }
    }

    private func put(_ upload: RcloneSession.Request, _ byteCount: Int, _ done: @escaping Done) {
        session.call(upload, seconds: order.limits.seconds(byteCount: byteCount)) { answer in
            // There is nothing that could be absent but the remote's own top.
            done(
                answer.failure.map { .failure($0.code == .absent ? StoreFailure(.missing, detail: 404) : $0) }
                    ?? .success(0))
        }
    }

    package func list(_ folder: StoreFolder, into file: PassedFile, _ done: @escaping Done) {
        let argument =
            #"{"fs":\#(JSONAnswer.quoted(Self.root)),"remote":\#(JSONAnswer.quoted(path(folder))),"#
            + #""opt":{"filesOnly":true,"noModTime":true,"noMimeType":true}}"#
        session.call(.ask("/operations/list", argument), seconds: order.limits.seconds(byteCount: 4 << 20)) { answer in
            if let failure = answer.failure { return done(failure.code == .absent ? .success(0) : .failure(failure)) }
            guard let items = answer.json?["list"]?.items else { return done(.failure(StoreFailure(.malformed))) }
            var names: Set<StoreName> = []
            for item in items {
                guard let text = item["Name"]?.text, let name = StoreName(folder.area, text), name.folder == folder
                else { continue }
                names.insert(name)
            }
            guard names.count <= StoreFolder.nameCountMax else { return done(.failure(StoreFailure(.tooLarge))) }
            done(Result { () throws(StoreFailure) in try StoreListing.write(names, to: file.descriptor) })
        }
    }

    package func delete(_ name: StoreName, _ done: @escaping Done) {
        let argument =
            #"{"fs":\#(JSONAnswer.quoted(Self.root)),"remote":\#(JSONAnswer.quoted(path(name.folder) + "/" + name.text))}"#
        session.call(.ask("/operations/deletefile", argument), seconds: order.limits.seconds(byteCount: 0)) { answer in
            done(answer.failure.map { $0.code == .absent ? .success(0) : .failure($0) } ?? .success(0))
        }
    }

    /// Looks once whether the vault's folder is there, unless it is to be made: puts make folders, and a disk that is
    /// not mounted, or another account, would take everything.
    private func lookForVault(_ then: @escaping (StoreFailure?) -> Void) {
        guard !order.createsVaultFolder, !hasSeenVault else { return then(nil) }
        waitingForVault.append(then)
        guard waitingForVault.count == 1 else { return }
        let argument =
            #"{"fs":\#(JSONAnswer.quoted(Self.root)),"remote":\#(JSONAnswer.quoted(vault)),"opt":{"noModTime":true}}"#
        session.call(.ask("/operations/list", argument), seconds: order.limits.seconds(byteCount: 0)) { [self] answer in
            // A store without folders has an empty one everywhere.
            hasSeenVault = answer.failure == nil
            let failure = answer.failure.map { $0.code == .absent ? StoreFailure(.missing, detail: 404) : $0 }
            let waiting = waitingForVault
            waitingForVault = []
            for then in waiting { then(failure) }
        }
    }

    private var hasSeenVault = false
    private var waitingForVault: [(StoreFailure?) -> Void] = []

    package func watch() -> Bool { false }

    package func wait(for channel: Int32) -> Bool {
        loop.turn(channel, milliseconds: session.millisecondsLeft)
        session.step()
        return false
    }

    package var isOver: Bool { session.isOver }

    private func path(_ folder: StoreFolder) -> String { ([vault] + folder.parts).joined(separator: "/") }
}
