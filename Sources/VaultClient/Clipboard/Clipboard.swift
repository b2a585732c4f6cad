// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// `Clipboard` puts a text on the clipboard, marked as a secret where the tool can, and sees to it that it is taken
/// away again.
struct Clipboard {
    let tool: ClipboardTool
    /// wl-copy writes what it reads to a file below /tmp: that may be a disk only when the person says so.
    var allowsDisk = false
    var temporaryFolder = "/tmp"
    /// What is started to clear the clipboard: this program itself, whatever its name is by then.
    var clearer = "/proc/self/exe"

    /// `Report` says what became of the text, in words for the person.
    struct Report: Equatable {
        var news: String
        /// Whether it is taken away again.
        var isCleared = false
        var warnings: [String] = []
    }

    func copy(_ bytes: [UInt8], clearAfter seconds: UInt32) throws(ClientFailure) -> Report {
        switch tool {
        case .terminal:
            try OSC52.copy(bytes)
            return Report(
                news: "copied through the terminal",
                warnings: [
                    "the terminal cannot say what its clipboard holds, so it is not cleared; copy something else when you are done"
                ])
        case .wayland(let copy, let paste):
            try checkTemporaryFolder()
            let isMarked = Self.canMark(copy)
            try Self.feed(bytes, to: copy, ["--type", "text/plain;charset=utf-8"] + (isMarked ? ["--sensitive"] : []))
            var report = try clearLater(bytes, seconds, canLook: paste != nil)
            if !isMarked { report.warnings.append(Self.unmarked("this wl-copy (older than 2.3.0)")) }
            return report
        case .x11(let program):
            try Self.feed(bytes, to: program, ["-selection", "clipboard", "-in"])
            var report = try clearLater(bytes, seconds, canLook: true)
            report.warnings.append(Self.unmarked("xclip"))
            return report
        }
    }

    /// Returns whether this wl-copy can tell clipboard managers that the text is a secret: from 2.3.0.
    static func canMark(_ program: String) -> Bool {
        guard let help = ChildProgram.output(of: program, ["--help"], max: 1 << 16) else { return false }
        return String(decoding: help, as: UTF8.self).split(whereSeparator: { $0.isWhitespace || $0 == "," }).contains(
            "--sensitive")
    }

    /// Gives a text to a tool through a pipe: an argument would be seen by every program.
    static func feed(_ bytes: [UInt8], to program: String, _ arguments: [String]) throws(ClientFailure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else {
            throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))")
        }
        let silence = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(silence) }
        let pid: pid_t
        do throws(ClientFailure) {
            pid = try ChildProgram.startApart(program, arguments, input: ends[0], output: silence)
            close(ends[0])
        } catch {
            close(ends[0])
            close(ends[1])
            throw error
        }
        let isWritten = PipeSignal.ignored { Streams.writeAll(bytes, to: ends[1]) }
        close(ends[1])
        guard ChildProgram.wait(for: pid) == 0, isWritten else {
            throw ClientFailure(
                .other, "\(VisibleText.escaped(program)) did not accept the text",
                hint: "is the desktop running? --to file -o PATH works without one")
        }
    }

    private func clearLater(_ bytes: [UInt8], _ seconds: UInt32, canLook: Bool) throws(ClientFailure) -> Report {
        guard canLook else {
            return Report(
                news: "copied",
                warnings: [
                    "wl-paste is missing, so the clipboard is not cleared; copy something else when you are done"
                ])
        }
        do throws(ClientFailure) {
            try ClipboardClearer.start(clearer, tool.choice, bytes, after: seconds)
        } catch {
            return Report(news: "copied", warnings: ["the clipboard will not be cleared: \(error.outcome.message)"])
        }
        return Report(
            news: "copied; cleared from the clipboard in \(TimeSpan.description(seconds: seconds))", isCleared: true)
    }

    private func checkTemporaryFolder() throws(ClientFailure) {
        guard !allowsDisk, !MemoryFolder.holds(temporaryFolder) else { return }
        throw ClientFailure(
            .failSafe,
            "wl-copy keeps the text in a file below \(temporaryFolder), which is on a disk: parts of it would stay readable",
            hint: "mount a tmpfs at \(temporaryFolder), or --allow-disk-temp")
    }

    private static func unmarked(_ tool: String) -> String {
        "\(tool) cannot mark the text as a secret: a clipboard manager may keep a copy in its history"
    }
}
