// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ForeignRecords
internal import VaultCore
internal import VaultFormat

/// `vault show` and `vault cat`: a note at a time, as the client takes them; below it its attachments, and pictures where they are wanted.
final class ShowJob: Job {
    private let store: VaultStore
    private let ids: [NoteID]
    private let raw: Bool
    private let bodiesOnly: Bool
    private var next = 0
    /// Of the note that was shown last: pictures still to be shown, and the one that is being made.
    private var pictures: [Attachment] = []
    private var making: (attachment: Attachment, work: Background<[UInt8]?>)?
    /// More are only named.
    private static let pictureCountMax = 20

    init(_ store: VaultStore, _ ids: [NoteID], raw: Bool, bodiesOnly: Bool) {
        self.store = store
        self.ids = ids
        self.raw = raw
        self.bodiesOnly = bodiesOnly
    }

    deinit { making?.work.cancel() }

    var isWaiting: Bool { making != nil }
    var note: NoteID? { making?.attachment.note ?? pictures.first?.note }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if try showPictures(connection) { return nil }
            guard next < ids.count else { return Outcome(.ok) }
            try show(connection)
            next += 1
            return next == ids.count && pictures.isEmpty ? Outcome(.ok) : nil
        } catch { return error.outcome }
    }

    private func show(_ connection: Connection) throws(VaultError) {
        let note = try store.note(ids[next])
        let answer = Answer(connection)
        guard !bodiesOnly || connection.presentation.json else { return answer.body(note) }
        let isPlain = raw || !connection.presentation.isTerminal
        // The raw text is all that is wanted of it: attachments are not looked for.
        let attachments = note.attachments.isEmpty || (isPlain && !connection.presentation.json) ? [] : try store.attachments(of: note.id)
        answer.show(note, attachments, shortID: try store.shortID(note.id), raw: raw, isFirst: next == 0, isLast: next + 1 == ids.count)
        guard !attachments.isEmpty, !connection.presentation.json else { return }
        answer.attachmentLines(attachments)
        guard connection.presentation.wantsPictures else { return }
        pictures = Array(attachments.filter { Thumbnail.isShown($0.details) }.prefix(Self.pictureCountMax))
    }

    /// - Returns: whether there was one to be shown, or made.
    private func showPictures(_ connection: Connection) throws(VaultError) -> Bool {
        if let (attachment, work) = making {
            guard let result = work.takeResult() else { return true }
            making = nil
            // What could not be decoded is not tried again; a failed program is.
            if let record = result {
                if !store.isReadOnly { try? store.saveThumbnail(record, of: attachment.id, note: attachment.note) }
                send(record, of: attachment, connection)
            }
            return true
        }
        guard let attachment = pictures.first else { return false }
        pictures.removeFirst()
        if let record = try store.thumbnail(of: attachment.id, note: attachment.note) {
            send(record, of: attachment, connection)
        } else {
            let content = try store.content(of: attachment.id, note: attachment.note)
            making = (attachment, Background { goesOn in Thumbnail.make(content, goesOn: goesOn) })
        }
        return true
    }

    private func send(_ record: [UInt8], of attachment: Attachment, _ connection: Connection) {
        guard case .picture(let pixels)? = try? PictureRecord.parse(record) else { return }
        let shown = ShownPicture(
            name: attachment.name, caption: attachment.details.caption, width: UInt32(pixels.width), height: UInt32(pixels.height),
            pixels: pixels.rgba)
        connection.send(.picture, shown.encoded)
    }
}
