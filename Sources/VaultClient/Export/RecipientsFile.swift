// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Glibc

/// `RecipientsFile` reads files that list age recipients: one on each line; empty lines and those that begin with "#"
/// say nothing.
enum RecipientsFile {
    private static let byteCountMax = 1 << 20

    static func read(_ path: String) throws(ClientFailure) -> [String] {
        let name = VisibleText.escaped(path)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw ClientFailure(
                errno == ENOENT ? .notFound : .other,
                "cannot read the recipients file \(name): \(SystemError.text(errno))")
        }
        defer { close(descriptor) }
        let bytes: [UInt8]
        do throws(FileBytes.Failure) { bytes = try FileBytes.read(descriptor, max: byteCountMax) } catch {
            let reason = error == .tooLarge ? "it is larger than 1 MiB" : SystemError.text(error.number)
            throw ClientFailure(.other, "cannot read the recipients file \(name): \(reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("the recipients file \(name) is not text")
        }
        let lines = recipients(in: text)
        guard !lines.isEmpty else {
            throw .usage("the recipients file \(name) lists no recipients", hint: "one age1… on each line")
        }
        return lines
    }

    static func recipients(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { line in
            String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
