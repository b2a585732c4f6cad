// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import Dates
internal import TerminalText

// Remotes: where they are, and what trying them has shown.

extension AddRemote: Presented {
    public func present(_ reply: TriedRemote, on page: inout Page) {
        page.tried(reply, "added")
        page.hint("vault sync now")
    }
}

extension StartSignIn: Presented {
    public func present(_ reply: SignInPage, on page: inout Page) {
        if page.style.json { return page.json(.answer([("address", .string(reply.address))])) }
        page.output("\(reply.address)\n")
    }
}

extension TestRemote: Presented {
    public func present(_ reply: TriedRemote, on page: inout Page) { page.tried(reply, "works:") }
}

extension RemoveRemote: Presented {
    public func present(_ reply: TriedRemote, on page: inout Page) {
        if page.style.json {
            return page.json(.answer([("removed", .bool(true)), ("remote", .remote(reply.remote))]))
        }
        let place = SafeText.singleLine(reply.remote.place)
        page.output("removed \(reply.remote.name)\n")
        page.talk("vault: note: what is stored in \(place) stays there, encrypted")
    }
}

extension ListRemotes: Presented {
    public func present(_ reply: RemoteList, on page: inout Page) {
        if page.style.json {
            return page.json(.answer([("remotes", .array(reply.remotes.map { .remote($0) }))]))
        }
        guard page.style.isTerminal else {
            for remote in reply.remotes {
                page.tabbed([
                    remote.name, remote.kind.word, remote.place, page.moment(remote.synced),
                    [remote.isPaused ? "paused" : "", remote.isAppendOnly ? "append-only" : ""]
                        .filter { !$0.isEmpty }.joined(separator: ","),
                ])
            }
            return
        }
        for remote in reply.remotes {
            let when = remote.synced == 0 ? "never synced" : "synced \(page.moment(remote.synced))"
            let paused = (remote.isPaused ? ", paused" : "") + (remote.isAppendOnly ? ", append-only" : "")
            page.output(
                "\(remote.name)  \(remote.kind.word)  \(SafeText.singleLine(remote.place))  \(when)\(paused)\(remote.signInEnd(on: page))\n"
            )
            if let warning = remote.signInWarning(on: page) { page.talk("vault: warning: \(warning)") }
        }
        if reply.remotes.isEmpty { page.talk("no remotes; next: vault remote add folder DIR") }
    }
}

extension RemoteKind {
    /// The word for it in JSON and in commands.
    var word: String {
        switch self {
        case .folder: "folder"
        case .webDAV: "webdav"
        case .s3: "s3"
        case .dropbox: "dropbox"
        case .rclone: "rclone"
        }
    }
}

extension JSONText {
    static func remote(_ remote: RemoteRow) -> JSONText {
        .object([
            ("name", .string(remote.name)), ("kind", .string(remote.kind.word)), ("place", .string(remote.place)),
            ("added", .date(remote.made)), ("synced", remote.synced == 0 ? .null : .date(remote.synced)),
            ("paused", .bool(remote.isPaused)), ("appendOnly", .bool(remote.isAppendOnly)),
            ("signInEnds", remote.signInEnds == 0 ? .null : .date(remote.signInEnds)),
        ])
    }
}

extension Page {
    /// Returns a time, empty for none.
    func moment(_ milliseconds: Int64) -> String { milliseconds == 0 ? "" : clock.text(milliseconds) }

    mutating func tried(_ reply: TriedRemote, _ verb: String) {
        if style.json {
            return json(
                .answer([
                    ("remote", .remote(reply.remote)), ("devices", .count(reply.deviceCount)),
                    ("listsAtOnce", .bool(reply.listsAtOnce)), ("milliseconds", .count(reply.milliseconds)),
                    ("letsRemove", .bool(reply.letsRemove)),
                ]))
        }
        let devices =
            switch reply.deviceCount {
            case 0: "no device has written there yet"
            case 1: "1 device has written there"
            default: "\(reply.deviceCount) devices have written there"
            }
        let did =
            reply.remote.isAppendOnly ? "stored, read and listed a file" : "stored, read, listed and removed a file"
        output("\(verb) \(reply.remote.name): \(did) in \(reply.milliseconds) ms; \(devices)\n")
        if reply.letsRemove {
            talk(
                "vault: note: this remote still lets this device remove files; docs/self-hosting.md has a policy that forbids it"
            )
        }
        if !reply.listsAtOnce { talk("vault: note: this remote's listings lag; other devices may be found later") }
    }
}
