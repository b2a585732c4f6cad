// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText

// Parity: written, and used.

extension MendBackup: Presented {
    public func present(_ reply: MendedBackup, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer([
                    ("dryRun", .bool(isTrial)), ("checkedFiles", .count(reply.checkedFiles)),
                    ("checkedByteCount", .count(reply.checkedByteCount)), ("parityFiles", .count(reply.parityFiles)),
                    ("mended", .array(reply.mended.map(\.json))), ("lost", .array(reply.lost.map(\.json))),
                    ("mendedParity", .names(reply.mendedParity)), ("lostParity", .names(reply.lostParity)),
                    ("uncovered", .count(reply.uncovered)),
                ]))
        }
        let word = isTrial ? "can be mended" : "mended"
        for file in reply.mended { page.output("\(file.words): \(word)\n") }
        for name in reply.mendedParity { page.output("parity \(SafeText.singleLine(name)): \(word)\n") }
        for file in reply.lost { page.talk("vault: loss: \(file.words): beyond repair") }
        for name in reply.lostParity {
            page.talk("vault: loss: parity \(SafeText.singleLine(name)) can no longer be used")
        }
        let count = reply.checkedFiles
        let size = Quantity.bytes(reply.checkedByteCount)
        let checked = "\(Quantity.grouped(count)) file\(count == 1 ? "" : "s"), \(size)"
        let isWhole = reply.mended.isEmpty && reply.lost.isEmpty && reply.mendedParity.isEmpty
        page.output("compared \(checked)\(isWhole ? ": all whole" : "")\n")
        guard reply.uncovered > 0 else { return }
        let files = "\(Quantity.grouped(reply.uncovered)) file\(reply.uncovered == 1 ? " has" : "s have")"
        page.talk("vault: note: \(files) no parity and could not be compared")
    }
}

extension CoverArchive: Presented {
    /// Says nothing of an archive's parity in JSON: the answer is the archive's.
    public func present(_ reply: CoveredArchive, on page: inout Page) {
        guard !page.style.json else { return }
        page.output("parity in \(SafeText.singleLine(archive)).parity, \(Quantity.bytes(reply.byteCount))\n")
    }
}

extension MendedBackup.File {
    fileprivate var json: JSONText {
        .object([
            ("path", .string(path)), ("damagedBlocks", .count(damagedBlocks)), ("missing", .bool(wasMissing)),
        ])
    }

    /// "objects/ab/…: 2 blocks"
    fileprivate var words: String {
        let what = wasMissing ? "missing" : "\(damagedBlocks) damaged block\(damagedBlocks == 1 ? "" : "s")"
        return "\(SafeText.singleLine(path)) (\(damagedBlocks == 0 && !wasMissing ? "of another size" : what))"
    }
}
