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

    enum Mode { case list, reading, help }

    /// `ShownText` is the text that is on the screen, or why there is none.
    struct ShownText {
        let id: String
        let revision: String
        let columns: Int
        var text: NoteText
    }

    let location: VaultLocation
    var clock: RenderingClock
    let agent: ScreenAgent
    private var watch: ChangeWatch
    let terminal: Terminal
    var source = NoteSource()
    var selected = 0
    /// The note that was last drawn as the selected one: what is done is done with that, whatever came above it since.
    var chosen: NoteRow?
    /// Identifiers of the rows that are on the screen.
    var drawn: [String] = []
    var top = 0
    var shown: ShownText?
    /// Lays Markdown out, once the first screen is there: its program has to be started.
    let reader = MarkdownReader()
    var laysOut = false
    var textTop = 0
    var mode = Mode.list
    var line: ScreenLine?
    var message = ""
    /// What was deleted here, the last one at the end.
    var trashed: [String] = []
    var end: End?
    private var lastClick: (id: String, at: Double) = ("", 0)
    /// Keys that came while an answer was waited for.
    private var waitingKeys: [ScreenKey] = []
    var layout = ScreenLayout(rows: 24, columns: 80)

    /// The most of a text that is shown without being asked for, in bytes: a key is answered at once.
    static let previewByteCountMax = 128 << 10

    /// Shows the notes of the vault that is open.
    ///
    /// - Parameter clock: how dates are written.
    /// - Throws: `.locked` when it is not open, `.usage` for a terminal that cannot be drawn on.
    init(_ location: VaultLocation, _ clock: RenderingClock, timeZone: String) throws(ClientFailure) {
        var traits = ClientTraits()
        traits.timeZone = timeZone
        (self.location, self.clock) = (location, clock)
        agent = try ScreenAgent(location, traits)
        // Before anything is drawn: nothing that is shown may be unheard of.
        watch = try ChangeWatch(location)
        terminal = try Terminal()
        agent.whileWaiting = { [unowned self] in isGivenUp() }
        measure()
        do throws(ClientFailure) { try draw() } catch { try show(error) }
    }

    /// Runs until somebody leaves.
    func run() throws(ClientFailure) -> End {
        while end == nil {
            if !laysOut {
                (laysOut, shown) = (true, nil)
                do throws(ClientFailure) { try draw() } catch { try show(error) }
            }
            guard let key = try nextKey() else { continue }
            agent.isUnattended = key == .other
            do throws(ClientFailure) {
                try take(key)
                // Keys that wait are taken first: what they would overwrite need not be drawn.
                var more = 0
                while end == nil, more < 64, let next = waitingKey() {
                    agent.isUnattended = false
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

    private func waitingKey() -> ScreenKey? {
        waitingKeys.isEmpty ? terminal.key(within: 0) : waitingKeys.removeFirst()
    }

    /// Waits for a key, and meanwhile for changes from elsewhere. What has changed is drawn before a key is taken.
    private func nextKey() throws(ClientFailure) -> ScreenKey? {
        if try hear(within: 0) { return .other }
        if let key = waitingKey() { return key }
        // Relative dates grow older by the minute.
        if try hear(within: 60_000) { return .other }
        return end == nil ? terminal.key(within: 0) ?? .other : nil
    }

    /// Waits until somebody types or the agent tells something.
    ///
    /// - Returns: whether something has changed.
    func hear(within milliseconds: Int32) throws(ClientFailure) -> Bool {
        var waiting = [
            pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&waiting, 2, milliseconds) > 0 else { return false }
        if waiting[1].revents & Int16(POLLHUP | POLLERR) != 0 { end = .gone }
        guard waiting[0].revents != 0 else { return false }
        switch watch.take() {
        case .nothing: return false
        case .changed:
            refresh()
            return true
        case .ended:
            // What is on the screen may have to go at once; whether it comes back is seen then.
            terminal.clear()
            terminal.show()
            guard agent.isOpen else {
                end = .wasLocked
                return true
            }
            guard watch.hasAnswered else {
                throw ClientFailure(.other, "the agent does not report changes", hint: "vault check")
            }
            try agent.connectAgain()
            watch = try ChangeWatch(location)
            refresh()
            return true
        }
    }

    /// While an answer takes long, keys are kept; Ctrl-C gives it up, and so does a letter of the next search.
    private func isGivenUp() -> Bool {
        var isGivenUp = false
        while let key = terminal.key(within: 0) {
            if key == .control("c") { return true }
            waitingKeys.append(key)
            if line?.purpose == .search { isGivenUp = true }
        }
        return isGivenUp
    }

    /// Tells what did not succeed; a vault that is locked ends the screen.
    private func show(_ failure: ClientFailure) throws(ClientFailure) {
        guard agent.isOpen else {
            end = .wasLocked
            return
        }
        message = failure.outcome.message + (failure.outcome.hint.isEmpty ? "" : " – " + failure.outcome.hint)
        // A list that cannot be shown at all is for a command to say.
        try draw()
    }

    // MARK: What is where

    func measure() {
        let size = terminal.size
        layout = ScreenLayout(rows: size.rows, columns: size.columns)
    }

    /// Whether there is room for anything.
    var isLarge: Bool { layout.rows >= 5 && layout.columns >= 20 }
    var pageRows: Int { max((mode == .list ? layout.list.rows : layout.body.rows) - 1, 1) }

    /// Finds the note that was selected in a list that has changed: it may stand a few rows further down.
    func findChosen() throws(ClientFailure) {
        guard source.isFresh else { return }
        source.isFresh = false
        guard let id = chosen?.id else { return }
        for distance in 0...Self.rowsToLook {
            for index in [selected + distance, selected - distance] where index >= 0 {
                guard let row = try source.row(index, agent), row.id == id else { continue }
                (selected, chosen) = (index, row)
                return
            }
        }
        // It has gone from here.
        chosen = nil
    }

    /// How far a note is looked for that has moved.
    private static let rowsToLook = 64

    /// Moves the selection by so many rows.
    func move(by rows: Int) throws(ClientFailure) {
        try findChosen()
        try select(selected + rows)
    }

    /// Selects a row, or the last one.
    func select(_ index: Int) throws(ClientFailure) {
        var index = max(index, 0)
        if let count = source.count { index = min(index, max(count - 1, 0)) }
        // A search says how many it has found with its last row.
        while index > 0, try source.row(index, agent) == nil {
            index = min(index - 1, max((source.count ?? source.countMin) - 1, 0))
        }
        let row = try source.row(index, agent)
        if row?.id != chosen?.id { textTop = 0 }
        (selected, chosen) = (index, row)
    }

    /// Moves to the last note: of a search the rows are read until there are no more.
    func selectLast() throws(ClientFailure) {
        while source.count == nil {
            let known = source.countMin
            guard try source.row(known, agent) != nil else { break }
        }
        try select(max((source.count ?? source.countMin) - 1, 0))
    }

    /// Shows another list from its beginning.
    func go(_ next: NoteSource) {
        source = next
        (chosen, shown) = (nil, nil)
        (selected, top, textTop) = (0, 0, 0)
    }

    /// Forgets what is known of the notes: they may have changed.
    func refresh() {
        source.forget()
        shown = nil
    }

    /// Takes a click: the first one selects, a second one reads.
    func click(_ row: Int, _ column: Int) throws(ClientFailure) {
        guard mode == .list, layout.list.holds(row, column), row - layout.list.row < drawn.count else { return }
        // What was drawn there, wherever it stands now.
        let id = drawn[row - layout.list.row]
        try findChosen()
        for index in max(top + row - layout.list.row - Self.rowsToLook, 0)...top + row - layout.list.row
            + Self.rowsToLook
        {
            guard let note = try source.row(index, agent) else { break }
            guard note.id == id else { continue }
            let now = Self.seconds
            let isSecond = lastClick.id == id && now - lastClick.at < 0.5
            lastClick = (id, now)
            try select(index)
            if isSecond { try take(.enter) }
            return
        }
    }

    private static var seconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
