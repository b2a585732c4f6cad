// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `ParserFilter` is a `vault-parse` between a file and a pipe: it reads what nobody trusts and can do nothing else.
///
/// It removes the metadata of photos, draws sketches and recovery pages, and reads drawings of others.
public final class ParserFilter {
    /// What it writes, to be read by the process that is given it. It is closed with this object; -1 once it was
    /// closed.
    public private(set) var output: Int32
    private let pid: Int32
    private var status: Int32?

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - words: what it is to do, such as `strip`.
    ///   - input: stays the caller's.
    /// - Throws: `.failSafe` for a program that others could have changed, `.other` when it does not start.
    public convenience init(_ words: [String], input: Int32) throws(ClientFailure) {
        try self.init(words, input: input, ParserProgram.installed())
    }

    init(_ words: [String], input: Int32, _ program: ParserProgram) throws(ClientFailure) {
        var pipe = try Pipe()
        pid = try ChildProgram.startApart(
            program.path, name: "vault-parse", program.words + words, environment: [], input: input,
            output: pipe.writingEnd)
        output = pipe.takeReading()
    }

    /// Starts another program of this account in its place: what it writes is read in the same way.
    ///
    /// - Parameter name: its first word; nil for its path.
    public init(program path: String, name: String? = nil, _ words: [String], input: Int32) throws(ClientFailure) {
        var pipe = try Pipe()
        pid = try ChildProgram.startApart(path, name: name, words, input: input, output: pipe.writingEnd)
        output = pipe.takeReading()
    }

    deinit {
        closeOutput()
        if status == nil {
            end()
            _ = finish()
        }
    }

    /// Closes our copy of its output. Once a reader elsewhere has gone too, it ends instead of waiting for one.
    public func closeOutput() {
        if output >= 0 { close(output) }
        output = -1
    }

    /// Ends it, with what it has started: it is in a session of its own.
    public func end() { if status == nil { kill(-pid, SIGKILL) } }

    /// Waits for its end; ends it if it runs longer than this many seconds.
    public func finish(within seconds: Int) -> Int32 {
        for _ in 0..<seconds * 100 where status == nil {
            // Looked at and not taken: as long as it is not, nobody else can have its number.
            var found = unsafe siginfo_t()
            let asked = unsafe waitid(P_PID, id_t(pid), &found, WNOHANG | WEXITED | WNOWAIT)
            guard asked == 0, unsafe found.si_signo == 0 else { break }
            usleep(10_000)
        }
        // Also where it has ended: what it has started may go on.
        end()
        return finish()
    }

    /// Waits for its end.
    ///
    /// - Returns: its exit code, or minus the signal that ended it.
    public func finish() -> Int32 {
        if let status { return status }
        let code = ChildProgram.wait(for: pid)
        status = code
        return code
    }

    /// Reads all that it writes, when that is little.
    ///
    /// - Parameter max: the most that is taken, in bytes.
    /// - Throws: `.malformed` when it writes more than that, `.ended` when it fails.
    public func readAll(max: Int) throws(ParserFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileBytes.Failure) { bytes = try FileBytes.read(output, max: max) } catch {
            throw error == .tooLarge ? .malformed : .ended
        }
        guard finish() == 0 else { throw .ended }
        return bytes
    }
}
