// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `EditorSession` runs an editor on this terminal and hands over each of its saves at once, and what it has not saved
/// at most every 0.8 s.
struct EditorSession {
    typealias Journal = ([UInt8]) throws(ClientFailure) -> Void

    private let folder: EditFolder
    private let file: String
    private let kind: EditorKind
    /// The last text that was saved as a whole.
    private var whole: [UInt8]
    /// The last one that was handed over.
    private var known: [UInt8]
    /// The newest that was seen: `whole`, or what was typed after it.
    private var newest: [UInt8]
    /// Something was typed, and its turn to be handed over has not come.
    private var typedWaits = false
    private var handedOver: UInt64 = 0
    private static let millisecondsBetween: UInt64 = 800

    /// Refuses to run an editor without a terminal: on something else it waits for nobody, or scribbles into a pipe.
    ///
    /// - Throws: `.usage` when the standard streams are no terminal that can show an editor.
    static func requireTerminal() throws(ClientFailure) {
        let kind = Environment.text("TERM") ?? ""
        guard isatty(0) == 1, isatty(Streams.output) == 1, !kind.isEmpty, kind != "dumb" else {
            throw .usage("an editor needs a terminal", hint: "echo TEXT | vault new -, or vault replace ID -")
        }
    }

    /// Runs an editor until it ends or this process is asked to end, and returns what became of the text.
    ///
    /// - Parameters:
    ///   - given: what the file holds now.
    ///   - journal: takes each text that the editor saved; when it fails, the next save and the end try again.
    /// - Throws: `.other` when the editor cannot be started, `.localSaveFailed` when its file cannot be read at the
    ///   end.
    static func run(
        choice: EditorChoice, folder: EditFolder, file: String, given: [UInt8], journal: Journal
    ) throws(ClientFailure) -> EditResult {
        let watches = Watches(
            written: SaveWatch(folder: folder.path, name: file),
            typed: SaveWatch(folder: folder.path, name: EditFolderLayout.typedName))
        // The terminal's Ctrl-C and Ctrl-\ are the editor's.
        let before = [SIGINT, SIGQUIT].map { signal($0, SIG_IGN) }
        defer { for (number, handler) in zip([SIGINT, SIGQUIT], before) { _ = signal(number, handler) } }
        let ends = EndSignals()
        let modes = TerminalModes()
        let process = try EditorProcess(
            choice.command(file: file, folder: folder.path),
            environment: EditorEnvironment.variables(folder: folder.path),
            holding: folder.descriptor)
        var session = EditorSession(
            folder: folder, file: file, kind: choice.kind, whole: given, known: given, newest: given)
        let status = session.wait(for: process, watches, ends, journal)
        let result: EditResult
        switch status {
        case .ended(let status): result = try session.result(of: status, isHungUp: modes.isGone, journal)
        case .asked(let signal): result = session.terminated(process.end(by: signal), journal)
        }
        switch result {
        case .finished: break
        case .failed: modes.restore(wasKilled: false)
        case .killed, .terminated: modes.restore(wasKilled: true)
        }
        return result
    }

    private enum Waited {
        case ended(EditorProcess.Status)
        /// A signal asked this process to end.
        case asked(Int32)
    }

    /// `Watches` watches the note's file, and what is typed.
    private struct Watches: ~Copyable {
        let written: SaveWatch
        let typed: SaveWatch
    }

    private mutating func wait(
        for process: borrowing EditorProcess, _ watches: borrowing Watches, _ ends: borrowing EndSignals,
        _ journal: Journal
    ) -> Waited {
        let wakers = [watches.written.descriptor, watches.typed.descriptor, process.descriptor, ends.descriptor]
        // Without one of the descriptors that wake us, we look by ourselves now and then.
        let pause: Int32 = wakers[..<3].contains { $0 < 0 } ? 1000 : -1
        while true {
            var waiting = wakers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = unsafe poll(&waiting, 4, typedWaits ? Int32(millisecondsToTurn) : pause)
            if watches.written.look() == .saved { take(process, watches.written, journal) }
            if watches.typed.look() == .saved { typedWaits = true }
            if typedWaits && millisecondsToTurn == 0 { takeTyped(process, watches.typed, journal) }
            if let signal = ends.take() { return .asked(signal) }
            if let status = process.status() { return .ended(status) }
        }
    }

    /// Milliseconds until the next typed text may be handed over: each key that is typed may be a save, and sealing all
    /// of them would keep the disk busy.
    private var millisecondsToTurn: UInt64 {
        let passed = Self.milliseconds() - handedOver
        return passed >= Self.millisecondsBetween ? 0 : Self.millisecondsBetween - passed
    }

    private static func milliseconds() -> UInt64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1000 + UInt64(now.tv_nsec) / 1_000_000
    }

    /// Reads a save and hands it over, unless the next one began meanwhile: then that one will be heard of.
    private mutating func take(_ process: borrowing EditorProcess, _ watch: borrowing SaveWatch, _ journal: Journal) {
        // What cannot be read stays in the folder; the end of the editor looks again.
        guard let text = settled(watch, { (try? folder.read(name: file)).flatMap { $0 } }), !process.isEnding else {
            return
        }
        // A save that is older than what was typed since is not the newest text.
        guard text != whole || folder.typed() == nil else { return }
        whole = text
        newest = text
        handOver(text, journal)
    }

    private mutating func takeTyped(
        _ process: borrowing EditorProcess, _ watch: borrowing SaveWatch, _ journal: Journal
    ) {
        typedWaits = false
        guard let text = settled(watch, { folder.typed() }), !process.isEnding else { return }
        newest = text
        // Editors end a last line that had no end.
        if known != whole || text != whole + [0x0A] { handOver(text, journal) }
    }

    /// Returns what a file holds when it is written to its end, and nobody writes it again meanwhile.
    private func settled(_ watch: borrowing SaveWatch, _ read: () -> [UInt8]?) -> [UInt8]? {
        var state = SaveWatch.State.saved
        var text: [UInt8]?
        while state == .saved {
            text = read()
            state = watch.descriptor < 0 ? .quiet : watch.look()
        }
        return state == .quiet ? text : nil
    }

    /// Gives a new text to the journal. One that fails does not end the edit: the text is in the file, and is offered
    /// again.
    private mutating func handOver(_ text: [UInt8], _ journal: Journal) {
        guard text != known else { return }
        handedOver = Self.milliseconds()
        do throws(ClientFailure) {
            try journal(text)
            known = text
        } catch {
            return
        }
    }

    private mutating func result(of status: EditorProcess.Status, isHungUp: Bool, _ journal: Journal)
        throws(ClientFailure) -> EditResult
    {
        if let signal = status.signal { return .killed(signal: signal, last: lastWhole()) }
        if status.code != 0, isHungUp || hasLeftText { return terminated(status, journal) }
        let text: [UInt8]?
        do throws(ClientFailure) {
            text = try folder.read(name: file)
        } catch {
            throw ClientFailure(
                .localSaveFailed,
                "\(error.outcome.message); the text is in \(VisibleText.escaped(folder.path)), in memory only",
                hint: "save what you need of it elsewhere, then edit again")
        }
        return status.code == 0 ? .finished(text) : .failed(code: status.code, last: text)
    }

    /// Whether an editor that ended with an error left what it had not written: then a signal of its own ended it, and
    /// not a person. vim ends by the signal that it was sent, and leaves the file also when a person leaves it.
    private var hasLeftText: Bool { rescued != nil || (kind != .vim && folder.typed() != nil) }

    /// nano puts what was not saved yet beside its file when it is hung up on.
    private var rescued: [UInt8]? { (try? folder.read(name: EditFolderLayout.rescuedName)).flatMap { $0 } }

    private mutating func terminated(_ status: EditorProcess.Status, _ journal: Journal) -> EditResult {
        // What an editor wrote before it ended by itself is whole. Where it wrote nothing more, what was seen last
        // counts.
        let written =
            status.signal == nil
            ? folder.typed() ?? (try? folder.read(name: file)).flatMap { $0 == whole ? nil : $0 } : nil
        let last = rescued ?? written ?? lastWhole()
        handOver(last, journal)
        return .terminated(last: last)
    }

    /// Returns the newest text of an editor that was killed. One that is there but was not heard of may have been cut
    /// off in the middle: the kernel stops a write at the end of a page, so that half a text is empty, a whole number
    /// of pages, or the beginning of the text before.
    private func lastWhole() -> [UInt8] {
        if let typed = folder.typed() { return Self.isWhole(typed, after: newest) ? typed : newest }
        guard let text = (try? folder.read(name: file)).flatMap({ $0 }), Self.isWhole(text, after: whole) else {
            return newest
        }
        return text
    }

    private static func isWhole(_ text: [UInt8], after before: [UInt8]) -> Bool {
        text.count % 4096 != 0 && !before.starts(with: text)
    }
}
