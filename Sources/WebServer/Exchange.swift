// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import MarkdownHTML
internal import NIOCore
internal import NIOHTTP1

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
        guard let name, let text = PercentText.decoded(name), !text.isEmpty else {
            throw .usage("the file has no name", hint: "")
        }
        return text
    }

    /// Overwrites the body: it may have held a password or a text.
    func wipe() { for index in body.indices { body[index] = 0 } }
}
