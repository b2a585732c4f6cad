// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc

/// `EditFolderLayout` is what client and agent agree on about the folder of an edit: a 0700 directory in memory, held
/// by flock(2) on itself as long as the client or its editor lives, with the note's text in one file.
public enum EditFolderLayout {
    /// The name ends as Markdown does, so that editors colour it.
    public static let fileName = "note.md"
    /// What an editor holds and has not written yet, where it was told to say so: newer than the note's file, or it
    /// is ignored.
    public static let typedName = "typed.md"
    /// Where nano puts what it has not written when it is hung up on.
    public static let rescuedName = fileName + ".save"
    /// Where vim keeps the old text while it rewrites the file: the only complete copy until this one is removed.
    public static let previousName = fileName + "~"
    public static let namePrefix = "edit-"

    /// Where such folders are: beside the agent's sockets, or in shared memory.
    public static var parents: [String] {
        [(try? AgentAddress.directory()) ?? "", sharedMemory].filter { !$0.isEmpty }
    }

    /// Used when the runtime directory is not in memory.
    public static var sharedMemory: String { "/dev/shm/notevault-\(getuid())" }

    /// Returns a new name for a folder of one vault: `edit-`, the first 8 bytes of the vault's ID and 8 random ones, in
    /// hexadecimal digits.
    public static func name(of vaultID: [UInt8]) -> String {
        let start = vaultID.prefix(8)
        var bytes = [UInt8](repeating: 0, count: 16)
        _ = unsafe bytes.withUnsafeMutableBytes { unsafe vs_random($0.baseAddress!, $0.count) }
        bytes.replaceSubrange(0..<start.count, with: start)
        return namePrefix + AgentAddress.hex(bytes)
    }

    /// Returns whether a folder is of this vault. What another vault's editor left is not to be removed: the text in it
    /// may be nowhere else, and only that vault's agent can keep it.
    public static func isFolder(_ path: String, of vaultID: [UInt8]) -> Bool {
        let start = namePrefix + AgentAddress.hex(Array(vaultID.prefix(8)))
        return isFolder(path) && path.split(separator: "/").last?.hasPrefix(start) == true
    }

    /// Returns whether a path may be such a folder. The agent touches no other: a path in a vault, or from a client, is
    /// only somebody's word.
    public static func isFolder(_ path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/"), parents.contains(String(path[..<slash])) else { return false }
        return isName(String(path[path.index(after: slash)...]))
    }

    /// Returns whether a name is `edit-` and 32 hexadecimal digits.
    public static func isName(_ name: String) -> Bool {
        let digits = name.utf8.dropFirst(namePrefix.utf8.count)
        return name.hasPrefix(namePrefix) && digits.count == 32
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
