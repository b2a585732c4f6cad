// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SealedSQLite

/// This extension keeps the reserve, a file whose bytes mean nothing: it is room on the disk that is given up for what
/// makes room. Without it a full disk could not be freed from inside, since a change that removes something is written
/// down first. Spec: docs/format.md §14.
extension OpenVault {
    static let reserveName = "reserve"
    /// Enough for some transactions that remove, in bytes.
    static let reserveByteCount: UInt64 = 1 << 20
    /// How many times the reserve's size must be free before it is laid down: nobody is to run into a full disk because
    /// of it.
    private static let reserveShare: UInt64 = 4

    /// Lays the reserve down where there is plenty of room.
    func layReserve() {
        guard !isReadOnly, !headerWasReplaced, directory.byteCount(Self.reserveName) < Self.reserveByteCount,
            directory.freeByteCount > Self.reserveShare * Self.reserveByteCount
        else { return }
        let file = directory.open(Self.reserveName, O_WRONLY | O_CREAT | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { Glibc.close(file) }
        // A file with holes would be no room; on a disk that cannot promise it there is none.
        if !VaultDirectory.isOurFile(file) || posix_fallocate(file, 0, off_t(Self.reserveByteCount)) != 0 {
            _ = directory.remove(Self.reserveName)
        }
    }

    /// Runs `body`, and what it writes may use the reserve: it removes something.
    public func makingRoom<Value>(_ body: () throws(VaultError) -> Value) throws(VaultError) -> Value {
        let before = makesRoom
        makesRoom = true
        defer { makesRoom = before }
        let value = try body()
        // What it gave up is laid down again as soon as there is room: the disk may fill up once more.
        layReserve()
        return value
    }

    /// Gives the reserve up, and goes on with writing where that had ended for want of room.
    ///
    /// - Throws: `VaultError.readOnly` when that is not what it was, or did not help.
    func giveUpReserve() throws(VaultError) {
        // Writing that ended, or never began, begins with a new log: not while a reader holds the one that the manifest
        // speaks of.
        guard database.storage.isWritable, !(isReadOnly && isFrozen), directory.byteCount(Self.reserveName) > 0,
            directory.remove(Self.reserveName)
        else { throw VaultError(.readOnly, systemError: refusal) }
        if isReadOnly {
            allowWrites()
            do throws(VaultError) { try beginWriting() } catch {
                refuseWrites()
                throw VaultError(.readOnly, systemError: error.systemError)
            }
            return recordPin()
        }
        // An empty log is room too. Where a reader holds it, what was given up has to do.
        guard !isFrozen else { return }
        do throws(VaultError) { try startNewLog(isOpen: true) } catch {
            // The log goes on as it was, unless there is no manifest that fits it.
            guard !isReadOnly else { throw VaultError(.readOnly, systemError: refusal) }
        }
        recordPin()
    }
}
