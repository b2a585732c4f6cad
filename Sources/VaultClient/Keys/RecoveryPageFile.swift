// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import ParserProtocol
internal import SecretMemory

/// `RecoveryPageFile` makes the page with a recovery key: `vault-parse` draws it in its confinement, and it is written
/// to a new file for this user alone.
enum RecoveryPageFile {
    private static let byteCountMax = 1 << 20
    private static let groupCount = 9

    /// Draws the page for a key, and writes it to a new file or to standard output.
    ///
    /// - Parameter path: "-" is standard output, for a printer's program.
    static func write(_ key: borrowing SecretBytes, to path: String, _ location: VaultLocation, _ context: Context)
        throws(ClientFailure)
    {
        guard let text = canonical(key) else { throw .usage("this is not a recovery key") }
        var page = try draw(text, location)
        defer {
            unsafe page.withUnsafeMutableBytes { raw in
                if let base = raw.baseAddress { unsafe vs_wipe(base, raw.count) }
            }
        }
        guard path != "-" else { return try Streams.write(page) }
        let target = try TargetFile(path)
        guard Streams.writeAll(page, to: target.descriptor) else {
            throw ClientFailure(
                .localSaveFailed, "cannot write \(VisibleText.escaped(path)): \(SystemError.text(errno))")
        }
        try target.keep()
        context.reporter.talk(
            "page written to \(VisibleText.escaped(path)); it is not encrypted: print it, then delete it (shred -u)")
    }

    private static func draw(_ text: borrowing SecretBytes, _ location: VaultLocation) throws(ClientFailure) -> [UInt8]
    {
        let name =
            String(decoding: location.directory, as: UTF8.self).split(separator: "/").last.map(String.init) ?? "/"
        let leading: [UInt8]
        do throws(RecordError) {
            leading = try RecoveryPageRecord.leading(
                vaultID: location.vaultIDOrZero, date: today(), name: String(name.prefix(60)),
                keyByteCount: text.byteCount)
        } catch { throw ClientFailure(.other, "the page cannot be described") }
        var ends: [Int32] = [-1, -1]
        guard unsafe vs_pipe(&ends) == 0 else {
            throw ClientFailure(.other, "cannot make a pipe: \(SystemError.text(errno))")
        }
        let filter: ParserFilter
        do throws(ClientFailure) { filter = try ParserFilter(["recovery-page"], input: ends[0]) } catch {
            close(ends[0])
            close(ends[1])
            throw error
        }
        close(ends[0])
        // A few hundred bytes: the pipe takes them at once.
        let keyIsSent = Streams.writeAll(leading, to: ends[1])
        let isSent = unsafe text.withUnsafeBytes { raw in
            unsafe keyIsSent && Glibc.write(ends[1], raw.baseAddress!, raw.count) == raw.count
        }
        close(ends[1])
        guard isSent, let answer = try? filter.readAll(max: byteCountMax + 2),
            let record = try? SketchDrawingRecord(parsing: answer),
            record.status == .ok
        else { throw ClientFailure(.other, "the page could not be drawn", hint: "is vault-parse from this build?") }
        return record.content
    }

    /// Returns the key in lower case, in groups of four with hyphens, whatever was typed between and for the digits
    /// that look like letters.
    private static func canonical(_ typed: borrowing SecretBytes) -> SecretBytes? {
        var text = SecretBytes(zeroes: groupCount * 5 - 1)
        let count = unsafe typed.withUnsafeBytes { typed in
            unsafe text.withUnsafeMutableBytes { target in
                var count = 0
                for index in typed.indices {
                    guard let character = unsafe letter(typed[index]) else { continue }
                    guard count < groupCount * 4 else { return -1 }
                    unsafe target[count + count / 4] = character
                    if count % 4 == 3, count + 1 < groupCount * 4 { unsafe target[count + count / 4 + 1] = 0x2D }
                    count += 1
                }
                return count
            }
        }
        guard count == groupCount * 4 else { return nil }
        return text
    }

    /// Returns a letter as the key has it, and nil for what only separates.
    private static func letter(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x20, 0x2D, 0x09, 0x0A, 0x0D: nil
        case 0x30: 0x6F
        case 0x31: 0x69
        case 0x38: 0x62
        case 0x41...0x5A: character | 0x20
        default: character
        }
    }

    private static func today() -> String {
        var now = time_t(0)
        unsafe time(&now)
        var parts = unsafe tm()
        guard unsafe localtime_r(&now, &parts) != nil else { return "1970-01-01" }
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return unsafe "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }
}

extension VaultLocation {
    /// The vault's ID; empty without a vault, which has no recovery key to print either.
    fileprivate var vaultIDOrZero: [UInt8] { (try? vaultID()) ?? [] }
}
