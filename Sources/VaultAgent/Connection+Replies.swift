// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol

/// This extension sends answers as values, in frames that leave room for others.
extension Connection {
    /// Sends a list in parts of a size that any client takes.
    func reply(_ list: NoteList) {
        guard list.notes.count > Self.listPartCount else { return sendReply(list) }
        for begin in stride(from: 0, to: list.notes.count, by: Self.listPartCount) {
            var part = list
            let end = min(begin + Self.listPartCount, list.notes.count)
            part.notes = Array(list.notes[begin..<end])
            part.isFirst = list.isFirst && begin == 0
            part.isLast = list.isLast && end == list.notes.count
            sendReply(part)
        }
    }

    private static let listPartCount = 1000

    /// Sends a value of an answer, in frames that leave room for others.
    func reply(_ value: some ReplyValue) { sendReply(value) }

    private func sendReply(_ value: some ReplyValue) {
        handles?.note(value, of: self)
        let bytes = value.encoded
        var begin = 0
        while bytes.count - begin > Frame.replyPartByteCountMax {
            send(.replyPart, Array(bytes[begin..<(begin + Frame.replyPartByteCountMax)]))
            begin += Frame.replyPartByteCountMax
        }
        send(.reply, begin == 0 ? bytes : Array(bytes[begin...]))
    }

    func tell(_ notice: Notice) { send(.notice, notice.encoded) }
    func end(_ outcome: Outcome) { send(.end, outcome.encoded) }
}
