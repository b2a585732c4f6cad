// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Dates
internal import Glibc
internal import Presentation

/// `NoteScreen` shows a vault's notes on a terminal: a list, what is looked for while it is typed, the text beside it.
/// It stands on `AgentClient` alone: what it changes is asked for as any command does.
final class NoteScreen {
    /// How it ended.
    enum End {
        /// Somebody left it.
        case left
        /// Somebody locked the vault with it.
        case locked
        /// The vault was locked by something else.
        case wasLocked
        case gone
    }

    let location: VaultLocation
    var clock: RenderingClock
    var agent: AgentConnection
    private var watch: ChangeWatch?
    let terminal: Terminal
    var source = NoteSource()
    var selected = 0
    /// The note that was last drawn as the selected one: what is done is done with that, whatever came above it since.
    var chosen: NoteRow?
    var top = 0
    /// The text that is shown, of which note and revision, and its first row.
    var shown: (id: String, revision: String, columns: Int, text: NoteText)?
    var textTop = 0
    var mode = Mode.list
    var line: ScreenLine?
    var message = ""
    var lastTrashed: String?
    var end: End?
    private var lastClick: (index: Int, at: Double) = (-1, 0)
    var layout = ScreenLayout(rows: 24, columns: 80)

    enum Mode { case list, reading, help }

    /// The most of a text that is shown without being asked for, in bytes: a key is answered at once.
    static let previewByteCountMax = 128 << 10

    /// Shows the notes of the vault that is open.
    ///
    /// - Parameter clock: how dates are written.
    /// - Throws: `.locked` when it is not open, `.usage` for a terminal that cannot be drawn on.
    init(_ location: VaultLocation, _ clock: RenderingClock, timeZone: String) throws(ClientFailure) {
        var traits = ClientTraits()
        traits.timeZone = timeZone
        guard let agent = try AgentConnection.toRunning(location, traits: traits) else {
            throw ClientFailure(.locked, "the vault is locked", hint: "vault tui asks for its password")
        }
        (self.location, self.clock) = (location, clock)
        self.agent = agent
        terminal = try Terminal()
        // What is on the screen comes first.
        measure()
        try draw()
        watch = try? ChangeWatch(location)
    }

    /// Runs until somebody leaves.
    func run() throws(ClientFailure) -> End {
        while end == nil {
            guard let key = nextKey() else { continue }
            do throws(ClientFailure) {
                try take(key)
                // Keys that wait are taken first: what they would overwrite need not be drawn.
                var more = 0
                while end == nil, more < 64, let next = terminal.key(within: 0) {
                    try take(next)
                    more += 1
                }
                if end == nil { try draw() }
            } catch {
                try show(error)
            }
        }
        return end ?? .left
    }

    /// Waits for a key, and meanwhile for changes from elsewhere.
    private func nextKey() -> ScreenKey? {
        if let key = terminal.key(within: 0) { return key }
        var waiting = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0)]
        if let watch { waiting.append(pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)) }
        // Relative dates grow older by the minute.
        let found = unsafe poll(&waiting, nfds_t(waiting.count), 60_000)
        if found > 0, waiting.count == 2, waiting[1].revents != 0 { hear() }
        if waiting[0].revents & Int16(POLLHUP | POLLERR) != 0 { end = .gone }
        return end == nil ? terminal.key(within: 0) ?? .other : nil
    }

    /// Takes what the agent tells: notes that changed, or the lock.
    private func hear() {
        switch watch?.take() {
        case .changed:
            source.forget()
            shown = nil
        case .ended:
            watch = nil
            // A watch may end for other reasons.
            watch = try? ChangeWatch(location)
            if watch == nil { end = .wasLocked }
            source.forget()
        case .nothing, nil: break
        }
    }

    /// Tells what did not succeed; a vault that is locked or an agent that has gone ends the screen.
    private func show(_ failure: ClientFailure) throws(ClientFailure) {
        if failure.outcome.code == .locked, (try? AgentConnection.toRunning(location, traits: agent.traits)) == nil {
            end = .wasLocked
            return
        }
        message = failure.outcome.message + (failure.outcome.hint.isEmpty ? "" : " – " + failure.outcome.hint)
        do throws(ClientFailure) { try draw() } catch {
            // What cannot even be listed is for a command to say.
            guard error.outcome.code != .locked else {
                end = .wasLocked
                return
            }
            throw error
        }
    }

    // MARK: What is where

    func measure() {
        let size = terminal.size
        layout = ScreenLayout(rows: size.rows, columns: size.columns)
    }

    var pageRows: Int { max((mode == .reading ? layout.body.rows : layout.list.rows) - 1, 1) }

    /// Finds the note that was selected in a list that has changed: it may stand a few rows further down.
    func findChosen() throws(ClientFailure) {
        guard let chosen, source.isFresh else { return }
        source.isFresh = false
        for distance in 0...Self.rowsToLook {
            for index in [selected + distance, selected - distance] where index >= 0 {
                guard try source.row(index, &agent)?.id == chosen.id else { continue }
                selected = index
                return
            }
        }
    }

    /// How far a note is looked for that has moved.
    private static let rowsToLook = 64

    /// Moves the selection, as far as there are notes.
    func select(_ index: Int) throws(ClientFailure) {
        var index = max(index, 0)
        if let count = source.count { index = min(index, max(count - 1, 0)) }
        // A search says how many it has found with its last row.
        while index > 0, try source.row(index, &agent) == nil {
            index = min(index - 1, max((source.count ?? 1) - 1, 0))
        }
        if index != selected { textTop = 0 }
        selected = index
        chosen = try source.row(index, &agent)
    }

    /// Moves to the last note: of a search the rows are read until there are no more.
    func selectLast() throws(ClientFailure) {
        while source.count == nil {
            let known = source.countMin
            guard try source.row(known, &agent) != nil else { break }
        }
        try select(max((source.count ?? source.countMin) - 1, 0))
    }

    /// Shows another list from its beginning.
    func go(_ next: NoteSource) {
        source = next
        chosen = nil
        (selected, top, textTop) = (0, 0, 0)
    }

    /// Forgets what is known of the notes: they may have changed.
    func refresh() {
        source.forget()
        shown = nil
    }

    /// Takes a click: the first one selects, a second one reads.
    func click(_ row: Int, _ column: Int) throws(ClientFailure) {
        guard mode == .list, layout.list.holds(row, column) else { return }
        let index = top + row - layout.list.row
        guard try source.row(index, &agent) != nil else { return }
        let now = Self.seconds
        let isSecond = lastClick.index == index && now - lastClick.at < 0.5
        lastClick = (index, now)
        try select(index)
        if isSecond { try take(.enter) }
    }

    private static var seconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
