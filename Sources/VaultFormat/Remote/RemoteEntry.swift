// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// One thing that happened, as the items that tell it: of a note its entry, a renewal of it, or a statement about the
/// whole vault. It is the same on every device, whoever tells it.
///
/// ```
/// entry of a note    entry, then at most one keyslot, at most one revision, attachments, thumbnails
/// renewal            renewal, then at most one keyslot, revisions, attachments, thumbnails
/// any other          the item alone
/// ```
/// Spec: docs/format.md §25.6.
public struct RemoteEntry: Sendable, Equatable {
    /// The first says what it is.
    public let items: [RemoteItem]

    /// - Throws: `FormatError.notCanonical` for another order or another note's items, `.duplicate`.
    public init(_ items: [RemoteItem]) throws(FormatError) {
        guard let first = items.first, first.beginsEntry else { throw FormatError(.notCanonical) }
        var rules = Rules(first)
        for item in items.dropFirst() { try rules.take(item) }
        self.items = items
    }

    /// - Throws: `FormatError`.
    public init(parsing body: [UInt8]) throws(FormatError) {
        var reader = ByteReader(body)
        var items: [RemoteItem] = []
        while reader.remaining > 0 || items.isEmpty { items.append(try RemoteItem(from: &reader)) }
        try self.init(items)
    }

    public var encoded: [UInt8] { items.flatMap(\.encoded) }

    /// 16 bytes that name it: of an entry its revision, of an object the first half of its name, else the statement's.
    public var id: [UInt8] {
        switch items[0] {
        case .entry(let entry): entry.revisionID.bytes
        case .object(let told): Array(told.object.bytes.prefix(16))
        case .renewal(let renewal): renewal.statement.id
        case .device(let statement): statement.statement.id
        case .keyslot(let statement): statement.statement.id
        case .keyslotRemoval(let statement): statement.statement.id
        case .setting(let statement): statement.statement.id
        case .archived, .thumbnail: preconditionFailure("such an item begins nothing")
        }
    }

    /// What it did to a note; nil for anything else.
    public var told: ToldEntry? {
        if case .entry(let entry) = items[0] { entry } else { nil }
    }

    /// What may stand behind the first item, in which order.
    private struct Rules {
        private let noteID: NoteID?
        /// Of an entry; a renewal may have any.
        private let revisionID: RevisionID?
        private var last: RemoteItem.Kind?
        private var revisions: Set<RevisionID> = []
        private var attachments: Set<AttachmentID> = []
        private var thumbnails: Set<AttachmentID> = []

        init(_ first: RemoteItem) {
            switch first {
            case .entry(let entry):
                noteID = entry.operation == .purge ? nil : entry.noteID
                revisionID = entry.revisionID
            case .renewal(let renewal):
                noteID = renewal.noteID
                revisionID = nil
            default:
                noteID = nil
                revisionID = nil
            }
        }

        mutating func take(_ item: RemoteItem) throws(FormatError) {
            guard let noteID, item.kind.rawValue >= last?.rawValue ?? 0 else { throw FormatError(.notCanonical) }
            let isNew: Bool
            switch item {
            case .archived(.noteKeyslot(let slot)):
                isNew = last == nil
                guard slot.noteID == noteID else { throw FormatError(.notCanonical) }
            case .archived(.revision(let revision)):
                guard revision.noteID == noteID, revisionID == nil || revision.id == revisionID else {
                    throw FormatError(.notCanonical)
                }
                isNew = revisions.insert(revision.id).inserted
            case .archived(.attachment(let attachment)):
                isNew = attachments.insert(attachment.id).inserted
                guard attachment.noteID == noteID else { throw FormatError(.notCanonical) }
            case .thumbnail(let thumbnail):
                isNew = thumbnails.insert(thumbnail.attachmentID).inserted
                guard thumbnail.noteID == noteID else { throw FormatError(.notCanonical) }
            default: throw FormatError(.notCanonical)
            }
            guard isNew else { throw FormatError(.duplicate) }
            last = item.kind
        }
    }
}

extension RemoteItem {
    /// Whether an entry begins with it; the others belong to the one before them.
    var beginsEntry: Bool {
        switch self {
        case .archived, .thumbnail: false
        case .entry, .renewal, .object, .device, .keyslot, .keyslotRemoval, .setting: true
        }
    }
}
