// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import VaultFormat

extension UploadState {
    /// Where a note is, in one sign and a word.
    var mark: String {
        switch self {
        case .persisted: "● saved here"
        case .pending: "↥ not uploaded"
        case .uploaded: "☁ uploaded"
        }
    }
}
