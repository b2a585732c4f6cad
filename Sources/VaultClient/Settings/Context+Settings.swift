// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol

extension Context {
    /// How long revisions are kept.
    func retention() throws(ClientFailure) -> ThinHistory {
        let settings = try settings()
        var options = ThinHistory()
        options.keepAllSeconds = settings.historyKeepAllSeconds
        options.keepDailySeconds = settings.historyKeepDailySeconds
        return options
    }
}
