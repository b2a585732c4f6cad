// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `PagedOutput` writes to standard output, through a pager once the output is longer than the screen.
///
/// ```
/// holding ──more than the screen──▶ paging ──pager ended──▶ ended: all else is dropped
///    └──no pager, or none wanted──▶ plain
/// ```
/// The writer calls `finish` at the end, also after a failure: only then has the person read what the pager shows.
struct PagedOutput: ~Copyable {
    private enum State {
        case holding([UInt8])
        case plain
        case paging(pid: pid_t, pipe: Int32)
        case ended(pid: pid_t)
    }

    /// Text that takes no rows, such as escape sequences, is not held without end.
    private static let heldByteCountMax = 1 << 20

    private var state: State
    private var rows: ScreenRows
    private let rowCountMax: Int
    private let choice: PagerChoice?
    private var signals: TerminalSignals?

    /// Whether a pager has the terminal: Ctrl-C is meant for it.
    var isPaging: Bool {
        switch state {
        case .paging, .ended: true
        case .holding, .plain: false
        }
    }

    /// Prepares the output: it is held back at first where a pager may be needed.
    ///
    /// - Parameters:
    ///   - choice: the pager; it is looked for only where one may be started.
    ///   - isTerminal: whether standard output is one; without it nothing is ever paged.
    ///   - size: of the terminal; nil when unknown.
    init(
        _ page: PageChoice, _ choice: @autoclosure () -> PagerChoice?, isTerminal: Bool,
        size: (rows: Int, columns: Int)?
    ) {
        rows = ScreenRows(columns: size?.columns ?? 80)
        // The shell's prompt takes a row.
        rowCountMax = page == .always ? 0 : max((size?.rows ?? 24) - 1, 1)
        self.choice = isTerminal && page != .never && Terminal.canDraw ? choice() : nil
        state = self.choice == nil ? .plain : .holding([])
    }

    /// Writes bytes, or holds them until the output is longer than the screen; returns false when the reader has left
    /// the pager, so that nothing more is wanted.
    mutating func write(_ bytes: [UInt8]) throws(ClientFailure) -> Bool {
        switch state {
        case .plain:
            try Streams.write(bytes)
            return true
        case .holding(let held):
            rows.add(bytes)
            state = .holding(held + bytes)
            let isLong =
                rows.count > rowCountMax || (rowCountMax == 0 && !bytes.isEmpty) || held.count > Self.heldByteCountMax
            return isLong ? try startPager(with: held + bytes) : true
        case .paging(let pid, let pipe):
            return feed(bytes, pid, pipe)
        case .ended:
            return false
        }
    }

    /// Writes what was held, and waits for the pager.
    mutating func finish() throws(ClientFailure) {
        switch state {
        case .holding(let held): try Streams.write(held)
        case .plain: break
        case .paging(let pid, let pipe):
            close(pipe)
            _ = ChildProgram.wait(for: pid)
        case .ended(let pid): _ = ChildProgram.wait(for: pid)
        }
        state = .plain
        signals?.restore()
        signals = nil
    }

    /// Starts a pager; without one the text is printed anyway.
    private mutating func startPager(with held: [UInt8]) throws(ClientFailure) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard let choice, unsafe vs_pipe(&ends) == 0 else { return try printPlain(held) }
        let before = TerminalSignals.leaveToChild()
        let pid = try? ChildProgram.start(
            choice.path, choice.arguments, environment: choice.environment, input: ends[0], output: Streams.output)
        close(ends[0])
        guard let pid else {
            close(ends[1])
            before.restore()
            return try printPlain(held)
        }
        signals = before
        state = .paging(pid: pid, pipe: ends[1])
        return feed(held, pid, ends[1])
    }

    private mutating func printPlain(_ held: [UInt8]) throws(ClientFailure) -> Bool {
        state = .plain
        try Streams.write(held)
        return true
    }

    private mutating func feed(_ bytes: [UInt8], _ pid: pid_t, _ pipe: Int32) -> Bool {
        if PipeSignal.ignored({ Streams.writeAll(bytes, to: pipe) }) { return true }
        close(pipe)
        state = .ended(pid: pid)
        return false
    }
}

/// `PagerChoice` says which pager is run, when one is.
struct PagerChoice: Equatable {
    let path: String
    let arguments: [String]
    let environment: [String]

    /// Finds the pager: NOTEVAULT_PAGER, PAGER, the setting, `less`.
    ///
    /// - Returns: nil when there is none, or when `cat` or an empty text says that none is wanted.
    static func find(
        setting: String?, variable: (String) -> String? = Environment.text,
        find: (String) -> String? = { ProgramPath.find($0) }
    ) -> PagerChoice? {
        let command = variable("NOTEVAULT_PAGER") ?? variable("PAGER") ?? setting ?? "less"
        guard let words = CommandWords.split(command), let name = words.first, name != "cat", let path = find(name)
        else { return nil }
        return PagerChoice(
            path: path, arguments: Array(words.dropFirst()), environment: Environment.all(with: additions(variable)))
    }

    /// Returns the variables that a pager gets: less keeps no history of what was searched for, writes no log file and
    /// runs no other program (ThreatModel G06). FRX: it ends by itself when one screen is enough, shows colours, and
    /// leaves the text on the screen; a person who has LESS set wants it otherwise.
    private static func additions(_ variable: (String) -> String?) -> [(name: String, value: String)] {
        [("LESSHISTFILE", "-"), ("LESSSECURE", "1"), ("LESSOPEN", ""), ("LESSCLOSE", "")]
            + (variable("LESS") == nil ? [("LESS", "FRX")] : [])
    }
}
