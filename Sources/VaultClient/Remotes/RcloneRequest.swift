// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SecretMemory

/// `RcloneRequest` is an object of JSON for rclone's remote control, put together in locked memory.
struct RcloneRequest: ~Copyable {
    private var bytes: SecretBytes
    private var count = 0

    /// - Parameter capacity: what stands in it, without answers; in bytes.
    private init(capacity: Int, answer: borrowing SecretBytes) {
        // Of one byte an escape makes six.
        bytes = SecretBytes(zeroes: capacity + 6 * answer.byteCount)
    }

    /// Begins a new remote.
    static func begin(_ service: RcloneService) -> SecretBytes {
        let parameters = service.given.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        var request = RcloneRequest(capacity: 1024, answer: SecretBytes(zeroes: 0))
        request.append(
            "{\"name\":\"\(RcloneRemote.ownName)\",\"type\":\"\(service.backend)\",\"parameters\":{\(parameters)},\"opt\":{\(mode(service))}}"
        )
        return request.taken()
    }

    /// Answers a question.
    ///
    /// - Parameters:
    ///   - state: of the question, with its quotation marks.
    ///   - answer: with its quotation marks, or a text that gets some.
    static func answer(
        _ service: RcloneService, state: borrowing SecretBytes, _ answer: borrowing SecretBytes, isQuoted: Bool
    ) -> SecretBytes {
        var request = RcloneRequest(capacity: 1024 + state.byteCount, answer: answer)
        request.append(
            "{\"name\":\"\(RcloneRemote.ownName)\",\"parameters\":{},\"opt\":{\(mode(service)),\"continue\":true,\"state\":"
        )
        request.append(raw: state)
        request.append(",\"result\":")
        if isQuoted { request.append(raw: answer) } else { request.append(text: answer) }
        request.append("}}")
        return request.taken()
    }

    /// Asks for a password as rclone keeps it.
    static func obscure(_ answer: borrowing SecretBytes) -> SecretBytes {
        var request = RcloneRequest(capacity: 32, answer: answer)
        request.append("{\"clear\":")
        request.append(text: answer)
        request.append("}")
        return request.taken()
    }

    private static func mode(_ service: RcloneService) -> String {
        "\"nonInteractive\":true,\"all\":\(service.asksForAll)"
    }

    private mutating func append(_ text: String) { for byte in text.utf8 { append(byte) } }

    private mutating func append(raw secret: borrowing SecretBytes) {
        for at in 0..<secret.byteCount { append(unsafe secret.withUnsafeBytes { unsafe $0[at] }) }
    }

    /// Appends a string of JSON (RFC 8259 §7).
    private mutating func append(text secret: borrowing SecretBytes) {
        append("\"")
        for at in 0..<secret.byteCount {
            let byte = unsafe secret.withUnsafeBytes { unsafe $0[at] }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append("\\")
                append(byte)
            case 0..<0x20:
                append("\\u00")
                for half in [byte >> 4, byte & 15] { append(half < 10 ? 0x30 + half : 0x57 + half) }
            default: append(byte)
            }
        }
        append("\"")
    }

    private mutating func append(_ byte: UInt8) {
        let at = count
        unsafe bytes.withUnsafeMutableBytes { unsafe $0[at] = byte }
        count += 1
    }

    private consuming func taken() -> SecretBytes { bytes.prefix(count) }
}
