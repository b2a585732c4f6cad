// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

extension ExportNotes: Presented {
    /// Presents nothing: the message includes the path, which only the client knows.
    public func present(_ reply: ExportReport, on page: inout Page) {}
}
