// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// A `DamagedVault` is a vault's directory that is only read, whatever is wrong with it, with the key that a credential
/// opened.
///
/// Nothing in it is written, made or removed. What counts is what authenticates under that key: pins and counters are
/// not asked, for what is made of it is another vault. Spec: docs/format.md §23.
public final class DamagedVault {
    let directory: VaultDirectory
    let header: Header
    let keys: VaultKeys
    let index: SalvagedIndex
    /// What the newest manifest says that opens.
    let manifest: Manifest?
    var generation: UInt64 { manifest?.generation ?? 0 }
    private let lock: Int32
    /// Whether there is to be a log beside the index.
    private var hasLog = true

    /// Size in bytes of what is to be read.
    public var byteCount: UInt64 { index.progress.total * UInt64(Self.pageByteCount) + objectByteCount }
    static let pageByteCount = 4096
    let objectByteCount: UInt64

    /// Opens a directory with a credential.
    ///
    /// - Parameters:
    ///   - descriptor: an open directory; it is taken over.
    ///   - triesDear: the owner has agreed to slots that ask for far more work than is known here.
    ///   - pins: which header this account knows, and so what its slots may ask for; nothing else of them is asked.
    /// - Throws: `VaultError.notOurs`, `.busy`, `.noVault` when neither copy of the header is there and parses,
    ///   `.newerFormat`, `.costOutOfRange`, `.wrongPassword`, `.outOfMemory`, `.keyslotNeedsMemory` and
    ///   `.costlyKeyslot` when no slot was tried.
    public convenience init(
        taking descriptor: Int32, _ credential: borrowing Credential, triesDear: Bool = false,
        pins: PinStore = PinStore()
    ) throws(VaultError) {
        try self.init(
            taking: descriptor, credential, triesDear: triesDear, pins: pins, memoryByteCount: Machine.memoryByteCount)
    }

    init(
        taking descriptor: Int32, _ credential: borrowing Credential, triesDear: Bool, pins: PinStore,
        memoryByteCount: UInt64
    ) throws(VaultError) {
        let directory = try VaultDirectory(taking: descriptor)
        let lock = try Self.lock(directory)
        do throws(VaultError) {
            let copies = try Self.headers(directory)
            let costs = Self.costs(of: copies, pins, memoryByteCount: memoryByteCount)
            (header, keys) = try Self.open(copies, credential, KeyslotTrial(costs: costs, triesDear: triesDear))
            manifest = Self.newest(SalvagedIndex.manifests(in: directory, header, keys))
            index = try SalvagedIndex(in: directory, header, keys)
        } catch {
            close(lock)
            throw error
        }
        self.directory = directory
        self.lock = lock
        objectByteCount = (try? ObjectFolder(directory).usage().byteCount) ?? 0
    }

    /// Opens a directory with the key of another copy of the vault, which is open.
    ///
    /// - Parameters:
    ///   - name: of an index that lies beside the vault's own; nil for the one under the vault's name for it.
    ///   - isOurs: the vault in that folder is open here, so that nobody else has it.
    /// - Throws: `VaultError.oldKey` when that key vouches for neither copy of the header; `.badPattern` for a name of
    ///   no index of its epoch; else as with a credential.
    init(
        taking descriptor: Int32, knownBy keys: VaultKeys, index name: String? = nil, isOurs: Bool = false
    ) throws(VaultError) {
        let directory = try VaultDirectory(taking: descriptor)
        let lock = isOurs ? -1 : try Self.lock(directory)
        do throws(VaultError) {
            let verified = try Self.headers(directory).lazy.compactMap { try? Header.verify($0.header, keys: keys) }
            guard let header = verified.first else { throw VaultError(.oldKey) }
            (self.header, self.keys) = (header, keys)
            if let name {
                let loose = try LooseIndex(name, in: directory, header)
                let manifests = loose.manifests(directory, header, keys)
                manifest = Self.newest(manifests)
                hasLog = loose.hasLog
                index = try SalvagedIndex(in: directory, header, keys, name: name, besides: manifests)
            } else {
                manifest = Self.newest(SalvagedIndex.manifests(in: directory, header, keys))
                index = try SalvagedIndex(in: directory, header, keys)
            }
        } catch {
            close(lock)
            throw error
        }
        self.directory = directory
        self.lock = lock
        objectByteCount = (try? ObjectFolder(directory).usage().byteCount) ?? 0
    }

    deinit { if lock >= 0 { close(lock) } }

    /// Returns the manifest with the highest generation; of two with the same one the first, as at opening.
    private static func newest(_ manifests: [Manifest]) -> Manifest? {
        var newest: Manifest?
        for manifest in manifests where newest.map({ manifest.generation > $0.generation }) ?? true {
            newest = manifest
        }
        return newest
    }

    /// Whether changes may have been in a log that nobody can read: it does not open, it is shorter than the manifest
    /// vouches for, or it is not there though nothing says that the vault was closed. A log is never removed, and it is
    /// empty while the vault is closed.
    var logIsLost: Bool {
        guard let byteCount = index.pages.logByteCount else { return hasLog && manifest?.isOpen ?? true }
        return index.pages.logIsLost || UInt64(byteCount) < manifest?.syncedByteCount ?? 0
    }

    /// Whether the newest state that is there is the newest that was: none of a later commit is lost.
    var knowsEnd: Bool {
        guard let state = index.state, !state.isOlder else { return false }
        return !logIsLost && !index.pages.endIsLost && state.generation >= generation
    }

    /// Shares the lock if its file is there: a program that has the vault open would change it under our eyes.
    private static func lock(_ directory: VaultDirectory) throws(VaultError) -> Int32 {
        let opened = directory.open("lock", O_RDONLY | O_NONBLOCK)
        guard opened >= 0 else { return -1 }
        for _ in 0..<10 {
            if flock(opened, LOCK_SH | LOCK_NB) == 0 { return opened }
            guard errno == EWOULDBLOCK else { return opened }
            usleep(20_000)
        }
        close(opened)
        throw VaultError(.busy)
    }

    private static func headers(_ directory: VaultDirectory) throws(VaultError) -> [HeaderFile.Copy] {
        do throws(VaultError) { return try HeaderFile.read(directory) } catch {
            throw error.code == .integrity ? VaultError(.noVault) : error
        }
    }

    static func costs(of copies: [HeaderFile.Copy], _ pins: PinStore, memoryByteCount: UInt64) -> KeyslotCosts {
        var costs = KeyslotCosts(memoryByteCount: memoryByteCount)
        for copy in copies where copy.digest == pins.pin(of: copy.header.identity)?.digest { costs.know(copy.header) }
        return costs
    }

    /// Tries the credential on the copies of the header. A slot that opens vouches for the key, the vault's ID and the
    /// epoch, for its context holds them; so a header whose MAC does not hold will do where none does. A copy with a
    /// slot that is dear comes last.
    private static func open(
        _ copies: [HeaderFile.Copy], _ credential: borrowing Credential, _ first: KeyslotTrial
    ) throws(VaultError) -> (Header, VaultKeys) {
        var trial = first
        var unverified: (UnverifiedHeader, VaultKeys)?
        let isDear = { (copy: HeaderFile.Copy) in copy.header.keyslots.contains(where: first.costs.isDear) }
        for copy in copies.filter({ !isDear($0) }) + copies.filter(isDear) {
            for slot in copy.header.keyslots {
                guard let root = try trial.open(slot, credential, copy.header), let keys = try? VaultKeys(root) else {
                    continue
                }
                if let header = try? Header.verify(copy.header, keys: keys) { return (header, keys) }
                unverified = unverified ?? (copy.header, keys)
                break
            }
        }
        guard let (header, keys) = unverified else { throw trial.failure }
        return (try VaultError.mapping { () throws(CryptoError) in try Header.make(header, keys: keys) }, keys)
    }
}
