// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import VaultFormat

/// What a client should know besides the answer of its operation. It may come before any reply.
public struct Notice: ReplyValue {
    public enum Kind: UInt8, Sendable {
        /// `count` drafts were recovered.
        case draftsRecovered = 1
        /// There is a draft of the note that is edited: `name`.
        case draftExists
        /// The note is open in another editor.
        case editedElsewhere
        /// A copy has no attachments.
        case attachmentsStay
        /// The vault was changed although its last check found `count` problems.
        case lastCheckFailed
        /// A rotation continues automatically from here.
        case newKeyInPlace
        /// The chain of the vault's changes does not fit together.
        case chainDamaged
        /// `count` notes link to a note by the title `name`, which it no longer has.
        case linkedByOldTitle
    }

    public var kind = Kind.draftsRecovered
    public var count = 0
    public var name = ""
    public init() {}
    public init(_ kind: Kind, count: Int = 0, name: String = "") {
        (self.kind, self.count, self.name) = (kind, count, name)
    }

    public mutating func code(_ fields: inout some FieldCoder) throws(FormatError) {
        try fields.code(&kind)
        try fields.count(&count)
        try fields.text(&name)
    }
}
