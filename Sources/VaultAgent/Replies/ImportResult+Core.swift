// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ParserProtocol
internal import VaultCore

extension ImportLosses {
    init(_ losses: [ImportLoss]) { self.init(losses.map { Loss($0) }) }
}

extension ImportLosses.Loss {
    fileprivate init(_ loss: ImportLoss) {
        self.init(path: loss.path, code: loss.code, detail: loss.detail, sentence: loss.sentence)
    }
}

extension ImportResult {
    /// - Parameter naming: whether losses are told one by one too, and not only counted.
    init(_ session: ImportSession, naming: Bool) {
        self.init()
        let tally = session.tally
        dryRun = session.order.dryRun
        (created, updated, unchanged, attachments) = (tally.created, tally.updated, tally.unchanged, tally.attachments)
        notCompared = session.notComparedCount
        kept = session.kept.map { Kept($0) }
        lossCount = session.lossCount
        losses = naming ? session.losses.map { ImportLosses.Loss($0) } : []
    }
}

extension ImportResult.Kept {
    fileprivate init(_ kept: ImportKept) {
        self.init(
            code: "\(kept.loss.code)", detail: kept.loss.detail, sentence: kept.loss.code.sentence, count: kept.count)
    }
}
