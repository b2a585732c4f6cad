// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import TextReading
internal import NIOCore
internal import NIOHTTP1
internal import SecretMemory

/// `Exchange` is one request on its way to its answer. The connection's loop makes it, one worker has it afterwards.
final class Exchange: @unchecked Sendable {
    let channel: any NIOCore.Channel
    let keepsAlive: Bool
    /// What stood in the path where the route has a place for it.
    let parameters: [String]
    let range: String?
    /// The name of a file that is sent, percent-encoded.
    private let name: String?
    var body: [UInt8] = []
    /// The body of a route that takes a password: no array has it.
    private var secret: SecretBytes?
    var upload: Upload?

    init(_ head: HTTPRequestHead, _ parameters: [String], _ channel: any NIOCore.Channel) {
        self.channel = channel
        self.parameters = parameters
        keepsAlive = head.isKeepAlive
        range = head.headers["range"].first
        name = head.headers["x-name"].first
    }

    /// The body as fields.
    func fields() throws(ClientFailure) -> FormFields {
        guard let fields = FormFields(parsing: body) else { throw .usage("the request is malformed", hint: "") }
        return fields
    }

    func fileName() throws(ClientFailure) -> String {
        guard let name, let text = PercentCoding.decoded(name), !text.isEmpty else {
            throw .usage("the file has no name", hint: "")
        }
        return text
    }

    /// Takes a password out of the buffer that it came in, and overwrites it there.
    func takeSecret(from buffer: inout ByteBuffer) {
        let count = buffer.readableBytes
        guard count > 0 else { return }
        var bytes = SecretBytes(zeroes: count)
        unsafe buffer.withUnsafeReadableBytes { raw in
            unsafe bytes.withUnsafeMutableBytes { target in unsafe target.copyMemory(from: raw) }
        }
        secret = consume bytes
        buffer.setRepeatingByte(0, count: count, at: buffer.readerIndex)
    }

    /// Gives the password, once.
    ///
    /// - Parameter max: in bytes; what passwords have.
    /// - Throws: `.usage` when there is none, or a longer one.
    func takeSecret(max: Int = 4096) throws(ClientFailure) -> SecretBytes {
        guard let bytes = secret.take(), bytes.byteCount <= max else {
            throw .usage("a password is needed", hint: "")
        }
        return bytes
    }

    /// Overwrites the body: it may have held a text.
    func wipe() { for index in body.indices { body[index] = 0 } }
}
