// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import Glibc

/// Runs an editor on this terminal and hands over each of its saves at once.
struct EditorSession {
    typealias Journal = ([UInt8]) throws(ClientFailure) -> Void

    private let folder: EditFolder
    private let file: String
    /// The last text that was saved as a whole.
    private var whole: [UInt8]
    /// The last one that was handed over.
    private var known: [UInt8]

    /// An editor on something else than a terminal waits for nobody, or scribbles into a pipe.
    ///
    /// - Throws: `.usage` when the standard streams are no terminal that can show an editor.
    static func requireTerminal() throws(ClientFailure) {
        let kind = Environment.text("TERM") ?? ""
        guard isatty(0) == 1, isatty(Streams.output) == 1, !kind.isEmpty, kind != "dumb" else {
            throw .usage("an editor needs a terminal", hint: "echo TEXT | vault new -, or vault replace ID -")
        }
    }

    /// - Parameters:
    ///   - given: what the file holds now.
    ///   - journal: takes each text that the editor saved; when it fails, the next save and the end try again.
    /// - Throws: `.other` when the editor cannot be started, `.localSaveFailed` when its file cannot be read at the end.
    static func run(
        choice: EditorChoice, folder: EditFolder, file: String, given: [UInt8], journal: Journal
    ) throws(ClientFailure) -> EditResult {
        let watch = SaveWatch(folder: folder.path, name: file)
        // The terminal's Ctrl-C and Ctrl-\ are the editor's.
        let before = [SIGINT, SIGQUIT].map { signal($0, SIG_IGN) }
        defer { for (number, handler) in zip([SIGINT, SIGQUIT], before) { _ = signal(number, handler) } }
        let ends = EndSignals()
        let modes = TerminalModes()
        let process = try EditorProcess(
            choice.command(file: file, folder: folder.path), environment: EditorEnvironment.variables(folder: folder.path),
            holding: folder.descriptor)
        var session = EditorSession(folder: folder, file: file, whole: given, known: given)
        let status = session.wait(for: process, watch, ends, journal)
        let result: EditResult
        switch status {
        case .ended(let status): result = try session.result(of: status)
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

    private mutating func wait(
        for process: borrowing EditorProcess, _ watch: borrowing SaveWatch, _ ends: borrowing EndSignals, _ journal: Journal
    ) -> Waited {
        // Without one of the descriptors that wake us, we look by ourselves now and then.
        let pause: Int32 = process.descriptor < 0 || watch.descriptor < 0 ? 1000 : -1
        while true {
            var waiting = [watch.descriptor, process.descriptor, ends.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = unsafe poll(&waiting, 3, pause)
            if watch.look() == .saved { take(process, watch, journal) }
            if let signal = ends.take() { return .asked(signal) }
            if let status = process.status() { return .ended(status) }
        }
    }

    /// Reads a save and hands it over, unless the next one began meanwhile: then that one will be heard of.
    private mutating func take(_ process: borrowing EditorProcess, _ watch: borrowing SaveWatch, _ journal: Journal) {
        var state = SaveWatch.State.saved
        var text: [UInt8]?
        while state == .saved {
            // What cannot be read stays in the folder; the end of the editor looks again.
            text = try? folder.read(name: file)
            state = watch.descriptor < 0 ? .quiet : watch.look()
        }
        guard state == .quiet, let text, !process.isEnding else { return }
        whole = text
        handOver(journal)
    }

    /// A journal that fails does not end the edit: the text is in the file, and is offered again.
    private mutating func handOver(_ journal: Journal) {
        guard whole != known else { return }
        do throws(ClientFailure) {
            try journal(whole)
            known = whole
        } catch {
            return
        }
    }

    private func result(of status: EditorProcess.Status) throws(ClientFailure) -> EditResult {
        if let signal = status.signal { return .killed(signal: signal, last: lastWhole()) }
        let text: [UInt8]?
        do throws(ClientFailure) {
            text = try folder.read(name: file)
        } catch {
            throw ClientFailure(
                .localSaveFailed, "\(error.outcome.message); the text is in \(VisibleText.escaped(folder.path)), in memory only",
                hint: "save what you need of it elsewhere, then edit again")
        }
        return status.code == 0 ? .finished(text) : .failed(code: status.code, last: text)
    }

    private mutating func terminated(_ status: EditorProcess.Status, _ journal: Journal) -> EditResult {
        // nano puts what was not saved yet beside its file when it is hung up on.
        let rescued = (try? folder.read(name: file + ".save")).flatMap { $0 }
        whole = rescued ?? (status.signal == nil ? (try? folder.read(name: file)).flatMap { $0 } : nil) ?? lastWhole()
        handOver(journal)
        return .terminated(last: whole)
    }

    /// The last save of an editor that was killed. One that is there but was not heard of may have been cut off in the middle: the kernel stops a
    /// write at the end of a page, so that half a text is empty, a whole number of pages, or the beginning of the text before.
    private func lastWhole() -> [UInt8] {
        guard let text = (try? folder.read(name: file)).flatMap({ $0 }), text.count % 4096 != 0, !whole.starts(with: text) else { return whole }
        return text
    }
}
