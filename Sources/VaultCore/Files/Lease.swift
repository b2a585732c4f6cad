// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import VaultCrypto
internal import VaultFormat

/// `Leasing` says when a lease is written, and for which machine.
struct Leasing {
    /// Nil: this one.
    var machine: ThisMachine?
    /// Nil: where other machines reach the files and do not see this one's locks.
    var isWritten: Bool?
}

/// A `Lease` is a file that says which machine has the vault open, renewed all the time: for file systems where no
/// other machine sees a lock.
///
/// It is advice: anybody who can write in the vault's folder can write it, and at worst a question is asked. Spec:
/// docs/format.md §14.
final class Lease {
    static let name = "lease"
    /// A file of this moment, to learn the file system's own time.
    static let probeName = "lease.now"
    /// How often it is renewed while the vault is open.
    static let secondsBetweenBeats = 30.0
    /// Seconds after which a lease that was not renewed is nobody's.
    static let secondsMax: Int64 = 120
    fileprivate static let byteCountMax = 1024

    private let directory: VaultDirectory
    private var content: LeaseContent
    /// The lease that this one was put in place of.
    private let before: LeaseContent?

    /// Takes the vault for this machine.
    ///
    /// - Parameter takesOver: also from a machine that has it open, on the owner's word.
    /// - Throws: `VaultError.heldElsewhere` while another machine renews it; `.readOnly`, `.saveFailed`.
    init(_ directory: VaultDirectory, _ machine: ThisMachine, takesOver: Bool) throws(VaultError) {
        self.directory = directory
        let session = try VaultError.mapping { () throws(CryptoError) in try SecureRandom.bytes(16) }
        content = LeaseContent(machine: machine, session: BackupFolder.hex(session))
        before = try? Self.read(directory)
        if let found = before, !takesOver, !found.isOf(machine) {
            let age = try Self.age(directory)
            // One of the future is no older than one of now: the other machine's clock is wrong, or was.
            guard age >= Self.secondsMax else {
                throw VaultError(.heldElsewhere, found: UInt64(max(age, 0)), host: found.host)
            }
        }
        try directory.replace(Self.name, with: content.encoded)
    }

    /// Returns how old the lease is, in seconds, by the file system's own clock, which is the server's: the machines'
    /// own may differ.
    ///
    /// A program that carries files gives them the time that the other machine's clock had: there, the time counts at
    /// which the file came to this one.
    private static func age(_ directory: VaultDirectory) throws(VaultError) -> Int64 {
        let time = SyncedFolder.program(of: directory) == nil ? directory.modified : directory.arrived
        try directory.replace(probeName, with: [])
        defer { directory.remove(probeName) }
        guard let now = time(probeName), let then = time(name) else { return secondsMax }
        return seconds(from: then, to: now)
    }

    /// Counts the seconds between two times in milliseconds; anybody may give a file a time so absurd that their
    /// difference is no number.
    static func seconds(from then: Int64, to now: Int64) -> Int64 {
        let (apart, isOver) = now.subtractingReportingOverflow(then)
        guard isOver else { return apart / 1000 }
        return then < now ? .max : .min
    }

    /// Renews it, unless it is no longer ours.
    func beat() {
        guard successor() == nil else { return }
        content.beat &+= 1
        // Where that fails the file of before stays, and gets old.
        try? directory.replace(Self.name, with: content.encoded)
    }

    /// Returns the machine that has taken the vault over; nil while it is ours. The file is read, since a network file
    /// system may show old times and numbers of a file for seconds, but not an old file to a program that opens it.
    ///
    /// A lease that is gone is no better than another one: somebody may have had the vault open since, and closed it.
    func successor() -> String? {
        do throws(VaultError) {
            guard let found = try Self.read(directory) else { return "another machine" }
            return found.session == content.session ? nil : found.host
        } catch {
            // Where the system would not read it nothing is known, and nothing can be written either.
            return error.code == .system ? nil : "another machine"
        }
    }

    /// Ends it, if it is still ours.
    ///
    /// - Parameter unused: the vault was not opened, so the machine that had it open still has it.
    func release(unused: Bool = false) {
        guard successor() == nil else { return }
        if unused, let before {
            try? directory.replace(Self.name, with: before.encoded)
        } else {
            directory.remove(Self.name)
        }
    }

    /// Reads which machine has the vault, as far as the folder says it; nil where there is no lease.
    ///
    /// - Throws: `VaultError` for a file that cannot be read.
    static func read(_ directory: VaultDirectory) throws(VaultError) -> LeaseContent? {
        guard let bytes = try directory.read(name, byteCountMax: byteCountMax) else { return nil }
        return LeaseContent(parsing: bytes)
    }
}

extension VaultProbe {
    /// Takes the lease where one is needed, or where there is one: before any password is derived.
    ///
    /// - Throws: `VaultError.heldElsewhere`.
    func takeLease() throws(VaultError) {
        let isThere = (try? Lease.read(directory)) != nil
        guard isThere || (leasing.isWritten ?? directory.needsLease) else { return }
        do throws(VaultError) {
            lease = try Lease(
                directory, leasing.machine ?? ThisMachine(pins: pins), takesOver: takesOver)
        } catch {
            // Where nothing can be written nothing can be written twice.
            guard error.code == .readOnly else { throw error }
        }
        // What another machine has written since must be seen before anything is read.
        let names = (try? directory.names()) ?? []
        // Copies of a lease that a sync program made hold nothing.
        for name in names where ConflictedCopy(name)?.original == Lease.name {
            let bytes = try? directory.read(name, byteCountMax: Lease.byteCountMax)
            if LeaseContent(parsing: bytes ?? []) != nil { directory.remove(name) }
        }
        for name in names where IndexFile.isOurs(name) || HeaderFile.names.contains(name) || name.hasPrefix("manifest")
        {
            directory.forgetAttributes(name)
        }
    }

    /// Gives the vault back that was not opened.
    func giveBack() {
        lease?.release(unused: true)
        lease = nil
        directory.unlock()
    }
}
