// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SealedSQLite
internal import VaultCrypto
internal import VaultFormat

/// An `OtherCopyRefusal` says why another copy of the open vault is not read.
public enum OtherCopyRefusal: Error, Equatable {
    /// It is the folder of the open vault itself.
    case isThisVault
    /// The open vault's key does not open it: a credential of that copy is needed.
    case hasOwnKey
    /// The file is not a copy of the vault's index.
    case isNoIndex
    case failed(VaultError)
}

/// An `OtherCopy` is another copy of the open vault, with a history of its own, beside it: it is read page by page, as
/// a salvage reads a damaged vault, and never written to. No pin is kept of it. Spec: docs/format.md §10.
///
/// It is used by one thread at a time.
public final class OtherCopy: @unchecked Sendable {
    /// `Access` is what another thread needs of the open vault to open the copy.
    public struct Access: Sendable {
        let keys: VaultKeys
        let vaultID: VaultID
        let epoch: UInt32
        let place: [UInt64]
    }

    let damaged: DamagedVault
    var index: SalvagedIndex { damaged.index }
    /// Each note's revisions that open, in the order in which they were made.
    private(set) var revisions: [NoteID: [Entry]] = [:]
    /// The notes in the order of their first revision.
    private(set) var notes: [NoteID] = []
    /// What entries say of revisions, also of those that are gone.
    private(set) var made: [RevisionID: Entry] = [:]
    private(set) var purged: Set<NoteID> = []
    /// Of each note, revisions that the history names and that do not open.
    private(set) var lost: [NoteID: [RevisionID]] = [:]
    private(set) var missingEntryCount = 0
    /// Whether an earlier key of the vault opens it, which a rotation has replaced since.
    let isOfOlderKey: Bool
    /// The number of bytes to read.
    public var byteCount: UInt64 { index.progress.total / 2 * UInt64(DamagedVault.pageByteCount) }

    /// Opens a copy with the keys of the open vault.
    ///
    /// - Parameters:
    ///   - descriptor: an open directory; it is taken over.
    ///   - file: a copy of the index that lies in it under another name: a sync program's, or a rescued one.
    public convenience init(
        taking descriptor: Int32, _ access: Access, file: String? = nil
    ) throws(OtherCopyRefusal) {
        let isOurs = Self.place(of: descriptor) == access.place
        try Self.check(descriptor, access, isOurs: isOurs && file == nil)
        do throws(VaultError) {
            try self.init(
                DamagedVault(taking: descriptor, knownBy: access.keys, index: file, isOurs: isOurs), access)
        } catch {
            switch error.code {
            case .oldKey: throw .hasOwnKey
            case .badPattern: throw .isNoIndex
            default: throw .failed(error)
            }
        }
    }

    /// Opens a copy with a credential of that copy.
    public convenience init(
        taking descriptor: Int32, _ access: Access, _ credential: borrowing Credential, triesDear: Bool,
        pins: PinStore = PinStore()
    ) throws(OtherCopyRefusal) {
        try Self.check(descriptor, access, isOurs: Self.place(of: descriptor) == access.place)
        do throws(VaultError) {
            try self.init(
                DamagedVault(taking: descriptor, credential, triesDear: triesDear, pins: pins), access)
        } catch { throw .failed(error) }
    }

    private init(_ damaged: DamagedVault, _ access: Access) throws(VaultError) {
        guard damaged.header.vaultID == access.vaultID else { throw VaultError(.otherVault) }
        self.damaged = damaged
        isOfOlderKey = damaged.header.epoch < access.epoch
    }

    /// Checks the copy before any key is derived: another vault's slots are not tried, and the vault itself is no other
    /// copy.
    private static func check(_ descriptor: Int32, _ access: Access, isOurs: Bool) throws(OtherCopyRefusal) {
        var failure: OtherCopyRefusal?
        if isOurs { failure = .isThisVault }
        do throws(VaultError) {
            let directory = try VaultDirectory(taking: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
            let copies = try HeaderFile.read(directory)
            if !copies.contains(where: { $0.header.vaultID == access.vaultID }) {
                failure = failure ?? .failed(VaultError(.otherVault))
            }
        } catch { failure = failure ?? .failed(error.code == .integrity ? VaultError(.noVault) : error) }
        guard let failure else { return }
        close(descriptor)
        throw failure
    }

    /// Tells one directory from another.
    static func place(of descriptor: Int32) -> [UInt64] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return [] }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    /// Reads all of its index.
    ///
    /// - Parameter goesOn: told how many bytes are read; false ends the work.
    /// - Throws: `VaultError.cancelled`, `.integrity` when nothing at all opens.
    public func read(goesOn: (UInt64) -> Bool) throws(VaultError) {
        while index.step() {
            // Twice through the pages.
            guard goesOn(index.progress.done * UInt64(DamagedVault.pageByteCount) / 2) else {
                throw VaultError(.cancelled)
            }
        }
        guard !index.revisions.found.isEmpty || index.state != nil else { throw VaultError(.integrity) }
        let device = index.state?.device ?? index.entries.device ?? []
        let own = index.entries.all(of: device)
        let last = max(index.state?.sequence ?? 0, index.entries.lastSequence(of: device))
        missingEntryCount = max(0, Int(clamping: last) - own.count)
        let known = SalvagedEntries.merged(own, index.entries.others(than: device))
        var listed: [NoteID: RevisionID] = [:]
        for note in index.listedNow { listed[note] = index.listedHead(of: note) }
        let chain = SalvagedChain(
            known, index.revisions.found.values.map { .init(id: $0.id, note: $0.note, made: $0.made) }, listed: listed,
            isComplete: damaged.knowsEnd && missingEntryCount == 0)
        for entry in known where entry.operation.makesRevision {
            made[entry.revisionID] = entry
            guard index.revisions.found[entry.revisionID] == nil,
                !chain.leavesOut(entry.revisionID, of: entry.noteID)
            else { continue }
            lost[entry.noteID, default: []].append(entry.revisionID)
        }
        purged = Set(known.lazy.filter { $0.operation == .purge }.map(\.noteID))
        let entries = try VaultError.mapping { () throws(CryptoError) in try chain.entries(device: device) }
        for entry in entries {
            if revisions[entry.noteID] == nil { notes.append(entry.noteID) }
            revisions[entry.noteID, default: []].append(made[entry.revisionID] ?? entry)
        }
    }

    /// Tells whether it knows a revision, also one that was thinned out or does not open.
    func names(_ revision: RevisionID) -> Bool { made[revision] != nil || index.revisions.found[revision] != nil }

    /// Opens a revision: that copy's layer is taken off.
    ///
    /// - Throws: `VaultError.noRevision` when the file has changed meanwhile.
    func opened(_ revision: RevisionID) throws(VaultError) -> RecordSealer.Opened {
        guard let found = index.revisions.found[revision], let opened = index.opened(found) else {
            throw VaultError(.noRevision)
        }
        return opened
    }

    /// Finds an attachment whose file may be there; nil for one that is not sealed as its note is.
    func attachment(_ id: AttachmentID, of note: NoteID) -> SalvagedIndex.FoundAttachment? {
        index.attachments[id].flatMap { $0.record.isPrivate == (index.revisions.slots[note] != nil) ? $0 : nil }
    }

    /// Opens the keyslot of a private note, which the note's password opens; nil for an ordinary note.
    func keyslot(of note: NoteID) -> NoteKeyslot? {
        guard let sealed = index.revisions.slots[note]?.sealed,
            let content = index.layer.open(sealed, .noteKeyslot(note)).flatMap({ try? Padme.unpad($0) })
        else { return nil }
        return try? NoteKeyslot(parsing: content)
    }

    /// Returns the title of a note, as far as it is shown without the note's password.
    func title(of note: NoteID) -> String? {
        guard let last = revisions[note]?.last, let found = index.revisions.found[last.revisionID] else {
            return index.listedTitle(of: note)
        }
        return index.title(of: found)
    }

    /// Edits that were begun there and neither finished nor thrown away.
    var openDrafts: [DraftID] {
        let folder = damaged.directory.existingFolder("drafts")
        return index.drafts.compactMap { id, row in
            row.integer(6) == nil && folder?.identity(id.hex) != nil ? id : nil
        }
    }
}

extension OpenVault {
    /// What another thread needs to open another copy of this vault.
    public var otherCopyAccess: OtherCopy.Access {
        OtherCopy.Access(
            keys: keys, vaultID: header.vaultID, epoch: header.epoch,
            place: OtherCopy.place(of: directory.descriptor))
    }
}
