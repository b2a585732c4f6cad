// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import VaultCrypto

/// A `VaultError` says why an operation of a vault did not succeed. It holds no path, password or key, and no title but
/// those of `candidates` and the word of the request in `reference`.
public struct VaultError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        /// `Kind` has all codes, for the one exhaustive switch to exit codes.
        package enum Kind: Sendable, CaseIterable {
            case noVault, exists, notOurs, newerFormat, integrity, wrongPassword, costOutOfRange, system
            case rollback, otherVault, busy, readOnly, saveFailed, notFound, ambiguous, tooLarge, notText, empty
            case otherHistory, oldHeader
            case outOfMemory, selfTestFailed, libraryFailed, badQuery, recoveryMismatch, searchTooBroad
            case thinned, noRevision, ambiguousRevision, noDraft, ambiguousDraft, draftIsOpen, noSuchName, tooCostly,
                badDate, badPattern
            case keysChanged, tooManyKeyslots, lastKeyslot, noKeyslot, badKeyFile, rotationRuns, noRotation, noRoom,
                newKeysForgotten,
                keysDropped, keysUncertain, keysBusy, attachmentIsWritten, exportRuns, notAnArchive, noSnapshot,
                oldKey, cancelled, noPassword, wordsLeft, backupBusy, noParityLibrary, noParity, parityDamaged
            case keyslotNeedsMemory, costlyKeyslot, noteDamaged, revisionDamaged, nothingLeft
            case noteLocked, wrongNotePassword, isPrivate, notPrivate, noteIsEdited, attachmentsChanged, noAttachment,
                badRange, objectGone, isBook, notABook, wrongShelf, noChapter, noSuchPage, notInBook
            case filesExchanged, filesGone, filesLost, rescuedWaits, fileMended, takenOver, heldElsewhere
        }
        package let kind: Kind

        /// There is no vault in the directory.
        public static let noVault = Code(kind: .noVault)
        /// There is a vault, or something else, already.
        public static let exists = Code(kind: .exists)
        /// The directory or a file is another user's, writable by others, or a link.
        public static let notOurs = Code(kind: .notOurs)
        /// Made by a newer program.
        public static let newerFormat = Code(kind: .newerFormat)
        /// Files were damaged or changed.
        public static let integrity = Code(kind: .integrity)
        /// Wrong password, or a damaged keyslot: not told apart.
        public static let wrongPassword = Code(kind: .wrongPassword)
        /// A keyslot asks for less work than is safe or more than is sane; no memory was taken.
        public static let costOutOfRange = Code(kind: .costOutOfRange)
        /// The only keyslot for a credential asks for more memory than may be taken here: there are `found` MiB, and it
        /// needs a machine with `expected`.
        public static let keyslotNeedsMemory = Code(kind: .keyslotNeedsMemory)
        /// The only keyslot for a credential asks for `found` times the work that is known here: it is tried on the
        /// owner's word alone.
        public static let costlyKeyslot = Code(kind: .costlyKeyslot)
        /// The text of a note does not open; the note is the only candidate, and the revision `found` of it opens.
        public static let noteDamaged = Code(kind: .noteDamaged)
        /// A revision does not open; its note does.
        public static let revisionDamaged = Code(kind: .revisionDamaged)
        /// A repair found no index, or nothing to read in it. `found`: bytes of a log whose index is missing.
        public static let nothingLeft = Code(kind: .nothingLeft)
        /// Older than what this account last saw.
        public static let rollback = Code(kind: .rollback)
        /// As new as what this account last saw, and without its entries: two copies of the vault were written apart.
        /// It has `found` entries, and `expected` were seen.
        public static let otherHistory = Code(kind: .otherHistory)
        /// The header, number `found`, is older than number `expected`, which manifest or index know of, or another
        /// one of that number.
        public static let oldHeader = Code(kind: .oldHeader)
        /// Another vault than the one that was at this path.
        public static let otherVault = Code(kind: .otherVault)
        /// Another agent has it open.
        public static let busy = Code(kind: .busy)
        /// The disk is full or read-only: reading works, writing does not.
        public static let readOnly = Code(kind: .readOnly)
        /// It could not be made durable.
        public static let saveFailed = Code(kind: .saveFailed)
        /// The operating system refused, for a reason that says nothing of the vault's files: `systemError`.
        public static let system = Code(kind: .system)
        public static let notFound = Code(kind: .notFound)
        /// More than one note fits; `candidates` has them.
        public static let ambiguous = Code(kind: .ambiguous)
        /// Text above 16 MiB, or a title, tag or notebook above its limit.
        public static let tooLarge = Code(kind: .tooLarge)
        public static let notText = Code(kind: .notText)
        /// Nothing to save.
        public static let empty = Code(kind: .empty)
        public static let outOfMemory = Code(kind: .outOfMemory)
        /// A library gave a wrong answer to a known vector: nothing is touched.
        public static let selfTestFailed = Code(kind: .selfTestFailed)
        /// A cryptographic library or the kernel's random generator refused a call: nothing was produced.
        public static let libraryFailed = Code(kind: .libraryFailed)
        public static let badQuery = Code(kind: .badQuery)
        /// The recovery key that was typed back is not the one shown.
        public static let recoveryMismatch = Code(kind: .recoveryMismatch)
        /// A search looked at as much as it may without an answer.
        public static let searchTooBroad = Code(kind: .searchTooBroad)
        /// The keyslots or the key on disk are not the ones that this vault has.
        public static let keysChanged = Code(kind: .keysChanged)
        /// A header holds eight.
        public static let tooManyKeyslots = Code(kind: .tooManyKeyslots)
        /// Without it nobody could open the vault, or nobody with a password.
        public static let lastKeyslot = Code(kind: .lastKeyslot)
        public static let noKeyslot = Code(kind: .noKeyslot)
        /// New keys waited too long to be confirmed.
        public static let newKeysForgotten = Code(kind: .newKeysForgotten)
        /// Not a key file of ours, or damaged.
        public static let badKeyFile = Code(kind: .badKeyFile)
        /// Another rotation must end first.
        public static let rotationRuns = Code(kind: .rotationRuns)
        public static let noRotation = Code(kind: .noRotation)
        /// The header was perhaps replaced, perhaps not.
        public static let keysUncertain = Code(kind: .keysUncertain)
        /// Another command works on the keys.
        public static let keysBusy = Code(kind: .keysBusy)
        /// A rotation cannot begin while an attachment is being written.
        public static let attachmentIsWritten = Code(kind: .attachmentIsWritten)
        /// An export or a backup reads the index; what would change its file has to wait.
        public static let exportRuns = Code(kind: .exportRuns)
        /// A newly made vault needs a password; a recovery key is not one.
        public static let noPassword = Code(kind: .noPassword)
        public static let noSnapshot = Code(kind: .noSnapshot)
        /// A snapshot from before a rotation: the vault's present key does not open it.
        public static let oldKey = Code(kind: .oldKey)
        /// Another program reads or writes the backup's folder.
        public static let backupBusy = Code(kind: .backupBusy)
        /// Parity needs libisal2, which is not installed.
        public static let noParityLibrary = Code(kind: .noParityLibrary)
        /// There is no parity to mend anything with.
        public static let noParity = Code(kind: .noParity)
        /// A file that shares parity with files to be removed is damaged: nothing was removed.
        public static let parityDamaged = Code(kind: .parityDamaged)
        /// A note has just become private, and its words are still being removed from the index.
        public static let wordsLeft = Code(kind: .wordsLeft)
        /// The caller has ended what it asked for.
        public static let cancelled = Code(kind: .cancelled)
        /// The file is not an archive of ours.
        public static let notAnArchive = Code(kind: .notAnArchive)
        /// A rotation would lose keys that its owner has not agreed to lose.
        public static let keysDropped = Code(kind: .keysDropped)
        /// The disk has not enough room for what is to be written: `found` and `expected` bytes.
        public static let noRoom = Code(kind: .noRoom)
        /// A private note that is locked: its password opens it.
        public static let noteLocked = Code(kind: .noteLocked)
        /// Wrong password of a private note, or its keyslot is damaged: not told apart.
        public static let wrongNotePassword = Code(kind: .wrongNotePassword)
        /// The request would take a private note's content out of its protection.
        public static let isPrivate = Code(kind: .isPrivate)
        public static let notPrivate = Code(kind: .notPrivate)
        /// The request applies to notes but not to a book.
        public static let isBook = Code(kind: .isBook)
        public static let notABook = Code(kind: .notABook)
        /// A book on the shelf `found` (the raw value of a `BookShelf`) cannot be put on the shelf `expected`.
        public static let wrongShelf = Code(kind: .wrongShelf)
        /// The note beside which others are to be placed is not there.
        public static let notInBook = Code(kind: .notInBook)
        /// The book has only `expected` pages.
        public static let noSuchPage = Code(kind: .noSuchPage)
        /// The book has no such chapter.
        public static let noChapter = Code(kind: .noChapter)
        /// Attachments came or went while a note was sealed anew: nothing was changed.
        public static let attachmentsChanged = Code(kind: .attachmentsChanged)
        public static let noAttachment = Code(kind: .noAttachment)
        /// Bytes that an attachment does not have.
        public static let badRange = Code(kind: .badRange)
        /// The file of an attachment was moved or removed while it was being attached.
        public static let objectGone = Code(kind: .objectGone)
        /// The index was exchanged or removed while it was open: its content is kept beside it, of epoch
        /// `found` and with the number `expected`.
        public static let filesExchanged = Code(kind: .filesExchanged)
        /// The same, and the vault's folder could not take it: it is in the state directory.
        public static let filesGone = Code(kind: .filesGone)
        /// The same, and it could be written nowhere.
        public static let filesLost = Code(kind: .filesLost)
        /// The index is missing or older than it was, and one that was rescued, of epoch `found`, lies beside it.
        public static let rescuedWaits = Code(kind: .rescuedWaits)
        /// A small file of the vault was removed or exchanged, and was written anew: nothing is lost.
        public static let fileMended = Code(kind: .fileMended)
        /// Another machine, `host`, has taken the vault over.
        public static let takenOver = Code(kind: .takenOver)
        /// Another machine, `host`, has it open, and said so `found` seconds ago.
        public static let heldElsewhere = Code(kind: .heldElsewhere)
        /// An editor has it open.
        public static let noteIsEdited = Code(kind: .noteIsEdited)
        /// The revision was thinned out, or purged with its note.
        public static let thinned = Code(kind: .thinned)
        public static let noRevision = Code(kind: .noRevision)
        /// More than one revision fits.
        public static let ambiguousRevision = Code(kind: .ambiguousRevision)
        public static let noDraft = Code(kind: .noDraft)
        /// More than one draft fits.
        public static let ambiguousDraft = Code(kind: .ambiguousDraft)
        /// An editor has the draft open.
        public static let draftIsOpen = Code(kind: .draftIsOpen)
        /// No note has this tag, or is in this notebook, or there is no such template.
        public static let noSuchName = Code(kind: .noSuchName)
        /// Not a valid PCRE pattern.
        public static let badPattern = Code(kind: .badPattern)
        public static let badDate = Code(kind: .badDate)
        /// A pattern that takes too long.
        public static let tooCostly = Code(kind: .tooCostly)
    }

    /// Compare this.
    public let code: Code
    /// Generations or counters for `.rollback`: what is here, and what was seen.
    public let found: UInt64?
    public let expected: UInt64?
    /// Identifiers of the notes that fit, for `.ambiguous`.
    public let candidates: [NoteSummary]

    /// The system's errno for `.system`, `.readOnly` and `.saveFailed`, where there was one; else 0.
    public let systemError: Int32
    /// What is damaged or cannot be read, where the vault opens anyway on its owner's word.
    public let damage: Damage?

    /// `Damage` is what a vault can be opened without.
    public enum Damage: Sendable {
        /// Both copies of the manifest.
        case manifest
        /// The log, or the changes that it should have brought.
        case log
        /// Pages of the index are older than the vault: earlier copies were put in their place.
        case oldPages
    }

    /// Another machine's name for `.takenOver` and `.heldElsewhere`, as its lease has it: anybody who can write in the
    /// vault's folder chose it.
    public let host: String

    /// The word that named what was not found, for `.notFound` and `.noSuchName`. It came with the request that ends
    /// so, and goes back with its answer alone: it is in no log.
    public let reference: Reference?

    public init(
        _ code: Code, found: UInt64? = nil, expected: UInt64? = nil, candidates: [NoteSummary] = [],
        systemError: Int32 = 0, damage: Damage? = nil, host: String = "", reference: Reference? = nil
    ) {
        self.reference = reference
        self.host = host
        self.code = code
        self.damage = damage
        self.systemError = systemError
        self.found = found
        self.expected = expected
        self.candidates = candidates
    }

    /// Compares two errors: the system's reason, what is damaged, another machine's name and the word of the request
    /// are details and do not make errors differ.
    public static func == (one: VaultError, other: VaultError) -> Bool {
        one.code == other.code && one.found == other.found && one.expected == other.expected
            && one.candidates == other.candidates
    }
}

extension VaultError {
    /// Says why a cryptographic call of ours did not succeed, in the vault's codes.
    ///
    /// `.badSize` and `.badEncoding` are what stored bytes can cause where lengths are part of what is opened: damage,
    /// like `.notAuthentic`.
    init(_ error: CryptoError) {
        let code: Code =
            switch error.code {
            case .outOfMemory: .outOfMemory
            case .costOutOfRange: .costOutOfRange
            case .selfTestFailed: .selfTestFailed
            case .libraryFailure: .libraryFailed
            default: .integrity
            }
        self.init(code)
    }

    /// Runs a cryptographic call and throws its failure in the vault's codes.
    static func mapping<Value: ~Copyable>(_ call: () throws(CryptoError) -> Value) throws(VaultError) -> Value {
        do throws(CryptoError) { return try call() } catch { throw VaultError(error) }
    }
}

extension VaultError {
    /// Judges errno after a call that was to write.
    static func writing(_ number: Int32) -> VaultError {
        switch number {
        case ENOSPC, EROFS, EDQUOT, EACCES: VaultError(.readOnly, systemError: number)
        // Nothing is wrong with the disk: another try may succeed.
        case EMFILE, ENFILE, ENOMEM: VaultError(.system, systemError: number)
        default: VaultError(.saveFailed, systemError: number)
        }
    }

    /// Judges errno after a call that was to open or to read. It is never damage: nobody has seen the bytes.
    ///
    /// - Parameter otherwise: what every other number means.
    static func reading(_ number: Int32, otherwise: Code) -> VaultError {
        [EMFILE, ENFILE, ENOMEM, EINVAL, EROFS, EIO, EDQUOT, ENOSPC].contains(number)
            ? VaultError(.system, systemError: number) : VaultError(otherwise)
    }
}
