// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto

/// `PageFile` is the database file: each 4,096-byte page sealed in place.
///
/// ```
/// offset  size  field
///      0  4056  ciphertext of the page's usable bytes
///   4056    24  nonce
///   4080    16  tag
/// ```
/// SQLite reserves the last 40 bytes of each page for us; in memory they are zero. The associated data is the binding
/// and the page's number, so a page opens only in its own place. Spec: docs/format.md §11.
final class PageFile {
    static let pageByteCount = 4096
    static let usableByteCount = 4056

    /// The page that holds SQLite's lock bytes, at 1 GiB: it is never read or written, and stays a hole of zeros
    /// (sqlite.org/fileformat2.html §1.4).
    static let lockBytePage: UInt32 = (1 << 30) / 4096 + 1

    let file: RawFile
    /// Of what the log holds.
    let room: PageRoom
    private let sealer: XAES256GCM
    private let nonces: NoncePool
    private var associatedData: [UInt8]
    private var buffer = [UInt8](repeating: 0, count: pageByteCount)
    /// What is read is of that moment, and nothing is written.
    private let moment: PageSnapshot?
    /// The readers of the file as it was.
    private var readers: [WeakSnapshot] = []
    /// Says which tag each page must have; nil while nothing vouches for pages.
    var map: PageMap?

    private struct WeakSnapshot { weak var snapshot: PageSnapshot? }

    init(
        file: RawFile, key: SymmetricKey, binding: [UInt8], nonces: NoncePool, moment: PageSnapshot? = nil,
        map: PageMap? = nil
    ) throws(CryptoError) {
        self.file = file
        room = PageRoom(file)
        self.map = map
        self.moment = moment
        self.nonces = nonces
        sealer = try XAES256GCM(key)
        associatedData = binding + [0, 0, 0, 0]
    }

    var byteCount: Int { moment.map { $0.pageCount * Self.pageByteCount } ?? file.byteCount }

    var lossOfMoment: SealedSQLiteError? { moment?.failure }

    /// Keeps each page in it, from now on, before it is overwritten.
    func add(_ snapshot: PageSnapshot) {
        readers.removeAll { $0.snapshot == nil }
        readers.append(WeakSnapshot(snapshot: snapshot))
    }

    func truncate(to byteCount: Int) -> Bool {
        room.cut()
        for reader in readers { reader.snapshot?.keep(after: byteCount / Self.pageByteCount, from: file) }
        guard forgetTags(after: byteCount / Self.pageByteCount) else { return false }
        return file.truncate(to: byteCount)
    }

    /// Removes the tags of pages that are cut off from the map. A file that is emptied into keeps its size as a rule.
    private func forgetTags(after count: Int) -> Bool {
        guard let map else { return true }
        for number in count..<max(count, file.byteCount / Self.pageByteCount) {
            let page = UInt32(clamping: number + 1)
            guard map.has(page) else { continue }
            guard map.beginChange(of: page) == .fits else { return false }
            map.change(page, to: .none)
        }
        return true
    }

    /// Returns a page as it lies there, or lay there at that moment, with what the map says of it; fewer bytes only at
    /// the end, nil on an error.
    func readSealed(
        _ number: UInt32, into target: UnsafeMutableRawBufferPointer
    ) -> (count: Int?, verdict: PageMap.Verdict) {
        if let moment { return unsafe moment.read(number, from: file, into: target) }
        let got = unsafe file.read(into: target, at: Int(number - 1) * Self.pageByteCount)
        guard let map, number != Self.lockBytePage else { return (got, .fits) }
        guard got == Self.pageByteCount else { return (got, got == 0 && map.has(number) ? .differs : .fits) }
        return (got, unsafe map.verdict(number, tag: PageTag(ofSealed: target)))
    }

    /// Seals what a log's frame holds of a page for the page's own place.
    ///
    /// - Parameter usable: 4,056 bytes.
    func keep(_ number: UInt32, _ usable: ArraySlice<UInt8>, in snapshot: PageSnapshot) -> Bool {
        place(number)
        return unsafe usable.withUnsafeBytes { page in
            unsafe buffer.withUnsafeMutableBytes { sealed in
                unsafe associatedData.withUnsafeBytes { data in
                    guard unsafe seal(page, data, into: sealed) else { return false }
                    unsafe snapshot.keep(number, UnsafeRawBufferPointer(sealed))
                    return true
                }
            }
        }
    }

    /// A `ReadResult` is the result of a read, as SQLite's codes have it.
    enum ReadResult {
        case whole
        /// Past the end: the target was zero-filled.
        case short
        case notAuthentic
        /// It opens, or nothing proves it, and the map says that another one belongs there.
        case old
        case failed
    }

    /// Opens page `number` (from 1) into `target`, 4,096 bytes.
    func readPage(_ number: UInt32, into target: UnsafeMutableRawBufferPointer) -> ReadResult {
        let (read, verdict) = unsafe buffer.withUnsafeMutableBytes { unsafe readSealed(number, into: $0) }
        guard let got = read, verdict != .failed else { return .failed }
        guard got == Self.pageByteCount else {
            unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
            return got == 0 && verdict == .fits ? .short : .notAuthentic
        }
        place(number)
        let opened = unsafe buffer.withUnsafeBytes { sealed in
            unsafe associatedData.withUnsafeBytes { data in unsafe open(sealed, data, into: target) }
        }
        guard opened else { return .notAuthentic }
        guard verdict != .fits else { return .whole }
        // Nobody is shown what does not belong there.
        unsafe explicit_bzero(target.baseAddress!, target.count)
        return .old
    }

    /// Returns whether the sealed bytes of a page open in its place; what they hold is wiped.
    func opens(_ number: UInt32, _ sealed: UnsafeRawBufferPointer) -> Bool {
        place(number)
        return unsafe withUnsafeTemporaryAllocation(byteCount: Self.pageByteCount, alignment: 16) { page in
            defer { unsafe explicit_bzero(page.baseAddress!, page.count) }
            return unsafe associatedData.withUnsafeBytes { data in unsafe open(sealed, data, into: page) }
        }
    }

    /// Returns whether nothing was ever written in the place of a page.
    func isHole(_ number: UInt32) -> Bool {
        let offset = Int(number - 1) * Self.pageByteCount
        let got = unsafe buffer.withUnsafeMutableBytes { unsafe file.read(into: $0, at: offset) }
        return got == Self.pageByteCount && !buffer.contains { $0 != 0 }
    }

    /// Seals 4,096 bytes, whose last 40 are zero, as page `number`.
    ///
    /// - Returns: `.whole` when it is written; `.old` when the map does not prove what it is to be written beside.
    func writePage(_ number: UInt32, _ page: UnsafeRawBufferPointer) -> ReadResult {
        guard unsafe Self.hasEmptyReserve(page), moment == nil else { return .failed }
        if let map {
            let verdict = map.beginChange(of: number)
            guard verdict == .fits else { return verdict == .failed ? .failed : .old }
        }
        for reader in readers { reader.snapshot?.keep(number, from: file) }
        place(number)
        return unsafe buffer.withUnsafeMutableBytes { sealed in
            unsafe associatedData.withUnsafeBytes { data in
                guard unsafe seal(page, data, into: sealed),
                    unsafe file.write(UnsafeRawBufferPointer(sealed), at: Int(number - 1) * Self.pageByteCount)
                else { return .failed }
                unsafe map?.change(number, to: PageTag(ofSealed: sealed))
                return .whole
            }
        }
    }

    /// Returns whether the bytes at a page's end are zero, which SQLite must not use: we put nonce and tag there. A
    /// page where it did came from elsewhere (docs/sealed-sqlite.md §7).
    static func hasEmptyReserve(_ page: UnsafeRawBufferPointer) -> Bool {
        unsafe page[usableByteCount..<pageByteCount].allSatisfy { $0 == 0 }
    }

    private func place(_ number: UInt32) {
        let end = associatedData.count
        for index in 0..<4 {
            associatedData[end - 4 + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index))
        }
    }

    private func open(
        _ sealed: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        do {
            try unsafe sealer.open(
                nonce: UnsafeRawBufferPointer(rebasing: sealed[4056..<4080]), associatedData: data,
                UnsafeRawBufferPointer(rebasing: sealed[0..<4056]),
                tag: UnsafeRawBufferPointer(rebasing: sealed[4080..<4096]),
                into: UnsafeMutableRawBufferPointer(rebasing: target[0..<4056]))
        } catch { return false }
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[4056..<4096]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return true
    }

    private func seal(
        _ page: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
    ) -> Bool {
        // A fresh random nonce each time, because the same page number is sealed again and again under one key.
        let nonce = unsafe UnsafeMutableRawBufferPointer(rebasing: sealed[4056..<4080])
        guard unsafe nonces.take(into: nonce) else { return false }
        do {
            try unsafe sealer.seal(
                nonce: UnsafeRawBufferPointer(nonce), associatedData: data,
                UnsafeRawBufferPointer(rebasing: page[0..<4056]),
                into: UnsafeMutableRawBufferPointer(rebasing: sealed[0..<4056]),
                tag: UnsafeMutableRawBufferPointer(rebasing: sealed[4080..<4096]))
        } catch { return false }
        return true
    }
}
