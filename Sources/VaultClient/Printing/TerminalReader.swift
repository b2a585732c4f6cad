// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import ParserProtocol
internal import Synchronization

/// `TerminalReader` lays texts out for a page, which may be made on any thread.
final class TerminalReader: Sendable {
    private struct Box: @unchecked Sendable { let reader = MarkdownReader() }
    private let box = Mutex(Box())

    func rows(of text: String, columns: Int) -> [ReadingRow]? {
        box.withLock { $0.reader.rows(of: text, columns: columns) }
    }
}
