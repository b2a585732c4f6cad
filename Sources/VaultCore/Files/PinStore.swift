// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto
public import VaultFormat

/// A `PinStore` keeps pins in `$XDG_STATE_HOME/notevault/pins`: one file for each vault and each copy of one, and one
/// for each path that says which vault was there.
///
/// Pins are not keyed: anybody who can write our state directory can as well replace our programs. Spec:
/// docs/format.md §8.
public struct PinStore {
    let folder: String
    private(set) var isReadOnly = false

    /// The same pins, which nothing is recorded in.
    var readingOnly: PinStore {
        var pins = self
        pins.isReadOnly = true
        return pins
    }

    /// No pins at all: what was just copied is compared with nothing.
    static var none: PinStore { PinStore(folder: "/dev/null").readingOnly }

    /// Finds the account's folder in `$XDG_STATE_HOME`, else in `~/.local/state`; it is made 0700 when missing.
    public init() {
        let state = unsafe getenv("XDG_STATE_HOME").map { unsafe String(cString: $0) } ?? ""
        let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? "/nonexistent"
        self.init(folder: (state.hasPrefix("/") ? state : home + "/.local/state") + "/notevault/pins")
    }

    public init(folder: String) { self.folder = folder }

    /// Returns the pin of a vault, or nil for one that this account has not seen. A pin that does not parse counts as
    /// none: it protects against others' changes to the vault, not to this directory.
    public func pin(of identity: VaultIdentity) -> Pin? {
        guard let bytes = read(identity.hex), let pin = try? Pin(parsing: bytes), pin.vaultID == identity.vaultID else {
            return nil
        }
        return pin
    }

    /// Returns the least epoch that is acceptable. A copy that this account has not seen may not be from before the
    /// vault's key was changed: somebody who has the old key could have made it.
    func leastEpoch(of identity: VaultIdentity) -> UInt32 {
        (pin(of: identity) ?? pin(of: VaultIdentity(vaultID: identity.vaultID)))?.epoch ?? 0
    }

    /// Returns the vault that was last seen at a path.
    public func vault(at canonicalPath: [UInt8]) -> VaultIdentity? {
        guard let name = try? pathName(canonicalPath), let bytes = read(name) else { return nil }
        return try? VaultIdentity(parsing: bytes)
    }

    /// Records a pin, of the vault itself or of a copy, and the path it was seen at; false when the state directory
    /// cannot be written.
    public func record(_ pin: Pin, of copyID: CopyID? = nil, canonicalPath: [UInt8]) -> Bool {
        guard !isReadOnly, let name = try? pathName(canonicalPath) else { return false }
        let identity = VaultIdentity(vaultID: pin.vaultID, copyID: copyID)
        return write(pin.encoded, to: identity.hex)
            && (vault(at: canonicalPath) == identity || write(identity.encoded, to: name))
    }

    /// Records that a vault lies at this path now, on its owner's word: what it was restored from may have gone another
    /// way than what was seen last.
    func move(_ identity: VaultIdentity, to canonicalPath: [UInt8]) {
        guard let name = try? pathName(canonicalPath) else { return }
        disown(identity)
        _ = write(identity.encoded, to: name)
        _ = write(identity.encoded, to: Self.restored + name)
    }

    private static let restored = "restored-"

    /// Tells whether a vault was restored to a path and not unlocked since: then it need not go on from what was seen
    /// last.
    func isRestored(_ identity: VaultIdentity, at canonicalPath: [UInt8]) -> Bool {
        guard let name = try? pathName(canonicalPath) else { return false }
        return read(Self.restored + name) == identity.encoded
    }

    /// Forgets that a vault was restored to a path: what was restored counts from now on, and another vault there has
    /// to go on from it.
    func endRestore(at canonicalPath: [UInt8]) {
        guard !isReadOnly, let name = try? pathName(canonicalPath) else { return }
        unsafe unlink(folder + "/" + Self.restored + name)
    }

    /// Goes on without what was known of a vault's chain; the next unlock knows it again.
    func forgetChain(of identity: VaultIdentity) {
        guard !isReadOnly, var pin = pin(of: identity), pin.sequence > 0 else { return }
        (pin.sequence, pin.chain) = (0, Entry.firstPrevious)
        _ = write(pin.encoded, to: identity.hex)
    }

    // MARK: The device

    /// Returns the device that a vault was, on this account, when it was open last; nil for one that went back to an
    /// older state since, or that this account has from elsewhere.
    func device(of identity: VaultIdentity) -> DeviceID? {
        read(Self.deviceName(identity)).flatMap { try? DeviceID($0) }
    }

    /// Returns whether anything was written down of the device that a vault is.
    func hasDevice(of identity: VaultIdentity) -> Bool { read(Self.deviceName(identity)) != nil }

    /// Writes down which device a vault is. Returns false when the state directory cannot be written.
    func record(_ device: DeviceID, of identity: VaultIdentity) -> Bool {
        guard !isReadOnly else { return false }
        return self.device(of: identity) == device || write(device.bytes, to: Self.deviceName(identity))
    }

    /// Writes down that a vault is none of the devices that told others of it: it has to become another one before it
    /// tells anything.
    func disown(_ identity: VaultIdentity) {
        guard !isReadOnly else { return }
        _ = write([UInt8](repeating: 0, count: DeviceID.byteCount), to: Self.deviceName(identity))
    }

    private static func deviceName(_ identity: VaultIdentity) -> String { "device-" + identity.hex }

    private func pathName(_ path: [UInt8]) throws(CryptoError) -> String {
        "path-" + Base32.encode(try Digest.sha256(path))
    }

    func read(_ name: String) -> [UInt8]? {
        let opened = unsafe open(folder + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(opened, $0.baseAddress!, $0.count) }
        return count > 0 ? Array(bytes[0..<count]) : nil
    }

    func write(_ bytes: [UInt8], to name: String) -> Bool {
        makeFolder()
        let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return false }
        defer { close(directory) }
        let opened = unsafe vs_open_at(directory, name + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard opened >= 0 else { return false }
        let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(opened, $0.baseAddress!, $0.count) == $0.count }
        let durable = written && fsync(opened) == 0
        close(opened)
        return unsafe durable && renameat(directory, name + ".new", directory, name) == 0 && fsync(directory) == 0
    }

    private func makeFolder() {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            unsafe mkdir(path, 0o700)
        }
    }
}
