// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentClient
internal import AgentProtocol
internal import NIOHTTP1
internal import Presentation

/// `HistoryRoutes` shows what was before: revisions, differences, drafts, versions of two devices; and takes changes
/// back.
enum HistoryRoutes {
    private static let fields = Route.Content.fields(64 << 10)

    static let all: [Route] = [
        Route(.POST, "/api/history", fields) { site, exchange throws(ClientFailure) in
            try site.asked(ListHistory(ref: exchange.fields().text("id")))
        },
        Route(.POST, "/api/compare", fields) { site, exchange throws(ClientFailure) in
            let fields = try exchange.fields()
            return try site.asked(
                CompareRevisions(ref: fields.text("id"), from: fields["from"], to: fields["to"], byWord: false))
        },
        Route(.POST, "/api/revert", fields) { site, exchange throws(ClientFailure) in
            let fields = try exchange.fields()
            return try site.asked(RevertNote(ref: fields.text("id"), revision: fields.text("revision")))
        },
        Route(.POST, "/api/undo", .nothing) { site, _ throws(ClientFailure) in
            try site.asked(UndoCommands(commandCount: 1, consent: .given))
        },
        Route(.POST, "/api/drafts", fields) { site, exchange throws(ClientFailure) in
            try site.asked(ListDrafts(), isByHand: !exchange.fields().flag("unattended"))
        },
        Route(.POST, "/api/draft/discard", fields) { site, exchange throws(ClientFailure) in
            try site.asked(DiscardDrafts(refs: exchange.fields().all("id")))
        },
        Route(.POST, "/api/resolve", fields) { site, exchange throws(ClientFailure) in
            let fields = try exchange.fields()
            return try site.asked(ResolveConflict(ref: fields.text("id"), keeping: fields["keep"]))
        },
        Route(.POST, "/api/conflict", fields) { site, exchange throws(ClientFailure) in
            try site.asked(ShowConflict(ref: exchange.fields().text("id"), byWord: false))
        },
    ]
}
