// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ParserProtocol
internal import VaultCore
internal import VaultFormat

/// `ShowJob` serves `vault show` and `vault cat`: a note at a time, as the client takes them; below it its attachments,
/// and pictures where they are wanted.
final class ShowJob: Job {
    private let store: OpenVault
    private let versions: [NoteVersion]
    private let withDetails: Bool
    private var next = 0
    /// An attachment of a note that was shown does not open.
    private var hasLosses = false
    /// Of the note that was shown last.
    private var pictures: PictureQueue
    /// Most pictures that are shown; more are only named.
    private static let pictureCountMax = 20

    init(_ store: OpenVault, _ versions: [NoteVersion], withDetails: Bool) {
        self.store = store
        self.versions = versions
        self.withDetails = withDetails
        pictures = PictureQueue(store)
    }

    var isWaiting: Bool { pictures.isWaiting }
    var note: NoteID? { pictures.note }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if try pictures.step(connection) { return nil }
            guard next < versions.count else { return ending }
            try show(connection)
            next += 1
            return next == versions.count && pictures.isEmpty ? ending : nil
        } catch {
            guard error.code == .noRevision, let number = versions[next].number else { return error.outcome }
            return missing(number, of: versions[next].note)
        }
    }

    /// Returns the answer for a revision that was dropped. It has no number any more: those that are left are counted.
    private func missing(_ number: Int, of note: NoteID) -> Outcome {
        let count = (try? store.history.revisions(of: note).count) ?? 1
        return Outcome(
            .notFound,
            "this note has no revision @\(number): its oldest is @\(count - 1), and earlier ones were deleted",
            hint: "vault history \((try? store.notes.shortID(note)) ?? "ID")")
    }

    private var ending: Outcome {
        hasLosses
            ? Outcome(
                .integrity, "an attachment of this note is damaged and is not shown",
                hint: "vault check names it; vault attach rm ID NUMBER removes it")
            : Outcome(.ok)
    }

    private func show(_ connection: Connection) throws(VaultError) {
        let version = versions[next]
        let note =
            if let number = version.number { try store.history.note(version.note, revision: number) } else {
                try store.notes.note(version.note)
            }
        // What hangs on a note now hangs on it as it is, and on no old text.
        let isBare = !withDetails || note.attachments.isEmpty || version.number != nil
        let attachments = isBare ? [] : try attachments(of: note.id)
        var shown = ShownNote()
        (shown.titleIsSet, shown.body) = (note.titleIsSet, note.body)
        shown.note = NoteRow(
            note, shortID: withDetails ? try store.notes.shortID(note.id) : "", withSnippet: withDetails)
        (shown.attachments, shown.number) = (
            attachments.map { AttachmentRow($0) }, version.number.map { UInt32(clamping: $0) }
        )
        // A book that does not open keeps nobody from reading its notes.
        let place = note.bookPlace.flatMap { place in (try? store.books.place(of: place)) ?? nil }
        shown.book = place.map { BookSpot($0.book, $0.chapter) }
        (shown.isFirst, shown.isLast) = (next == 0, next + 1 == versions.count)
        connection.reply(shown)
        guard connection.client.wantsPictures else { return }
        pictures.add(attachments.filter { Thumbnail.isShown($0.details) }.prefix(Self.pictureCountMax))
    }

    /// Returns the attachments of a note, or those that can be read: a text is shown whatever has become of what hangs
    /// on it.
    private func attachments(of note: NoteID) throws(VaultError) -> [Attachment] {
        do throws(VaultError) { return try store.attachments.all(of: note) } catch {
            guard error.code == .integrity else { throw error }
            hasLosses = true
            return try store.attachments.readable(of: note)
        }
    }
}
