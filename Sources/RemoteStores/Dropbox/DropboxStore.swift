// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

package import SyncProtocol

/// `DropboxStore` is a remote in the folder that Dropbox keeps for an app, by Dropbox's own interface (version 2).
///
/// Contents are checked by Dropbox's hash on both ways, and folders are made by what is put into them. Names of ours
/// are small letters and digits, which Dropbox keeps as they are.
package final class DropboxStore: RemoteStore {
    private let loop: TransferLoop
    private let session: DropboxSession
    private let commits: DropboxCommits
    private let news: DropboxNews
    private let order: StartOrder
    /// The path of the vault's folder, below the app's.
    private let vault: String
    /// Pages of a list, and names on each.
    private static let (pageCountMax, pageNameCount) = (256, 2000)

    package init(_ loop: TransferLoop, _ folder: DropboxFolder, _ order: StartOrder) {
        (self.loop, self.order) = (loop, order)
        vault = (([""] + folder.prefix) + order.folder).joined(separator: "/")
        session = DropboxSession(loop, folder, order)
        commits = DropboxCommits(session, order.limits)
        news = DropboxNews(session, vault, order.limits)
    }

    package let requestCountMax = 12

    package func tellCredential(_ tell: @escaping (borrowing StoreCredential) -> Void) {
        session.whenCredential = { tell($0) }
    }

    package func get(_ name: StoreName, into file: PassedFile, max: Int, _ done: @escaping Done) {
        session.call(
            "files/download", on: .content, #"{"path":\#(JSONAnswer.quoted(path(name)))}"#, .nothing, into: file,
            max: max, seconds: order.limits.seconds(byteCount: max)
        ) { answer in
            if let failure = answer.failure { return done(.failure(failure)) }
            let hash = ContentHash.text(of: file.descriptor, byteCount: answer.byteCount)
            // What comes without a hash, or with another, is no whole file of Dropbox's.
            guard let hash, answer.result?["content_hash"]?.text == hash else {
                return done(.failure(StoreFailure(.malformed, detail: 200)))
            }
            done(.success(answer.byteCount))
        }
    }

    package func put(
        _ name: StoreName, from file: PassedFile, byteCount: Int, digest: [UInt8], _ done: @escaping Done
    ) {
        lookForVault { [self] failure in
            if let failure { return done(.failure(failure)) }
            news.expect(name)
            commits.put(path(name), from: file, byteCount: byteCount, done)
        }
    }

    /// Looks once whether the vault's folder is there, unless it is to be made: puts make folders, and an account that
    /// was emptied, or another one, would take everything.
    private func lookForVault(_ then: @escaping (StoreFailure?) -> Void) {
        guard !order.createsVaultFolder, !hasSeenVault else { return then(nil) }
        waitingForVault.append(then)
        guard waitingForVault.count == 1 else { return }
        session.call(
            "files/get_metadata", #"{"path":\#(JSONAnswer.quoted(vault))}"#, seconds: order.limits.seconds(byteCount: 0)
        ) { [self] answer in
            hasSeenVault = answer.failure == nil
            let failure = answer.failure.map { $0.code == .absent ? StoreFailure(.missing, detail: 409) : $0 }
            let waiting = waitingForVault
            waitingForVault = []
            for then in waiting { then(failure) }
        }
    }

    private var hasSeenVault = false
    private var waitingForVault: [(StoreFailure?) -> Void] = []

    package func list(_ folder: StoreFolder, into file: PassedFile, _ done: @escaping Done) {
        let path = vault + "/" + folder.parts.joined(separator: "/")
        let argument = #"{"path":\#(JSONAnswer.quoted(path)),"recursive":false,"limit":\#(Self.pageNameCount)}"#
        page(1, "files/list_folder", argument, folder, []) { names in
            done(
                names.flatMap { names in
                    Result { () throws(StoreFailure) in try StoreListing.write(names, to: file.descriptor) }
                })
        }
    }

    private func page(
        _ number: Int, _ route: String, _ argument: String, _ folder: StoreFolder, _ before: Set<StoreName>,
        _ done: @escaping (Result<Set<StoreName>, StoreFailure>) -> Void
    ) {
        guard number <= Self.pageCountMax else { return done(.failure(StoreFailure(.tooLarge))) }
        session.call(route, argument, seconds: order.limits.seconds(byteCount: 4 << 20)) { [self] answer in
            if let failure = answer.failure {
                // A folder that is not there has nothing in it.
                return done(failure.code == .absent && number == 1 ? .success([]) : .failure(failure))
            }
            guard let entries = answer.json?["entries"]?.items else { return done(.failure(StoreFailure(.malformed))) }
            var names = before
            for entry in entries where entry.tag == "file" {
                guard let text = entry["name"]?.text, let name = StoreName(folder.area, text), name.folder == folder
                else { continue }
                names.insert(name)
            }
            guard names.count <= StoreFolder.nameCountMax else { return done(.failure(StoreFailure(.tooLarge))) }
            guard answer.json?["has_more"]?.isTrue == true else { return done(.success(names)) }
            guard let cursor = answer.json?["cursor"]?.text, DropboxCommits.isToken(cursor) else {
                return done(.failure(StoreFailure(.malformed)))
            }
            page(number + 1, "files/list_folder/continue", #"{"cursor":"\#(cursor)"}"#, folder, names, done)
        }
    }

    package func delete(_ name: StoreName, _ done: @escaping Done) { commits.remove(path(name), done) }

    package func watch() -> Bool {
        news.begin()
        return true
    }

    package func wait(for channel: Int32) -> Bool {
        news.step()
        if let left = news.millisecondsLeft { loop.turn(channel, milliseconds: left) } else { loop.turn(channel) }
        return news.take()
    }

    private func path(_ name: StoreName) -> String {
        ([vault] + name.folder.parts + [name.text]).joined(separator: "/")
    }
}
