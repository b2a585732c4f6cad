// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
internal import Presentation

/// `Recording` is an attachment that is written while it is recorded: each piece goes through a pipe to the agent,
/// which seals it. What came is attached when this process ends, and when the vault is locked.
final class Recording: Sendable {
    private struct Input {
        var descriptor: Int32
        var isWriting = false
        var mustClose = false
    }

    let note: String
    private let request: PutAttachment
    private let line: AgentLine
    private let input: NIOLockedValueBox<Input>
    private let heard = NIOLockedValueBox(BootTime.seconds)

    /// Begins one, with what the file is.
    init(_ file: AddedFile, of note: String, over line: AgentLine) throws(ClientFailure) {
        (self.note, self.line) = (note, line)
        request = PutAttachment(ref: note, file: file, isRecording: true)
        var pipe = try Pipe()
        input = NIOLockedValueBox(Input(descriptor: pipe.takeWriting()))
        // What the page sends by itself is no use of the vault.
        line.connection.traits.isUnattended = true
        try line.connection.send(request, Enclosure(descriptor: pipe.readingEnd))
    }

    deinit { closeInput() }

    /// Passes a piece on; false when the agent takes no more. A slow disk holds up whoever brings it, and nobody else.
    func add(_ piece: [UInt8]) -> Bool {
        heard.withLockedValue { $0 = BootTime.seconds }
        let descriptor = input.withLockedValue { input -> Int32 in
            guard !input.isWriting, !input.mustClose else { return -1 }
            input.isWriting = input.descriptor >= 0
            return input.descriptor
        }
        guard descriptor >= 0 else { return false }
        let isWritten = PipeWriting.write(piece, to: descriptor)
        input.withLockedValue { input in
            input.isWriting = false
            if input.mustClose { Self.close(&input) }
        }
        return isWritten
    }

    var secondsOfSilence: Double { BootTime.seconds - heard.withLockedValue { $0 } }

    /// Attaches what came: nobody else may have this recording any more.
    ///
    /// - Returns: its identifier.
    func finish() throws(ClientFailure) -> String {
        try end()
        let (outcome, replies) = try line.connection.ask(CommitAttachments(ref: note))
        try outcome.require()
        return replies.last?.attachments.last?.id ?? ""
    }

    /// Throws away what came. A line that merely ended would have it attached.
    func drop() throws(ClientFailure) { try end() }

    private func end() throws(ClientFailure) {
        closeInput()
        let (outcome, _) = try line.connection.answer(to: request)
        try outcome.require()
    }

    private func closeInput() {
        input.withLockedValue { input in
            if input.isWriting { input.mustClose = true } else { Self.close(&input) }
        }
    }

    private static func close(_ input: inout Input) {
        if input.descriptor >= 0 { Glibc.close(input.descriptor) }
        input.descriptor = -1
    }
}

/// `Recordings` holds the recordings that are under way. One of which no piece comes any more has lost its page: what
/// came of it is attached.
final class Recordings: Sendable {
    /// What was attached without its page.
    struct Kept: Sendable {
        let note: String
        let attachment: String
    }

    private struct State {
        var recordings: [UInt32: Recording] = [:]
        var kept: [UInt32: Kept] = [:]
        var last: UInt32 = 0
    }

    static let countMax = 2
    /// A piece comes each second.
    private static let silenceMax = 10.0
    private let state = NIOLockedValueBox(State())

    /// Keeps a recording, and returns its number; nil when there are enough.
    func add(_ recording: Recording) -> UInt32? {
        state.withLockedValue { state in
            guard state.recordings.count < Self.countMax else { return nil }
            state.last += 1
            state.recordings[state.last] = recording
            return state.last
        }
    }

    /// - Throws: `.notFound` for one that has ended.
    func find(_ number: String) throws(ClientFailure) -> Recording {
        guard let number = UInt32(number), let found = state.withLockedValue({ $0.recordings[number] }) else {
            throw Self.ended
        }
        return found
    }

    /// Takes a recording out: whoever has it ends it.
    ///
    /// - Returns: nil for one that was attached when its page had been silent for long.
    /// - Throws: `.notFound` for one that has ended otherwise.
    func take(_ number: String) throws(ClientFailure) -> Recording? {
        let (found, isKept) = state.withLockedValue { state -> (Recording?, Bool) in
            guard let number = UInt32(number) else { return (nil, false) }
            return (state.recordings.removeValue(forKey: number), state.kept[number] != nil)
        }
        guard found != nil || isKept else { throw Self.ended }
        return found
    }

    /// Takes out what was attached when a page had been silent for long.
    func takeKept(_ number: String) -> Kept? {
        UInt32(number).flatMap { number in state.withLockedValue { $0.kept.removeValue(forKey: number) } }
    }

    /// Attaches those whose page has gone.
    ///
    /// - Returns: whether one is still under way.
    func finishSilent() -> Bool {
        let gone = state.withLockedValue { state in
            let gone = state.recordings.filter { $0.value.secondsOfSilence > Self.silenceMax }
            for number in gone.keys { state.recordings[number] = nil }
            return gone
        }
        for (number, recording) in gone {
            guard let attachment = try? recording.finish() else { continue }
            state.withLockedValue { $0.kept[number] = Kept(note: recording.note, attachment: attachment) }
        }
        return state.withLockedValue { !$0.recordings.isEmpty }
    }

    private static let ended = ClientFailure(.notFound, "this recording has ended", hint: "")
}
