// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ExportFormats
internal import ForeignCrypto
internal import Glibc
internal import SealedObjects
internal import VaultCore

/// `ExportFailure` says why an export was not written, as its owner is told.
enum ExportFailure {
    static func outcome(_ error: any Error) -> Outcome {
        switch error {
        case let error as ObjectError: error.outcome(.writing)
        case let error as VaultError: error.outcome
        case let error as ExportError: outcome(error)
        case let error as AgeError: outcome(error)
        default: Outcome(.other, "the export could not be written", hint: "try again")
        }
    }

    private static func outcome(_ error: ExportError) -> Outcome {
        switch error.code {
        case .noRoom: ObjectError(.noRoom).outcome(.writing)
        case .writeFailed: ObjectError(.io, systemError: error.systemNumber).outcome(.writing)
        case .exists, .notOurs:
            Outcome(
                .failSafe, "another program changed the export's folder while it was written",
                hint: "choose a place where only you write")
        case .sizeChanged, .badIdentifier: VaultError(.integrity).outcome
        case .badPath:
            Outcome(.other, "a name could not be turned into a file name", hint: "vault export json accepts every name")
        default: Outcome(.other, "the export could not be written", hint: "try again")
        }
    }

    private static func outcome(_ error: AgeError) -> Outcome {
        switch error.code {
        case .inputOutput:
            ObjectError([ENOSPC, EDQUOT, EFBIG].contains(error.systemError) ? .noRoom : .io).outcome(.writing)
        case .tooExpensive: VaultError(.outOfMemory).outcome
        default: VaultError(.libraryFailed).outcome
        }
    }
}

extension ExportReport.Loss {
    /// Says what the formats report. Missing is what was asked for and is not there; the rest is what a format never
    /// has (docs/export.md).
    init(_ loss: ExportLoss, _ order: ExportNotes) {
        let isMissing =
            switch loss.code {
            case .privateNotes, .dates: true
            // The only format with a past: then some of it did not fit.
            case .history: order.format == .json
            case .protection, .attachmentContents, .attachmentDetails, .captions, .flags, .sources, .renamedNotebooks,
                .renamedAttachments,
                .noteLinks, .unrendered, .unshownText, .books:
                false
            }
        let words =
            isMissing && loss.code == .history
            ? "older revisions were left out: too much for one note, or damaged" : loss.code.words
        self.init(code: "\(loss.code)", words: words, count: UInt64(loss.count), isMissing: isMissing)
    }

    /// Returns the loss of attachments that are missing in the vault.
    ///
    /// - Parameter notes: some of those that name them, by their identifiers.
    static func lost(_ attachments: Int, of notes: [String]) -> ExportReport.Loss {
        Self(
            code: "lostAttachments",
            words: "attachments are missing in the vault and were left out (of \(notes.joined(separator: ", ")))",
            count: UInt64(attachments), isMissing: true)
    }

    /// Returns the loss of notes that are damaged.
    ///
    /// - Parameter notes: some of them, by their identifiers.
    static func damaged(_ count: Int, _ notes: [String]) -> ExportReport.Loss {
        let named = notes.joined(separator: ", ") + (notes.count < count ? ", …" : "")
        return Self(
            code: "damagedNotes", words: "notes are damaged and were left out (\(named))", count: UInt64(count),
            isMissing: true)
    }
}
