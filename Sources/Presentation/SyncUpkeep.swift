// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
internal import TerminalText

// What is compared with another device's screen, and what of a remote was read back.

extension CompareSync: Presented {
    public func present(_ reply: ComparedSync, on page: inout Page) {
        if page.style.json {
            return page.json(
                .answer([
                    ("points", .array(reply.points.map { .point($0) })),
                    (
                        "compared",
                        .array(
                            reply.compared.map {
                                .object([("point", .string($0.point)), ("verdict", .string($0.word))])
                            })
                    ),
                ]))
        }
        guard reply.compared.isEmpty else {
            for one in reply.compared {
                if page.style.isTerminal {
                    page.output("\(SafeText.singleLine(one.point)): \(one.sentence)\n")
                } else {
                    page.tabbed([one.point, one.word])
                }
            }
            return
        }
        for point in reply.points {
            if page.style.isTerminal {
                page.output("\(point.text)\(point.device.isThis ? "  this one" : "")\n")
            } else {
                page.tabbed([point.text, point.device.isThis ? "this" : "", point.remote])
            }
        }
        if page.style.isTerminal {
            page.talk(
                reply.points.isEmpty
                    ? "nothing was sent or read yet; next: vault sync now"
                    : "compare with another device: where the number is the same, the last six characters must be")
        }
    }
}

extension PauseRemote: Presented {
    public func present(_ reply: RemoteList, on page: inout Page) {
        if page.style.json {
            return page.json(.answer([("remotes", .array(reply.remotes.map { .remote($0) }))]))
        }
        for remote in reply.remotes {
            page.output("\(remote.name) is \(remote.isPaused ? "paused" : "synced again")\n")
            if remote.isPaused { page.hint("vault sync resume \(remote.name)") }
        }
    }
}

extension SetRemote: Presented {
    public func present(_ reply: TriedRemote, on page: inout Page) {
        guard !hasSecret else { return page.tried(reply, "changed") }
        if page.style.json { return page.json(.answer([("remote", .remote(reply.remote))])) }
        page.output("changed \(reply.remote.name)\n")
    }
}

extension VerifyRemote: Presented {
    public func present(_ reply: VerifiedRemote, on page: inout Page) {
        let left = reply.faults.filter { !$0.isMended }
        if page.style.json {
            return page.json(
                .answer([
                    ("remote", .remote(reply.remote)), ("objects", .count(reply.objectCount)),
                    ("byteCount", .count(reply.byteCount)), ("whole", .bool(left.isEmpty)),
                    ("faults", .array(reply.faults.map { .fault($0) })),
                ]))
        }
        for fault in reply.faults {
            if page.style.isTerminal {
                page.output("\(fault.words)\(fault.isMended ? "; sent again" : "")\n")
            } else {
                page.tabbed([
                    fault.word, String(fault.number), fault.name, fault.isAltered ? "altered" : "missing",
                    fault.isMended ? "sent again" : "",
                ])
            }
        }
        guard page.style.isTerminal else { return }
        let objects = "\(Quantity.counted(reply.objectCount, "object")), \(Quantity.bytes(reply.byteCount))"
        page.output(
            "\(reply.remote.name): read back \(objects); \(left.isEmpty ? "all is there" : "not all is there")\n")
    }
}

extension ComparedPoint {
    fileprivate var word: String {
        switch verdict {
        case .same: "same"
        case .different: "different"
        case .otherIsBehind: "otherIsBehind"
        case .otherIsAhead: "otherIsAhead"
        case .unknown: "unknown"
        }
    }

    fileprivate var sentence: String {
        switch verdict {
        case .same: "the same here"
        case .different: "different here under that number"
        case .otherIsBehind: "more was read here; the other device is only behind"
        case .otherIsAhead: "less was read here; sync, and compare again"
        case .unknown: "nothing of that device was read here; sync, and compare again"
        }
    }
}

extension SyncPoint {
    /// The point as it is read off a screen.
    fileprivate var text: String { "\(device.device.prefix(6)):\(device.number):\(device.hash)" }
}

extension RemoteFault {
    fileprivate var word: String {
        switch kind {
        case .header: "header"
        case .card: "card"
        case .segment: "segment"
        case .span: "span"
        case .part: "part"
        }
    }

    fileprivate var words: String {
        let what =
            switch kind {
            case .header: "the header \(number)"
            case .card: "the card of this device"
            case .segment: "segment \(number) of this device"
            case .span: "span \(number) of this device"
            case .part: "part \(number + 1) of an attachment"
            }
        return "\(what) \(isAltered ? "is another one" : "is missing"): \(SafeText.singleLine(name))"
    }
}

extension JSONText {
    fileprivate static func point(_ point: SyncPoint) -> JSONText {
        .object([
            ("point", .string(point.text)), ("remote", .string(point.remote)), ("device", .string(point.device.device)),
            ("number", .count(point.device.number)), ("hash", .string(point.device.hash)),
            ("this", .bool(point.device.isThis)),
        ])
    }

    fileprivate static func fault(_ fault: RemoteFault) -> JSONText {
        .object([
            ("kind", .string(fault.word)), ("number", .count(fault.number)), ("name", .string(fault.name)),
            ("altered", .bool(fault.isAltered)), ("mended", .bool(fault.isMended)),
        ])
    }
}
