// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import SealedSQLite

/// These functions say what is missing of an index where nothing says what it was.
extension SalvagedIndex {
    /// Pages at the end of the file that a manifest vouches for and that are not there.
    var cutPageCount: Int { max(0, Int(vouchedPageCount) - Int(clamping: pages.progress.total)) }

    /// Whether there were pages of which nobody knows what they held.
    var lacksPages: Bool {
        !pages.lostPages.isEmpty || pages.lostFrames > 0 || pages.logIsLost || cutPageCount > 0
    }

    /// Files of drafts that no row names, where pages are lost: what their keys were nobody knows.
    var lostDraftCount: Int {
        guard lacksPages else { return 0 }
        let names = (try? directory.existingFolder("drafts")?.names()) ?? []
        let known = Set(drafts.keys.map(\.hex))
        return names.count { $0.utf8.count == 32 && !known.contains($0) }
    }

    /// Counts the files of attachments that no row names, where pages are lost: a private note alone says which are its
    /// own.
    func countUnnamed(_ objects: ObjectFolder) -> Int {
        guard lacksPages, let files = try? objects.all().objects else { return 0 }
        let known = Set(attachments.values.map(\.record.object.bytes)).union(pendingUnlinks.keys)
        return files.count { !known.contains($0.bytes) }
    }

    /// Returns whether nothing can have followed what was found: the counters of the newest page name the end of the
    /// chain and are as new as whatever vouches for the index.
    ///
    /// - Parameter seen: the highest generation that a manifest or the pin has; nil when there is neither.
    func knowsEnd(seen: UInt64?) -> Bool {
        guard let seen, let state, let history, history.endsAsStated else { return false }
        return state.generation >= seen && pages.lostFrames == 0 && !pages.logIsLost && !pages.endIsLost
    }
}
