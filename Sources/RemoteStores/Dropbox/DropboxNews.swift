// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Glibc
internal import SyncProtocol

/// `DropboxNews` waits for Dropbox to say that something has changed below the vault's folder, in place of looking
/// again and again: one request that is answered when there is something, or after some minutes.
///
/// It says a hint, and nothing depends on it. What this device has stored itself is no news.
final class DropboxNews {
    private let session: DropboxSession
    private let limits: StoreLimits
    /// The path of the vault's folder.
    private let path: String
    /// How long Dropbox waits for something, in seconds; it may take 90 more.
    private static let secondsOfWaiting = 240
    private static let (pauseFirst, pauseLongest) = (15, 600)
    private var cursor: String?
    /// When to ask again; nil while it is being waited.
    private var due: Int?
    private var pause = pauseFirst
    private var expected: Set<String> = []
    private var isNews = false
    /// When there was something last: a service that says so each second is believed now and then.
    private var told = 0
    private static let secondsBetween = 3
    private var isOn = false

    init(_ session: DropboxSession, _ path: String, _ limits: StoreLimits) {
        (self.session, self.path, self.limits) = (session, path, limits)
    }

    func begin() {
        guard !isOn else { return }
        (isOn, due) = (true, Self.now)
    }

    /// Remembers a file of one's own.
    func expect(_ name: StoreName) {
        guard isOn else { return }
        // What was never told about need not be kept for ever.
        if expected.count > 4096 { expected = [] }
        expected.insert(name.text)
    }

    /// Milliseconds until something is to be asked; nil when nothing is.
    var millisecondsLeft: Int32? { due.map { Int32(clamping: max(0, $0 - Self.now) * 1000) } }

    /// Asks what is due to be asked.
    func step() {
        guard let due, due <= Self.now else { return }
        self.due = nil
        if let cursor { wait(cursor) } else { findBegin() }
    }

    /// Returns whether there was something since the last call.
    func take() -> Bool {
        defer { isNews = false }
        return isNews
    }

    private func findBegin() {
        let argument = #"{"path":\#(JSONAnswer.quoted(path)),"recursive":true}"#
        session.call("files/list_folder/get_latest_cursor", argument, seconds: limits.seconds(byteCount: 0)) {
            [self] answer in
            guard let cursor = answer.json?["cursor"]?.text, DropboxCommits.isToken(cursor) else {
                return later(answer)
            }
            self.cursor = cursor
            // Between the last look and this something may have come.
            (isNews, due) = (true, Self.now)
        }
    }

    private func wait(_ cursor: String) {
        let argument = #"{"cursor":"\#(cursor)","timeout":\#(Self.secondsOfWaiting)}"#
        session.call(
            "files/list_folder/longpoll", on: .notify, argument, seconds: Self.secondsOfWaiting + 120
        ) { [self] answer in
            guard answer.failure == nil, let json = answer.json else { return later(answer) }
            let backoff = min(max(json["backoff"]?.number ?? 0, 0), Self.pauseLongest)
            // A server that says yes at once each time gets a second.
            due = Self.now + max(backoff, 1)
            pause = Self.pauseFirst
            if json["changes"]?.isTrue == true { read(cursor, 64) }
        }
    }

    /// Reads what has changed: whether any of it is of another device.
    private func read(_ cursor: String, _ pagesLeft: Int) {
        let dueThen = due
        due = nil
        session.call(
            "files/list_folder/continue", #"{"cursor":"\#(cursor)"}"#, seconds: limits.seconds(byteCount: 4 << 20)
        ) { [self] answer in
            guard let entries = answer.json?["entries"]?.items, let next = answer.json?["cursor"]?.text,
                DropboxCommits.isToken(next)
            else { return later(answer) }
            self.cursor = next
            let strange = entries.contains { entry in
                entry.tag == "file" && entry["name"]?.text.map { expected.remove($0) == nil } != false
            }
            if strange, Self.now - told >= Self.secondsBetween { (isNews, told) = (true, Self.now) }
            due = dueThen
            if answer.json?["has_more"]?.isTrue == true, pagesLeft > 0 { read(next, pagesLeft - 1) }
        }
    }

    private func later(_ answer: DropboxSession.Answer) {
        // A cursor has an end, which is said.
        if answer.tags.contains("reset") { cursor = nil }
        due = Self.now + max(pause, Int(answer.failure?.retryAfter ?? 0))
        pause = min(pause * 2, Self.pauseLongest)
    }

    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }
}
