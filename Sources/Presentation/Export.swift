// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol

extension ExportNotes: Presented {
    /// Presents nothing: the path belongs to what is said, and only the one who asked for the export knows it.
    public func present(_ reply: ExportReport, on page: inout Page) {}
}
