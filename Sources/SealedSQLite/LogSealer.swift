// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultCrypto

/// `LogSealer` seals the write-ahead log. SQLite writes frame headers with a running checksum of plaintext, so the
/// whole frame is sealed, its header included (docs/sealed-sqlite.md §1).
///
/// ```
/// log header   72 bytes at 0:           nonce 24 | ciphertext 32 | tag 16
/// frame i      4120 bytes at 72+4120i:  nonce 24 | ciphertext of 24 header + 4056 page bytes | tag 16
/// ```
/// Associated data: binding | log salt of the manifest | frame number from 1 (0 for the header) | eight zeros. So no
/// frame opens in another place, and each can be read where the log's header is lost. Frames of earlier programs have
/// the salts of SQLite's own log header in the place of the zeros; they are read as well. Spec: docs/format.md §12.
final class LogSealer {
    static let headerByteCount = 32
    static let frameHeaderByteCount = 24
    static let frameByteCount = 4120
    static let sealedHeaderByteCount = 72
    static let contentByteCount = frameHeaderByteCount + PageFile.usableByteCount

    private let sealer: XAES256GCM
    private let nonces: NoncePool
    private let binding: [UInt8]
    private var associatedData: [UInt8] = []
    private var numberAt = 0
    /// The salts in the log's header, once it was opened.
    private var headerSalts: [UInt8]?
    /// Whether frames of this log were written by an earlier program.
    private var isBoundToHeader = false

    /// Makes a sealer for a log with this salt.
    ///
    /// - Parameter salt: 32 bytes from the manifest.
    init(key: SymmetricKey, binding: [UInt8], salt: [UInt8], nonces: NoncePool) throws(CryptoError) {
        sealer = try XAES256GCM(key)
        self.binding = binding
        self.nonces = nonces
        renew(salt: salt)
    }

    /// Begins another log: only while the old one's length is 0 (docs/sealed-sqlite.md §14).
    func renew(salt: [UInt8]) {
        associatedData = binding + salt
        numberAt = associatedData.count
        associatedData += [UInt8](repeating: 0, count: 8 + 8)
        (headerSalts, isBoundToHeader) = (nil, false)
    }

    func sealHeader(_ header: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
        (headerSalts, isBoundToHeader) = (nil, false)
        return unsafe seal(header, number: 0, into: target)
    }
    func openHeader(_ sealed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
        guard unsafe open(sealed, number: 0, into: target) else { return false }
        headerSalts = unsafe Array(UnsafeRawBufferPointer(target)[16..<24])
        return true
    }
    /// Seals one frame, and returns whether that succeeded.
    ///
    /// - Parameter content: frame header and page, 4,080 bytes.
    func sealFrame(_ content: UnsafeRawBufferPointer, index: Int, into target: UnsafeMutableRawBufferPointer) -> Bool {
        unsafe seal(content, number: UInt64(index) + 1, into: target)
    }
    func openFrame(_ sealed: UnsafeRawBufferPointer, index: Int, into target: UnsafeMutableRawBufferPointer) -> Bool {
        let number = UInt64(index) + 1
        if unsafe open(sealed, number: number, isBoundToHeader, into: target) { return true }
        // One log is one program's: which way it was bound is learned once.
        guard headerSalts != nil, unsafe open(sealed, number: number, !isBoundToHeader, into: target) else {
            return false
        }
        isBoundToHeader.toggle()
        return true
    }

    private func place(_ number: UInt64, _ toHeader: Bool) {
        for index in 0..<8 {
            associatedData[numberAt + index] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index))
            associatedData[numberAt + 8 + index] = toHeader ? headerSalts?[index] ?? 0 : 0
        }
    }

    private func seal(
        _ content: UnsafeRawBufferPointer, number: UInt64, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let nonce = unsafe UnsafeMutableRawBufferPointer(rebasing: target[0..<24])
        let end = 24 + content.count
        guard unsafe nonces.take(into: nonce) else { return false }
        place(number, isBoundToHeader)
        return unsafe associatedData.withUnsafeBytes { data in
            do {
                try unsafe sealer.seal(
                    nonce: UnsafeRawBufferPointer(nonce), associatedData: data, content,
                    into: UnsafeMutableRawBufferPointer(rebasing: target[24..<end]),
                    tag: UnsafeMutableRawBufferPointer(rebasing: target[end..<end + 16]))
                return true
            } catch { return false }
        }
    }

    private func open(
        _ sealed: UnsafeRawBufferPointer, number: UInt64, _ toHeader: Bool = false,
        into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let end = 24 + target.count
        place(number, toHeader)
        return unsafe associatedData.withUnsafeBytes { data in
            do {
                try unsafe sealer.open(
                    nonce: UnsafeRawBufferPointer(rebasing: sealed[0..<24]), associatedData: data,
                    UnsafeRawBufferPointer(rebasing: sealed[24..<end]),
                    tag: UnsafeRawBufferPointer(rebasing: sealed[end..<end + 16]), into: target)
                return true
            } catch { return false }
        }
    }
}
