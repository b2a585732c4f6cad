// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import Presentation

struct WebCommand: Command {
    static let name = "web"
    static var spec: Spec {
        Spec(
            "Read, write and draw on a page in the browser.",
            discussion: """
                A program of this machine serves the page to this user's browser and to nobody else. It ends when the \
                vault is locked, after 8 hours, or with --stop. From a tablet: ssh -L PORT:127.0.0.1:PORT, with --port \
                and --no-open here; for Safari --host 127.0.0.1 too, which finds no name under .localhost.
                """,
            examples: [
                "vault web": "Open the page in a private window.",
                "vault web --no-open --port 8765": "Only print the address.",
                "vault web --stop": "End it.",
            ])
    }
    var port: UInt32?
    var host: String?
    var noOpen = false
    var browser = false
    var stop = false

    mutating func declare(_ list: inout ArgumentList) {
        list.option(&port, "port", value: "n", "The port to listen on; any free one by default.")
        list.option(&host, "host", value: "address", "127.0.0.1, for a browser that knows no names under .localhost.")
        list.flag(&noOpen, "no-open", "Print the address, and open no window.")
        list.flag(&browser, "browser", "Open the usual browser instead of a private window.")
        list.flag(&stop, "stop", "End the page.")
    }

    var complaint: String? {
        if let port, port > 65535 { return "a port is a number up to 65535" }
        if let host, host != "127.0.0.1" { return "the page can only be at 127.0.0.1 or at its own name" }
        return nil
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        if stop {
            let wasOpen = try WebPlace(try context.location()).ask(.stop) != nil
            if context.options.json {
                try Streams.write(JSONText.object([("schema", .int(1)), ("ended", .bool(wasOpen))]).encoded + [0x0A])
            }
            context.reporter.talk(wasOpen ? "the page has ended" : "there was no page")
            return Outcome(.ok)
        }
        return try Self.open(
            context, port: UInt16(port ?? 0), isNumeric: host != nil, noOpen: noOpen, isPrivate: browser ? false : nil)
    }

    /// Opens the page, or a window of the one that is open.
    ///
    /// - Parameters:
    ///   - isNumeric: at 127.0.0.1, without a name of its own.
    ///   - isPrivate: nil for what the settings say.
    ///   - target: what it shows at once.
    static func open(
        _ context: Context, port: UInt16 = 0, isNumeric: Bool = false, noOpen: Bool = false, isPrivate: Bool? = nil,
        _ target: PageTarget = .list
    ) throws(ClientFailure) -> Outcome {
        let location = try context.location()
        var isPrivateWindow = isPrivate ?? true
        if isPrivate == nil { isPrivateWindow = try context.settings().window == .private }
        let address: WebAddress
        if let known = try WebPlace(location).ask(.open, target) {
            guard let found = WebAddress(parsing: known) else {
                throw ClientFailure(.other, "the page that is open does not answer", hint: "vault web --stop")
            }
            guard !isNumeric || found.url.hasPrefix("http://127.0.0.1:") else {
                throw ClientFailure(
                    .conflict, "the page is open under a name of its own", hint: "vault web --stop, then this again")
            }
            address = found
        } else {
            address = try WebSupervisor.start(location, port: port, isNumeric: isNumeric, target)
        }
        if context.options.json {
            try Streams.write(
                JSONText.object([("schema", .int(1)), ("url", .string(address.url)), ("file", .string(address.file))])
                    .encoded + [0x0A])
        }
        guard !noOpen, try BrowserWindow.open(address, isPrivate: isPrivateWindow) else {
            if !context.options.json { try Streams.write(address.url + "\n") }
            context.reporter.talk("open this address within 30 seconds; it works once")
            return Outcome(.ok)
        }
        context.reporter.talk("the page is open; vault web --stop ends it")
        return Outcome(.ok)
    }
}

struct OpenPageCommand: Command {
    static let name = "open"
    static var spec: Spec {
        Spec(
            "Open the vault's page from a desktop's menu.",
            discussion: "As 'vault web' does; a locked vault asks for its password on the page.",
            examples: [
                "vault open": "Open the page in a window of its own.",
                "vault open vault://note/k7w3m2": "Open it at a note; desktops do this for such links.",
                "vault open 'vault://new?title=A%20talk&url=https://example.org'": "Ask whether to make a note.",
            ])
    }
    var link: String?

    mutating func declare(_ list: inout ArgumentList) {
        list.word(&link, "link", "An address: vault://note/ID, or vault://new?title=T&url=U.")
    }

    func run(_ context: Context) throws(ClientFailure) -> Outcome {
        let target: PageTarget
        if let link { target = try PageTarget.address(link) } else { target = .list }
        return try WebCommand.open(context, target)
    }
}
