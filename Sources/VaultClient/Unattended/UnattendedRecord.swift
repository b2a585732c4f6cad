// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `KeeperChoice` says who keeps the key for syncing without anybody, and whether that is done at all: the values of
/// the setting `sync.unattended`.
public enum KeeperChoice: String, Sendable, CaseIterable {
    case off, keyring, tpm
}

/// `UnattendedRecord` says where this machine keeps its key of one vault, and which keyslot that key opens. It holds no
/// secret, and lies beside the pins: three words on a line.
struct UnattendedRecord: Equatable {
    let choice: KeeperChoice
    /// Tells a key from the one before it: eight hexadecimal digits.
    let tag: String
    /// The keyslot's identifier, in hexadecimal.
    let slot: String
    /// The key did not open the vault: it is not tried again, since each try counts as a wrong password.
    var isDead = false

    /// Returns a tag for a new key.
    static func newTag() -> String {
        let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        return String(repeating: "0", count: 8 - number.count) + number
    }

    /// Reads the record of a vault; nil without one.
    init?(of vault: String) {
        let descriptor = unsafe open((try? Self.path(of: vault)) ?? "", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let bytes = try? FileBytes.read(descriptor, max: 256) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).map { String($0) }
        guard words.count == 3 || words.count == 4, let choice = KeeperChoice(rawValue: words[0]), choice != .off,
            words[1].utf8.count == 8, words[1].allSatisfy(\.isHexDigit), words[2].allSatisfy(\.isHexDigit)
        else { return nil }
        (self.choice, tag, slot, isDead) = (choice, words[1], words[2], words.count == 4)
    }

    init(_ choice: KeeperChoice, tag: String, slot: String) {
        (self.choice, self.tag, self.slot) = (choice, tag, slot)
    }

    /// Writes it, whole or not at all.
    func write(of vault: String) throws(ClientFailure) {
        let path = try Self.path(of: vault)
        let text = "\(choice.rawValue) \(tag) \(slot)\(isDead ? " dead" : "")\n"
        let new = path + ".new"
        unlinkIfThere(new)
        let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError.failure("cannot write \(VisibleText.escaped(new))", errno) }
        defer { close(descriptor) }
        let isWritten = unsafe Array(text.utf8).withUnsafeBytes { bytes in
            unsafe Glibc.write(descriptor, bytes.baseAddress!, bytes.count) == bytes.count
        }
        guard isWritten, fsync(descriptor) == 0, unsafe rename(new, path) == 0 else {
            throw SystemError.failure("cannot write \(VisibleText.escaped(path))", errno)
        }
    }

    /// Removes the record of a vault.
    ///
    /// - Returns: whether another vault has one.
    static func remove(of vault: String) throws(ClientFailure) -> Bool {
        unsafe unlink(try path(of: vault))
        guard let folder = unsafe opendir(try folder()) else { return false }
        defer { unsafe closedir(folder) }
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.utf8.count == 32, UnattendedRecord(of: name) != nil { return true }
        }
        return false
    }

    private func unlinkIfThere(_ path: String) { unsafe unlink(path) }

    private static func path(of vault: String) throws(ClientFailure) -> String { try folder() + "/" + vault }

    /// Returns the folder of the records and of what a TPM opens; it is made 0700.
    static func folder() throws(ClientFailure) -> String {
        guard let state = PlaceChecks.stateDirectory else {
            throw .usage("HOME is not set, so there is no place for what this machine keeps", hint: "set HOME")
        }
        for path in [state, state + "/unattended"] {
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw SystemError.failure("cannot make \(VisibleText.escaped(path))", errno)
            }
        }
        return state + "/unattended"
    }
}
