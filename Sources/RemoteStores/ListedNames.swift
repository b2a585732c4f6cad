// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

package import SyncProtocol

/// `ListedNames` finds the names of ours in what a server lists, which may be anything: names with `../`, without end,
/// twice, with zeros.
///
/// Only the last part of a path counts, and only in its one form; where it is said to lie is not believed. Others are
/// passed over: a folder may hold what is not ours.
package final class ListedNames {
    /// `Dialect` says what a server says besides names.
    private enum Dialect: String {
        case multistatus
        case bucket = "ListBucketResult"
    }

    /// All bytes of a listing's answers together.
    static let byteCountMax = 48 << 20

    package private(set) var names: Set<StoreName> = []
    /// The server listed more than it may.
    package private(set) var isTooLarge = false
    /// An S3 server's word for where the next page begins; nil at the end.
    package private(set) var next: [UInt8]?
    private let folder: StoreFolder
    private var reader: XMLReader?
    private var isTruncated = false
    private var token: [UInt8] = []
    private var byteCount = 0

    package init(of folder: StoreFolder) { self.folder = folder }

    /// Begins an answer to PROPFIND.
    package func beginMultistatus() { begin(.multistatus) }

    /// Begins a page of a bucket.
    package func beginPage() { begin(.bucket) }

    private func begin(_ dialect: Dialect) {
        (isTruncated, token, next) = (false, [], nil)
        reader = XMLReader { [unowned self] path, text in take(path, text, dialect) }
    }

    /// Reads the next bytes of an answer; returns false for what cannot be read, or is too large.
    package func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        byteCount += bytes.count
        if byteCount > Self.byteCountMax { isTooLarge = true }
        return unsafe !isTooLarge && reader?.read(bytes) == true
    }

    /// Reads the same, of an array.
    package func read(_ bytes: [UInt8]) -> Bool { unsafe bytes.withUnsafeBytes { unsafe read($0) } }

    /// Ends an answer, and keeps the token of the next one if the list goes on; returns false unless the answer was
    /// whole.
    package func finish() -> Bool {
        guard reader?.finish() == true else { return false }
        reader = nil
        if isTruncated, !token.isEmpty { next = token }
        return !isTruncated || next != nil
    }

    private func take(_ path: [String], _ text: [UInt8], _ dialect: Dialect) -> Bool {
        // Another document, such as a page for people, is no empty listing.
        guard path.first == dialect.rawValue else { return false }
        switch dialect {
        case .multistatus:
            if path == ["multistatus", "response", "href"] { take(text) }
        case .bucket:
            switch path {
            case ["ListBucketResult", "Contents", "Key"]: take(text)
            case ["ListBucketResult", "IsTruncated"]: isTruncated = text.elementsEqual("true".utf8)
            case ["ListBucketResult", "NextContinuationToken"]: token = text
            default: break
            }
        }
        return !isTooLarge
    }

    private func take(_ path: [UInt8]) {
        let last = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path[...]
        guard let name = StoreName(folder.area, last), name.folder == folder else { return }
        names.insert(name)
        if names.count > StoreFolder.nameCountMax { isTooLarge = true }
    }
}

/// `RefusalCode` is the `Code` in an S3 server's word on why it refused.
final class RefusalCode {
    static let byteCountMax = 64 << 10

    private(set) var code = ""
    private var reader: XMLReader?
    private var byteCount = 0

    init() {
        reader = XMLReader { [unowned self] path, text in
            if path == ["Error", "Code"], text.count <= 64 { code = String(decoding: text, as: UTF8.self) }
            return true
        }
    }

    /// Reads the next bytes of an answer, and returns whether more of it is wanted.
    func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        byteCount += bytes.count
        return unsafe byteCount <= Self.byteCountMax && reader?.read(bytes) == true
    }
}
