// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import VaultFormat

/// Requests about where a note leads, and about taking it out. Spec: docs/agent-protocol.md §3.
public enum Leading: Sendable, Equatable {
    case links(ref: String)
    /// The target of the n-th link of a note, from 1, as bare output: for a program to open.
    case target(ref: String, number: UInt32)
    case backlinks(ref: String)
    /// Title and text as bare output: for the clipboard or a file.
    case share(ref: String)
}

extension Leading {
    private enum Operation: UInt8 { case links = 1, target, backlinks, share }

    func encode(to writer: inout ByteWriter) {
        switch self {
        case .links(let ref):
            writer.u8(Operation.links.rawValue)
            writer.text(ref)
        case .target(let ref, let number):
            writer.u8(Operation.target.rawValue)
            writer.text(ref)
            writer.u32(number)
        case .backlinks(let ref):
            writer.u8(Operation.backlinks.rawValue)
            writer.text(ref)
        case .share(let ref):
            writer.u8(Operation.share.rawValue)
            writer.text(ref)
        }
    }

    init(from reader: inout ByteReader) throws(FormatError) {
        guard let operation = Operation(rawValue: try reader.u8()) else { throw FormatError(.unknownKind) }
        let ref = try reader.text(max: Request.refMax)
        self =
            switch operation {
            case .links: .links(ref: ref)
            case .target: .target(ref: ref, number: try reader.u32())
            case .backlinks: .backlinks(ref: ref)
            case .share: .share(ref: ref)
            }
    }
}
