// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ParserProtocol
internal import VaultAgent

/// What processes say to each other: frames of client and agent, and the records of `vault-parse`, which may have been
/// taken over by what it read.
extension FuzzTarget {
    static let spoken = [frame, records]

    /// A request has more than one encoding where text in it has, so it must read back as itself.
    private static let frame = FuzzTarget(
        "frame",
        choice([
            { bytes in
                guard let (_, byteCount) = Frame.parsePrefix(Array(bytes.prefix(Frame.prefixByteCount))) else {
                    return true
                }
                guard byteCount >= 0, byteCount < Frame.byteCountMax else { return false }
                return isStable(Array(bytes.dropFirst(Frame.prefixByteCount)))
            },
            isStable,
            { identity(Hello.init(parsing:), \.encoded, $0) },
            { identity(Outcome.init(parsing:), \.encoded, $0) },
            { identity(Progress.init(parsing:), \.encoded, $0) },
            { identity(EditText.init(parsing:), \.encoded, $0) },
            { identity(DescribedAttachment.init(parsing:), \.encoded, $0) },
            { identity(ShownPicture.init(parsing:), \.encoded, $0) },
            isStableReply,
        ]))

    /// The first byte chooses the operation that is answered.
    @Sendable private static func isStableReply(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return true }
        let operation: any Operation.Type = OperationTable.operations[Int(first) % OperationTable.operations.count]
        return isReplyStable(operation, Array(bytes.dropFirst()))
    }

    private static func isReplyStable<Asked: Operation>(_ operation: Asked.Type, _ bytes: [UInt8]) -> Bool {
        identity({ try Asked.Reply(parsing: $0) }, \.encoded, bytes)
    }

    @Sendable private static func isStable(_ payload: [UInt8]) -> Bool {
        guard let (operation, client) = try? OperationTable.parse(payload) else { return true }
        let again = operation.encoded(for: client)
        guard let second = try? OperationTable.parse(again) else { return false }
        return second.operation.encoded(for: second.client) == again
    }

    private static let records = FuzzTarget(
        "records",
        choice([
            { identity(ParsedNote.init(parsing:), \.encoded, $0) },
            { identity(PictureRecord.parse, \.encoded, $0) },
            { identity(ImportRecord.init(parsing:), \.encoded, $0) },
            { identity(ContainerFrame.init(parsing:), \.encoded, $0) },
            { identity(ForeignFile.init(parsing:), \.encoded, $0) },
            { identity(SketchCheckRecord.init(parsing:), \.encoded, $0) },
            { identity(SketchImportRecord.init(parsing:), \.encoded, $0) },
            { identity(SketchDrawingRecord.init(parsing:), \.encoded, $0) },
            { bytes in
                _ = try? RecoveryPageRecord(parsing: bytes)
                return true
            },
        ]))
}
