// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import ExportFormats
internal import Foundation
internal import VaultCore
internal import VaultFormat

/// `ExportQueue` stands between the loop, which alone may ask the store, and the thread that writes an export: notes go
/// one way, and the thread's wishes for attachments the other. What waits here is bounded, so memory does not grow with
/// the vault.
final class ExportQueue: @unchecked Sendable {
    enum Item: Sendable {
        case note(ExportedNote, [Attachment])
        /// The last one: how many private notes were locked.
        case end(lockedCount: Int)
    }

    /// `Wish` is what the thread waits for.
    struct Wish: Sendable {
        let attachment: AttachmentID
        let note: NoteID
    }

    /// Notes that wait, and their texts in bytes; one note goes in whatever its size.
    private static let countMax = 256
    private static let byteCountMax = 4 << 20

    private let condition = NSCondition()
    private var items: [(item: Item, byteCount: Int)] = []
    private var byteCount = 0
    private var wish: Wish?
    private var granted: Result<VaultCore.AttachmentContent, VaultError>?
    private var isWriterIdle = false
    private var cancelled = false

    // MARK: The loop's side

    var hasRoom: Bool { locked { items.isEmpty || (items.count < Self.countMax && byteCount < Self.byteCountMax) } }

    /// Whether everything that was put is written.
    var isDrained: Bool { locked { items.isEmpty && isWriterIdle } }

    func put(_ item: Item, byteCount: Int) {
        locked {
            items.append((item, byteCount))
            self.byteCount += byteCount
            isWriterIdle = false
            condition.broadcast()
        }
    }

    /// Returns the attachment that is waited for, if one is.
    func takeWish() -> Wish? {
        locked {
            defer { wish = nil }
            return wish
        }
    }

    func grant(_ content: Result<VaultCore.AttachmentContent, VaultError>) {
        locked {
            granted = content
            condition.broadcast()
        }
    }

    /// Drops what waits, and tells the thread to end at its next question; it holds nothing then.
    func cancel() {
        locked {
            cancelled = true
            items = []
            granted = nil
            condition.broadcast()
        }
    }

    // MARK: The thread's side

    var isCancelled: Bool { locked { cancelled } }

    /// Returns the next one; nil when the export was cancelled.
    func next() -> Item? {
        condition.lock()
        defer { condition.unlock() }
        waitForItem()
        guard !cancelled, !items.isEmpty else { return nil }
        let first = items.removeFirst()
        byteCount -= first.byteCount
        if items.count == Self.countMax / 2 || items.isEmpty { BackgroundWake.ring() }
        return first.item
    }

    /// Waits until there is one, and takes nothing.
    ///
    /// - Returns: false when the export was cancelled.
    func hasNext() -> Bool {
        locked {
            waitForItem()
            return !cancelled
        }
    }

    /// Waits with the lock held.
    private func waitForItem() {
        while items.isEmpty && !cancelled {
            if !isWriterIdle {
                isWriterIdle = true
                BackgroundWake.ring()
            }
            condition.wait()
        }
    }

    /// Waits until the loop has opened an attachment.
    ///
    /// - Returns: nil when the export was cancelled.
    func content(_ wanted: Wish) -> Result<VaultCore.AttachmentContent, VaultError>? {
        condition.lock()
        defer { condition.unlock() }
        granted = nil
        wish = wanted
        BackgroundWake.ring()
        while granted == nil && !cancelled { condition.wait() }
        defer { granted = nil }
        return cancelled ? nil : granted
    }

    private func locked<R>(_ body: () -> R) -> R {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
