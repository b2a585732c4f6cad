// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

extension ExportNotes: Presented {
    /// Nothing: the path belongs to what is said, and only whoever asked for the export knows it.
    public func present(_ reply: ExportReport, on page: inout Page) {}
}
