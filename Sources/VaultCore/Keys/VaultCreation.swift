// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
public import SecretMemory
public import VaultCrypto
internal import VaultFormat

/// A vault that is prepared but not written: nothing is on disk until the recovery key was typed back.
public final class VaultCreation {
    private let path: [UInt8]
    private let keys: VaultKeys
    private let header: Header
    private let recovery: SecretBytes?
    private let names: [NewKeyslot]
    private static let recoveryByteCount = RecoveryKey.byteCount

    /// Makes keys and keyslots.
    ///
    /// - Parameter targetMilliseconds: what the cost was measured for; 0 for the least that is allowed.
    /// - Throws: `VaultError.exists`, `.outOfMemory`, `.selfTestFailed`.
    public init(
        path: [UInt8], password: consuming SecretBytes, cost: Argon2Cost, withRecoveryKey: Bool, targetMilliseconds: UInt32 = 0
    ) throws(VaultError) {
        try Self.refuseExisting(path)
        self.path = path
        do throws(CryptoError) {
            let root = try SymmetricKey(random: ())
            keys = try VaultKeys(root)
            guard let vaultID = try? VaultID(SecureRandom.bytes(VaultID.byteCount)) else { throw CryptoError(.libraryFailure) }
            var content = UnverifiedHeader(vaultID: vaultID, epoch: 1, counter: 1, keyslots: [])
            content.keyslots.append(try .make(.password(password), cost: cost, wrapping: root, header: content))
            if withRecoveryKey {
                let secret = try SecureRandom.secret(Self.recoveryByteCount)
                content.keyslots.append(try .make(.recoveryKey(secret.duplicate()), cost: cost, wrapping: root, header: content))
                recovery = consume secret
            } else {
                recovery = nil
            }
            header = try Header.make(content, keys: keys)
            names = content.keyslots.map { slot in
                NewKeyslot(
                    slot: slot, name: slot.kind == .password ? KeyslotName.password : KeyslotName.recovery,
                    targetMilliseconds: slot.kind.isDerived ? targetMilliseconds : 0)
            }
        } catch {
            throw VaultError(error.code == .outOfMemory ? .outOfMemory : .selfTestFailed)
        }
    }

    /// The recovery key as text to show once; nil when none was asked for.
    public func recoveryText() -> SecretBytes? {
        switch recovery {
        case .none: nil
        case .some(let key): try? RecoveryKey.text(key)
        }
    }

    /// Whether the typed text is the recovery key that was shown, or none was asked for.
    public func isConfirmed(by typed: borrowing SecretBytes) -> Bool {
        switch recovery {
        case .none: return true
        case .some(let key):
            guard let parsed = RecoveryKey.parse(typed) else { return false }
            return key.matches(parsed)
        }
    }

    /// Writes the vault's directory under another name and renames it: after a crash there is a whole vault or none.
    ///
    /// - Throws: `VaultError.exists`, `.saveFailed`, `.readOnly`, `.notOurs`.
    public func commit(pins: PinStore = PinStore()) throws(VaultError) {
        try Self.refuseExisting(path)
        Self.makeParents(path)
        let temporary = path + Array(".new-\(getpid())".utf8)
        guard unsafe mkdir(Self.cString(temporary), 0o700) == 0 else { throw VaultError(errno == EROFS || errno == ENOSPC ? .readOnly : .saveFailed) }
        do throws(VaultError) {
            let directory = try VaultDirectory(path: temporary)
            try HeaderFile.write(header, to: directory)
            try directory.replace("lock", with: [0x0A])
            try VaultStore.makeIndex(directory, header: header, keys: keys, names)
            // An empty directory makes room; rmdir refuses any other.
            unsafe rmdir(Self.cString(path))
            guard unsafe vs_rename_new(Self.cString(temporary), Self.cString(path)) == 0 else {
                throw VaultError(errno == EEXIST ? .exists : .saveFailed)
            }
        } catch {
            Self.removeRemains(temporary)
            throw error
        }
        let made = try VaultDirectory(path: path)
        let pin = Pin(vaultID: header.content.vaultID, epoch: 1, counter: 1, digest: try HeaderFile.digest(header), generation: 1)
        _ = pins.record(pin, canonicalPath: made.canonicalPath)
    }

    /// An empty directory may become a vault; anything else is left alone.
    private static func refuseExisting(_ path: [UInt8]) throws(VaultError) {
        var status = stat()
        guard unsafe lstat(cString(path), &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, let stream = unsafe opendir(cString(path)) else { throw VaultError(.exists) }
        defer { unsafe closedir(stream) }
        var count = 0
        while unsafe readdir(stream) != nil { count += 1 }
        guard count == 2 else { throw VaultError(.exists) }  // "." and ".."
    }

    private static func makeParents(_ path: [UInt8]) {
        for end in path.indices.dropFirst() where path[end] == 0x2F { unsafe mkdir(cString(Array(path[0..<end])), 0o700) }
    }

    private static func removeRemains(_ path: [UInt8]) {
        for name in HeaderFile.names + ["lock", "manifest", VaultStore.indexName(epoch: 1), VaultStore.indexName(epoch: 1) + "-wal"] {
            unsafe unlink(cString(path + Array("/\(name)".utf8)))
        }
        unsafe rmdir(cString(path))
    }

    static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}
