// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto
internal import VaultFormat

/// When a lease is written, and for which machine.
struct Leasing {
    var machine = ThisMachine()
    /// Nil: where the file system does not show this machine's locks to others.
    var isWritten: Bool?
}

/// A file that says which machine has the vault open, renewed all the time: for file systems where no other machine
/// sees a lock.
///
/// It is advice: who can write in the vault's folder can write it, and at worst a question is asked. Spec:
/// docs/format.md §14.
final class Lease {
    static let name = "lease"
    /// How often it is renewed while the vault is open.
    static let secondsBetweenBeats = 30.0
    /// One that was not renewed for so long is nobody's.
    static let secondsMax: Int64 = 120
    private static let byteCountMax = 1024

    private let directory: VaultDirectory
    private var content: LeaseContent
    /// It could not be written once: the next beat tries again.
    private var isWritten = true

    /// Takes the vault for this machine.
    ///
    /// - Parameter takesOver: also from a machine that has it open, on the owner's word.
    /// - Throws: `VaultError.heldElsewhere` while another machine renews it; `.readOnly`, `.saveFailed`.
    init(_ directory: VaultDirectory, _ machine: ThisMachine, takesOver: Bool) throws(VaultError) {
        self.directory = directory
        let session = try VaultError.mapping { () throws(CryptoError) in try SecureRandom.bytes(16) }
        content = LeaseContent(machine: machine, session: BackupFolder.hex(session))
        if let found = Self.read(directory), !takesOver, !found.isOf(machine) {
            let age = try Self.age(directory)
            // One of the future is no older than one of now: the other machine's clock is wrong, or was.
            guard age >= Self.secondsMax else {
                throw VaultError(.heldElsewhere, found: UInt64(max(age, 0)), host: found.host)
            }
        }
        try directory.replace(Self.name, with: content.encoded)
    }

    /// How old the lease is, by the file system's own clock, which is the server's: the machines' own may differ.
    private static func age(_ directory: VaultDirectory) throws(VaultError) -> Int64 {
        let probe = name + ".now"
        try directory.replace(probe, with: [])
        defer { directory.remove(probe) }
        guard let now = directory.modified(probe), let then = directory.modified(name) else { return secondsMax }
        return (now - then) / 1000
    }

    /// Renews it, unless it is no longer ours.
    func beat() {
        guard successor() == nil else { return }
        content.beat &+= 1
        isWritten = (try? directory.replace(Self.name, with: content.encoded)) != nil
    }

    /// The machine that has taken the vault over; nil while it is ours. The file is read, since a network file system
    /// may show old times and numbers of a file for seconds, but not an old file to who opens it.
    func successor() -> String? {
        guard let found = Self.read(directory), found.session != content.session else { return nil }
        return found.host
    }

    /// Ends it, if it is still ours.
    func release() {
        guard let found = Self.read(directory), found.session == content.session else { return }
        directory.remove(Self.name)
    }

    /// Who has the vault, as far as the folder says it.
    static func read(_ directory: VaultDirectory) -> LeaseContent? {
        guard let bytes = try? directory.read(name, byteCountMax: byteCountMax) else { return nil }
        return LeaseContent(parsing: bytes)
    }
}

extension VaultProbe {
    /// Takes the lease where one is needed, or where there is one: before any password is derived.
    ///
    /// - Throws: `VaultError.heldElsewhere`.
    func takeLease() throws(VaultError) {
        let isThere = Lease.read(directory) != nil
        guard isThere || (leasing.isWritten ?? FileSystemKind(number: directory.fileSystem).needsLease) else { return }
        do throws(VaultError) {
            lease = try Lease(directory, leasing.machine, takesOver: takesOver)
        } catch {
            // Where nothing can be written nothing can be written twice.
            guard error.code == .readOnly else { throw error }
        }
    }

    /// Gives the vault back that was not opened.
    func giveBack() {
        lease?.release()
        lease = nil
        directory.unlock()
    }
}
