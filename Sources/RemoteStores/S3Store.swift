// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
package import SyncProtocol

/// `S3Store` is a remote in a bucket of an S3 server: GET, PUT, DELETE and ListObjectsV2, addressed by path, without
/// conditions.
///
/// libcurl signs (Signature Version 4). Servers agree with its signature under three conditions: the hash of the body
/// is always sent, parameters are in the order of their names, and bodies go as uploads.
package final class S3Store: RemoteStore {
    /// Of nothing: the hash of a request without a body.
    private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    /// Most pages of a list: a server that goes on with short pages for ever is broken.
    private static let pageCountMax = 256

    private let loop: TransferLoop
    private let order: StartOrder
    private let bucket: S3Bucket
    private let signing: TransferLoop.Signing

    package init(_ loop: TransferLoop, _ bucket: S3Bucket, _ order: StartOrder) {
        (self.loop, self.bucket, self.order) = (loop, bucket, order)
        signing = .v4(region: bucket.region)
    }

    package func get(_ name: StoreName, into file: PassedFile, max: Int, _ done: @escaping Done) {
        let seconds = order.limits.seconds(byteCount: max)
        loop.begin(nil, url(name), signing, .file(file, max: max), seconds: seconds, Self.hashOfNothing) {
            done($0.outcome)
        }
    }

    package func put(
        _ name: StoreName, from file: PassedFile, byteCount: Int, digest: [UInt8], _ done: @escaping Done
    ) {
        let seconds = order.limits.seconds(byteCount: byteCount)
        loop.begin(nil, url(name), signing, .none, seconds: seconds) { transfer in
            transfer.upload(file, byteCount: byteCount, isSigned: true)
            let digits = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            transfer.add(header: "x-amz-content-sha256: " + digits)
        } _: { answer in
            // There is nothing that could be absent but the bucket.
            if answer.failure?.code == .absent { return done(.failure(StoreFailure(.missing, detail: 404))) }
            done(answer.outcome.map { _ in 0 })
        }
    }

    package func list(_ folder: StoreFolder, into file: PassedFile, _ done: @escaping Done) {
        let seconds = order.limits.seconds(byteCount: 4 << 20)
        page(1, ListedNames(of: folder), folder, token: nil, until: Self.now + seconds) { names in
            done(
                names.flatMap { names in
                    Result { () throws(StoreFailure) in try StoreListing.write(names.names, to: file.descriptor) }
                })
        }
    }

    /// Asks for one page of a listing, then for the next; all of them share one deadline.
    private func page(
        _ number: Int, _ names: ListedNames, _ folder: StoreFolder, token: [UInt8]?, until deadline: Int,
        _ done: @escaping (Result<ListedNames, StoreFailure>) -> Void
    ) {
        guard number <= Self.pageCountMax else { return done(.failure(StoreFailure(.tooLarge))) }
        guard Self.now < deadline else { return done(.failure(StoreFailure(.timedOut))) }
        names.beginPage()
        let url = bucket.endpoint.text + "/" + bucket.bucket + "/?" + query(folder, token)
        loop.begin(nil, url, signing, .names(names), seconds: deadline - Self.now, Self.hashOfNothing) {
            [self] answer in
            if let failure = answer.failure {
                return done(.failure(failure.code == .absent ? StoreFailure(.missing, detail: 404) : failure))
            }
            guard let next = names.next else { return done(.success(names)) }
            guard next != token else { return done(.failure(StoreFailure(.malformed))) }
            page(number + 1, names, folder, token: next, until: deadline, done)
        }
    }

    package func delete(_ name: StoreName, _ done: @escaping Done) {
        loop.begin(
            "DELETE", url(name), signing, .none, seconds: order.limits.seconds(byteCount: 0), Self.hashOfNothing
        ) { answer in done(answer.failure?.code == .absent ? .success(0) : answer.outcome.map { _ in 0 }) }
    }

    package func watch() -> Bool { false }

    package func wait(for channel: Int32) -> Bool {
        loop.turn(channel)
        return false
    }

    // MARK: Addresses

    private static func hashOfNothing(_ transfer: Transfer) {
        transfer.add(header: "x-amz-content-sha256: " + emptyDigest)
    }

    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }

    private func key(_ folder: StoreFolder) -> String {
        (bucket.prefix + order.folder + folder.parts).joined(separator: "/") + "/"
    }

    private func url(_ name: StoreName) -> String {
        [bucket.endpoint.text, bucket.bucket, key(name.folder) + name.text].joined(separator: "/")
    }

    /// Returns the query of a list, with its names in order, which is what is signed.
    private func query(_ folder: StoreFolder, _ token: [UInt8]?) -> String {
        let continuation = token.map { "continuation-token=" + Self.escaped($0) + "&" } ?? ""
        return continuation + "list-type=2&max-keys=1000&prefix=" + Self.escaped(Array(key(folder).utf8))
    }

    /// Writes everything but the characters that stand for themselves (RFC 3986 §2.3) as `%` and two large digits.
    static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
