// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import NIOHTTP1

/// `Route` is one address that the server answers, with all that a request for it must have.
struct Route: Sendable {
    /// What a request brings along.
    enum Content: Sendable {
        case nothing
        /// Fields in a text of so many bytes at most.
        case fields(Int)
        /// Bytes as they are, such as a text or a password.
        case bytes(Int)
        /// A file, which is not collected first.
        case stream

        var byteCountMax: UInt64 {
            switch self {
            case .nothing: 0
            case .fields(let max), .bytes(let max): UInt64(max)
            case .stream: 1 << 40
            }
        }

        var mediaTypes: [String] {
            switch self {
            case .nothing: []
            case .fields: [FormFields.mediaType]
            case .bytes, .stream: ["application/octet-stream"]
            }
        }
    }

    let method: HTTPMethod
    /// Parts of the path; `*` is a place for one of 1…64 letters and digits.
    let path: [Substring]
    let content: Content
    /// False for what a browser asks for before it has a session.
    let needsSession: Bool
    /// The body is a password.
    let isSecret: Bool
    let run: @Sendable (Site, Exchange) throws(ClientFailure) -> Answer

    init(
        _ method: HTTPMethod, _ path: String, _ content: Content = .nothing, needsSession: Bool = true,
        isSecret: Bool = false, _ run: @escaping @Sendable (Site, Exchange) throws(ClientFailure) -> Answer
    ) {
        self.method = method
        self.path = path.split(separator: "/", omittingEmptySubsequences: false)
        self.content = content
        self.needsSession = needsSession
        self.isSecret = isSecret
        self.run = run
    }

    /// Returns the parameters of a path that is this route's; nil for another one.
    fileprivate func parameters(_ parts: [Substring]) -> [String]? {
        guard parts.count == path.count else { return nil }
        var found: [String] = []
        for (part, wanted) in zip(parts, path) {
            if wanted == "*" {
                let isPlain = part.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                }
                guard isPlain, (1...64).contains(part.utf8.count) else { return nil }
                found.append(String(part))
            } else if part != wanted {
                return nil
            }
        }
        return found
    }
}

/// `Routes` is the list of all addresses; nothing else is answered.
enum Routes {
    static let all: [Route] =
        PageRoutes.all + SessionRoutes.all + NoteRoutes.all + EditRoutes.all + AttachmentRoutes.all
        + PrivateRoutes.all + HistoryRoutes.all + WatchRoutes.all + ProgramRoutes.all + BookRoutes.all
        + BookServiceRoutes.all + RemoteRoutes.all

    /// Returns the route of a request. There are no queries: a path is all that an address has.
    static func find(_ head: HTTPRequestHead) -> (route: Route, parameters: [String])? {
        guard head.uri.utf8.count <= 256 else { return nil }
        let parts = head.uri.split(separator: "/", omittingEmptySubsequences: false)
        for route in all where route.method == head.method {
            if let parameters = route.parameters(parts) { return (route, parameters) }
        }
        return nil
    }
}
