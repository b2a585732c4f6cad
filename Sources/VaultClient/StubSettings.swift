// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
struct Settings {
    var editor: String?
    var dailyNotebook = "Daily"
    var dailyTemplate = "daily"
}
extension Context {
    func settings() throws(ClientFailure) -> Settings { Settings() }
    func retention() throws(ClientFailure) -> RetentionOptions { RetentionOptions() }
}
