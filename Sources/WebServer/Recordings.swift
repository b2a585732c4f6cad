// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc
internal import NIOConcurrencyHelpers
internal import Presentation

/// `Recording` is an attachment that is written while it is recorded: each piece goes through a pipe to the agent, which
/// seals it, so that what goes with a browser that ends is the last second.
final class Recording: Sendable {
    private struct State {
        var input: Int32
        var heard = BootTime.seconds
    }

    let note: String
    private let request: PutAttachment
    private let line: AgentLine
    private let state: NIOLockedValueBox<State>

    /// Begins one, with what the file is.
    init(_ file: AddedFile, of note: String, over line: AgentLine) throws(ClientFailure) {
        (self.note, self.line) = (note, line)
        request = PutAttachment(ref: note, file: file)
        var pipe = try Pipe()
        state = NIOLockedValueBox(State(input: pipe.takeWriting()))
        // What the page sends by itself is no use of the vault.
        line.connection.traits.isUnattended = true
        try line.connection.send(request, Enclosure(descriptor: pipe.readingEnd))
    }

    deinit { closeInput() }

    /// Passes a piece on; false when the agent takes no more.
    func add(_ piece: [UInt8]) -> Bool {
        state.withLockedValue { state in
            state.heard = BootTime.seconds
            return state.input >= 0 && PipeWriting.write(piece, to: state.input)
        }
    }

    func secondsOfSilence() -> Double { BootTime.seconds - state.withLockedValue { $0.heard } }

    /// Attaches what came: nobody else may have this recording any more.
    func finish() throws(ClientFailure) -> Answer {
        closeInput()
        let (outcome, _) = try line.connection.answer(to: request)
        guard outcome.code == .ok else { return .failure(outcome) }
        return try line.asked(CommitAttachments(ref: note), Enclosure())
    }

    private func closeInput() {
        state.withLockedValue { state in
            if state.input >= 0 { close(state.input) }
            state.input = -1
        }
    }
}

/// `Recordings` holds the recordings that are under way. One of which no piece comes any more has lost its page: what
/// came of it is attached.
final class Recordings: Sendable {
    private struct State {
        var recordings: [UInt32: Recording] = [:]
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
            throw ClientFailure(.notFound, "this recording has ended", hint: "")
        }
        return found
    }

    /// Takes a recording out: whoever has it ends it.
    func take(_ number: String) throws(ClientFailure) -> Recording {
        let found = try find(number)
        let isOurs = state.withLockedValue { state in
            UInt32(number).map { state.recordings.removeValue(forKey: $0) != nil } == true
        }
        guard isOurs else { throw ClientFailure(.notFound, "this recording has ended", hint: "") }
        return found
    }

    /// Attaches those whose page has gone, or all of them.
    ///
    /// - Returns: whether one is still under way.
    @discardableResult
    func finishSilent(all: Bool = false) -> Bool {
        let gone = state.withLockedValue { state in
            let gone = state.recordings.filter { all || $0.value.secondsOfSilence() > Self.silenceMax }
            for number in gone.keys { state.recordings[number] = nil }
            return gone
        }
        for recording in gone.values { _ = try? recording.finish() }
        return state.withLockedValue { !$0.recordings.isEmpty }
    }
}
