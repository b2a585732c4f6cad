// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ExportFormats
internal import Glibc
internal import SealedObjects
internal import TerminalText
internal import VaultCore

/// `UnreadableAttachments` holds attachments that do not open, found before anything of their note is written: no
/// archive, pipe or age file can take back half a file.
struct UnreadableAttachments {
    /// What scripts find in the report.
    static let code = "damagedAttachments"
    private static let namesMax = 20
    private static let nameByteCountMax = 40

    private var count = 0
    private var names: [String] = []

    /// Takes what does not open off a note.
    ///
    /// - Parameter open: reads an attachment to its end, or throws.
    /// - Throws: what `open` throws for another reason than damage.
    mutating func leaveOut(of note: inout ExportedNote, _ open: (String) throws -> Void) throws {
        var readable: [ExportedAttachment] = []
        for attachment in note.attachments {
            do {
                try open(attachment.id)
                readable.append(attachment)
            } catch {
                guard Self.isDamage(error) else { throw error }
                count += 1
                guard names.count < Self.namesMax else { continue }
                let name = SafeText.singleLine(attachment.name)
                let short = name.utf8.count > Self.nameByteCountMax ? String(name.prefix(10)) + "…" : name
                names.append("'\(short)' of \(note.id.prefix(8))")
            }
        }
        note.attachments = readable
    }

    /// What the report says; nil when all of them open.
    var loss: ExportReport.Loss? {
        guard count > 0 else { return nil }
        let named = names.joined(separator: ", ") + (names.count < count ? ", …" : "")
        return ExportReport.Loss(
            code: Self.code, words: "attachments do not open and were left out (\(named))",
            count: UInt64(count), isMissing: true)
    }

    /// Says whether an attachment is damaged, cut, exchanged or gone; also what the disk itself cannot read.
    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case let error as ObjectError: error.code == .notAuthentic || (error.code == .io && error.systemError == EIO)
        case let error as VaultError:
            error.code == .integrity || error.code == .notOurs || (error.code == .system && error.systemError == EIO)
        default: false
        }
    }
}
