// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ParserProtocol
internal import VaultCore
internal import VaultFormat

/// `PictureQueue` sends the small pictures of attachments, one after another; those that are not there are made, on a
/// thread and in a program of their own, and kept.
final class PictureQueue {
    private let store: OpenVault
    private var attachments: ArraySlice<Attachment> = []
    private var making: (attachment: Attachment, work: Background<[UInt8]?>)?
    private(set) var sentCount = 0

    init(_ store: OpenVault) { self.store = store }

    deinit { making?.work.cancel() }

    var isEmpty: Bool { attachments.isEmpty && making == nil }
    var isWaiting: Bool { making != nil }
    /// Whose picture is next.
    var note: NoteID? { making?.attachment.note ?? attachments.first?.note }

    func add(_ more: some Sequence<Attachment>) { attachments += more }

    /// Sends the next picture, or starts to make it.
    ///
    /// - Returns: whether there was one to be sent, or made.
    func step(_ connection: Connection) throws(VaultError) -> Bool {
        if let (attachment, work) = making {
            guard let result = work.takeResult() else { return true }
            making = nil
            // What could not be decoded is not tried again; a failed program is.
            if let record = result {
                if !store.isReadOnly {
                    try? store.attachments.saveThumbnail(record, of: attachment.id, note: attachment.note)
                }
                send(record, of: attachment, connection)
            }
            return true
        }
        guard let attachment = attachments.popFirst() else { return false }
        if let record = try store.attachments.thumbnail(of: attachment.id, note: attachment.note) {
            send(record, of: attachment, connection)
        } else {
            let content = try store.attachments.content(of: attachment.id, note: attachment.note)
            making = (attachment, Background { goesOn in Thumbnail.make(content, goesOn: goesOn) })
        }
        return true
    }

    private func send(_ record: [UInt8], of attachment: Attachment, _ connection: Connection) {
        guard case .picture(let pixels)? = try? PictureRecord.parse(record) else { return }
        let shown = ShownPicture(
            name: attachment.name, caption: attachment.details.caption, width: UInt32(pixels.width),
            height: UInt32(pixels.height), pixels: pixels.rgba)
        connection.send(.picture, shown.encoded)
        sentCount += 1
    }
}

/// `ThumbnailJob` serves the page with the small picture of one attachment.
final class ThumbnailJob: Job {
    private let pictures: PictureQueue

    init(_ store: OpenVault, _ attachment: Attachment) {
        pictures = PictureQueue(store)
        if Thumbnail.isShown(attachment.details) { pictures.add([attachment]) }
    }

    var isWaiting: Bool { pictures.isWaiting }
    var note: NoteID? { pictures.note }

    func step(_ connection: Connection) -> Outcome? {
        do throws(VaultError) {
            if try pictures.step(connection) { return nil }
            guard pictures.sentCount > 0 else {
                return Outcome(.notFound, "there is no small picture of this file", hint: "vault attach open ID NAME")
            }
            return Outcome(.ok)
        } catch { return error.outcome }
    }
}
