// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Dates
internal import Presentation

extension Site {
    /// Asks the agent, and answers with what `--json` prints of it.
    ///
    /// - Parameter isByHand: whether a person asked: only that counts as use of the vault.
    func asked<Asked: Presented>(_ operation: Asked, isByHand: Bool = true) throws(ClientFailure) -> Answer {
        try agents.with(isByHand: isByHand) { line throws(ClientFailure) in
            try line.asked(operation, Enclosure())
        }
    }
}

extension AgentLine {
    /// Asks the agent on this line.
    func asked<Asked: Presented>(_ operation: Asked, _ enclosure: consuming Enclosure) throws(ClientFailure) -> Answer {
        let (outcome, replies) = try connection.ask(operation, enclosure)
        guard outcome.code == .ok || outcome.code == .doneWithLosses else { return .failure(outcome) }
        return .json(Self.json(operation, replies))
    }

    static func json<Asked: Presented>(_ operation: Asked, _ replies: [Asked.Reply]) -> [UInt8] {
        var style = PageStyle(clock: RenderingClock(now: 0) { _ in 0 })
        style.json = true
        var page = Page(style)
        for reply in replies { operation.present(reply, on: &page) }
        let bytes = page.pieces.flatMap { piece in
            if case .output(let bytes) = piece { bytes } else { [UInt8]() }
        }
        // What has nothing to answer answers so.
        return bytes.isEmpty ? Array("{}".utf8) : bytes
    }
}
