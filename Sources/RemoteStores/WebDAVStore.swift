// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

package import SyncProtocol

/// `WebDAVStore` is a remote on a WebDAV server (RFC 4918), of which GET, PUT, DELETE, MKCOL and PROPFIND are used,
/// without conditions.
///
/// A folder is made before the first file is put into it: a PUT into one that is missing is 409, 404 or 500, as the
/// server likes. Which folders there are is remembered as long as this process lives. Those that every vault has are
/// made with the vault's, and taken to be there later, until the server shows that one is not.
package final class WebDAVStore: RemoteStore {
    private let loop: TransferLoop
    private let order: StartOrder
    /// The address of the vault's folder.
    private let vault: String
    /// Addresses of folders that are there.
    private var made: Set<String> = []
    /// Those of them that nobody has seen in this process.
    private var supposed: Set<String> = []
    /// What waits for a folder that is being made.
    private var making: [String: [(StoreFailure?) -> Void]] = [:]

    package init(_ loop: TransferLoop, _ root: RemoteAddress, _ order: StartOrder) {
        (self.loop, self.order) = (loop, order)
        vault = ([root.text] + order.folder).joined(separator: "/")
        // It is there, or nothing can be done about it.
        made = [root.text]
        guard !order.createsVaultFolder else { return }
        made.formUnion([root.text + "/" + StartOrder.formatFolder, vault])
        supposed = Set(Self.common.map { vault + "/" + $0 })
        made.formUnion(supposed)
    }

    /// Folders that every vault has.
    private static let common = [StoreArea.header, .card, .segment].map(\.letter)

    package func get(_ name: StoreName, into file: PassedFile, max: Int, _ done: @escaping Done) {
        loop.begin(
            nil, url(name), .basic, .file(file, max: max), seconds: order.limits.seconds(byteCount: max), { _ in }
        ) { done($0.outcome) }
    }

    package func put(
        _ name: StoreName, from file: PassedFile, byteCount: Int, digest: [UInt8], _ done: @escaping Done
    ) {
        makeAll(url(name.folder)) { [self] failure in
            if let failure { return done(.failure(failure)) }
            let isSupposed = supposed.contains(url(name.folder))
            let seconds = order.limits.seconds(byteCount: byteCount)
            loop.begin(nil, url(name), .basic, .none, seconds: seconds) { transfer in
                transfer.upload(file, byteCount: byteCount, isSigned: false)
            } _: { [self] answer in
                guard let failure = answer.failure else { return done(.success(0)) }
                // It was never there.
                if isSupposed, [404, 409, 500].contains(answer.status) {
                    forget(url(name.folder))
                    return put(name, from: file, byteCount: byteCount, digest: digest, done)
                }
                // The folder went meanwhile, or the whole remote.
                let isGone = [404, 409].contains(answer.status)
                if isGone { made.remove(url(name.folder)) }
                done(.failure(isGone ? StoreFailure(.missing, detail: failure.detail) : failure))
            }
        }
    }

    package func list(_ folder: StoreFolder, into file: PassedFile, _ done: @escaping Done) {
        let names = ListedNames(of: folder)
        names.beginMultistatus()
        let seconds = order.limits.seconds(byteCount: 4 << 20)
        loop.begin("PROPFIND", url(folder) + "/", .basic, .names(names), seconds: seconds) { transfer in
            transfer.add(header: "Depth: 1")
            transfer.add(header: "Content-Type: application/xml")
            transfer.send(Self.question)
        } _: { answer in
            if answer.failure?.code == .absent { return done(.success(0)) }
            if let failure = answer.failure { return done(.failure(failure)) }
            // Another 2xx is a page for people.
            guard answer.status == 207 else { return done(.failure(StoreFailure(.malformed))) }
            done(Result { () throws(StoreFailure) in try StoreListing.write(names.names, to: file.descriptor) })
        }
    }

    package func delete(_ name: StoreName, _ done: @escaping Done) {
        loop.begin(
            "DELETE", url(name), .basic, .none, seconds: order.limits.seconds(byteCount: 0), { _ in }
        ) { answer in done(answer.failure?.code == .absent ? .success(0) : answer.outcome.map { _ in 0 }) }
    }

    package func watch() -> Bool { false }

    package func wait(for channel: Int32) -> Bool {
        loop.turn(channel)
        return false
    }

    // MARK: Folders

    /// The shortest question that makes a server name what is in a folder.
    private static let question =
        #"<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>"#

    private func url(_ folder: StoreFolder) -> String { ([vault] + folder.parts).joined(separator: "/") }
    private func url(_ name: StoreName) -> String { url(name.folder) + "/" + name.text }

    /// Makes a folder, and where the vault's is being made those that every vault has.
    private func makeAll(_ folder: String, _ then: @escaping (StoreFailure?) -> Void) {
        let wanted = order.createsVaultFolder ? Self.common.map { vault + "/" + $0 } + [folder] : [folder]
        var (left, failed) = (wanted.count, StoreFailure?.none)
        for one in wanted {
            make(one) { failure in
                (left, failed) = (left - 1, failed ?? failure)
                if left == 0 { then(failed) }
            }
        }
    }

    /// Makes a folder and those above it, each once.
    private func make(_ folder: String, _ then: @escaping (StoreFailure?) -> Void) {
        if made.contains(folder) { return then(nil) }
        making[folder, default: []].append(then)
        guard making[folder]?.count == 1 else { return }
        guard let slash = folder.lastIndex(of: "/") else { return end(folder, StoreFailure(.missing)) }
        let above = String(folder[..<slash])
        make(above) { [self] failure in
            if let failure { return end(folder, failure) }
            let seconds = order.limits.seconds(byteCount: 0)
            loop.begin("MKCOL", folder + "/", .basic, .none, seconds: seconds, { _ in }) { [self] answer in
                switch answer.status {
                // Made, or there already.
                case 200..<300, 405: end(folder, nil)
                case 404 where supposed.contains(above), 409 where supposed.contains(above):
                    forget(above)
                    let waiting = making.removeValue(forKey: folder) ?? []
                    for then in waiting { make(folder, then) }
                // The one above is not there.
                case 404, 409: end(folder, StoreFailure(.missing, detail: Int32(clamping: answer.status)))
                default: end(folder, answer.failure)
                }
            }
        }
    }

    private func forget(_ folder: String) {
        supposed.remove(folder)
        made.remove(folder)
    }

    private func end(_ folder: String, _ failure: StoreFailure?) {
        if failure == nil { made.insert(folder) }
        for then in making.removeValue(forKey: folder) ?? [] { then(failure) }
    }
}

extension Transfer.Answer {
    /// What a verb answers.
    var outcome: Result<Int, StoreFailure> { failure.map { .failure($0) } ?? .success(byteCount) }
}
