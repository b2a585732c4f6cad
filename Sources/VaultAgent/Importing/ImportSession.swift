// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ParserProtocol
internal import VaultCore
internal import VaultCrypto
internal import VaultFormat

/// `ImportSession` is an import that is under way on one connection. What is staged and not taken by a note goes with
/// it.
final class ImportSession {
    let order: BeginImport
    /// Of the notes that are to be private; nil when no password was given.
    let keys: ImportKeys?
    /// Sources of private notes that are locked to everybody else, and open with `keys`.
    let privateNotes: [String: NoteID]
    /// The same notes.
    let openableNotes: Set<NoteID>
    /// Private notes that stay locked to this import: one of them that came from the same source is not known again.
    let lockedCount: Int
    /// All batches are undone together.
    let group = ChangeGroup(.import)
    var tally = ImportTally()
    /// By the keys that notes name them by.
    var staged: [String: StagedFile] = [:]
    /// Identifiers that links say already, of notes that are still to come.
    var promised: [String: Promise] = [:]
    private(set) var losses: [ImportLoss] = []
    private(set) var lossCount = 0
    /// What notes keep in other words than the vault's own, by kind: in how many notes.
    private var keptCounts: [Loss: Int] = [:]
    /// Notes that are in the vault under a key of an earlier version, by their own names; looked up with the first
    /// batch.
    var elders: [String: NoteID]?

    struct Promise {
        let id: NoteID
        /// The first note that links there.
        let source: String
        var isKept = false
    }

    /// Notes of one transaction: reads wait for no more (docs/sealed-sqlite.md §17).
    static let batchCountMax = 200
    /// Losses that are named one by one; all are counted.
    static let namedLossCountMax = 1000
    /// Links to notes that are still to come; so many names are a heap of links, not of notes.
    static let promiseCountMax = 200_000

    init(_ order: BeginImport, keys: ImportKeys? = nil, privateNotes: [String: NoteID] = [:], lockedCount: Int) {
        self.order = order
        self.keys = keys
        self.privateNotes = privateNotes
        openableNotes = Set(privateNotes.values)
        self.lockedCount = max(0, lockedCount - openableNotes.count)
    }

    /// Locked ones that the source names anyway: they were left as they are.
    var recognizedLocked: Set<NoteID> = []
    /// How many of them a note that was made now may double.
    var notComparedCount: Int { tally.created > 0 ? max(0, lockedCount - recognizedLocked.count) : 0 }

    func add(_ loss: ImportLoss) {
        lossCount += 1
        if losses.count < Self.namedLossCountMax { losses.append(loss) }
    }

    /// Kinds that are counted one by one; a source makes up as many names of properties as it likes.
    private static let keptKindCountMax = 1000

    func addKept(_ loss: Loss) {
        let isKnown = keptCounts[loss] != nil || keptCounts.count < Self.keptKindCountMax
        keptCounts[isKnown ? loss : Loss(loss.code), default: 0] += 1
    }

    /// The most frequent first.
    var kept: [ImportKept] {
        keptCounts.map { ImportKept(loss: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// Returns what a second import finds a note by: the format and the program's own identifier, wherever the export
    /// lies. Where there is none, format, place and the note's name there.
    func source(of key: String) -> String { Self.bounded(Self.origin(of: order) + "\n" + key, order) }

    /// Returns what all notes of an import have in common.
    static func origin(of order: BeginImport) -> String {
        order.format + "\n" + (hasIdentifiers(order.format) ? "" : order.source)
    }

    /// Returns whether the format's program gives each note an identifier of its own: the place says nothing there.
    static func hasIdentifiers(_ format: String) -> Bool {
        ImportFormat(rawValue: format)?.declaration.hasIdentifiers == true
    }

    /// Returns a key, or the hash of a very long one, which tells keys apart as well.
    private static func bounded(_ whole: String, _ order: BeginImport) -> String {
        guard whole.utf8.count > 4096, let digest = try? Digest.sha256(Array(whole.utf8)) else { return whole }
        return order.format + "\nsha256\n" + Base32.encode(digest)
    }

    /// Flags that the format says of every note: an update follows it there.
    var knownFlags: NoteRecord.Flags {
        NoteRecord.Flags(ImportFormat(rawValue: order.format)?.declaration.knownFlags ?? [])
    }

    /// Reports notes that others link to and that never came.
    func nameBrokenPromises() {
        for promise in promised.values.filter({ !$0.isKept }).sorted(by: { $0.source < $1.source }) {
            add(ImportLoss(promise.source, Loss(.linkTargetMissing)))
        }
        promised = [:]
    }
}

/// `ImportKept` is something that notes keep, though not in a place of its own: no loss.
struct ImportKept {
    let loss: Loss
    /// Notes.
    let count: Int

    /// The property's, or the kind's.
    var name: String { loss.detail.isEmpty ? "\(loss.code)" : loss.detail }
}

/// `ImportLoss` is something that a note does not carry in its place.
struct ImportLoss {
    let path: String
    let code: String
    let detail: String
    let sentence: String

    init(_ path: String, _ loss: Loss) {
        self.path = path
        code = "\(loss.code)"
        detail = loss.detail
        sentence = loss.code.sentence
    }

    init(_ path: String, code: String, _ sentence: String) {
        self.path = path
        self.code = code
        detail = ""
        self.sentence = sentence
    }
}
