// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedObjects
internal import VaultCore
internal import VaultFormat

/// `AttachSession` holds attachments that were sealed on one connection and are no one's yet: `commit` adds them as one
/// change, and what is not committed goes with the connection.
final class AttachSession {
    let note: NoteID
    private(set) var put: [(file: NewObject, sealed: SealedObject, details: AttachmentDetails)] = []

    init(_ note: NoteID) { self.note = note }

    func add(_ file: NewObject, _ sealed: SealedObject, _ details: AttachmentDetails) {
        put.append((file, sealed, details))
    }

    func dropLast(_ count: Int) { put.removeLast(min(count, put.count)) }
}
