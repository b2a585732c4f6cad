// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc

/// The folder in memory where an editor's file lies, as the agent finds it: in use, left behind, or gone.
enum EditLeftover {
    case inUse
    case gone
    /// Nobody edits there any more; the text is what was saved last, nil without a file.
    case free([UInt8]?)

    /// Looks at a folder that an edit was begun in.
    init(_ path: String) {
        guard !path.isEmpty, let folder = try? EditFolderLock(path: path) else {
            self = .gone
            return
        }
        self = folder.isFree ? .free(folder.text(byteCountMax: Frame.noteByteCountMax)) : .inUse
    }

    /// Removes what is left of a folder.
    static func remove(_ path: String) {
        guard !path.isEmpty, let folder = try? EditFolderLock(path: path), folder.isFree else { return }
        folder.removeAll()
    }
}
