// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import ForeignRecords
internal import Glibc

/// The bounded part of a source that is looked at to say what it is.
enum SourceSample {
    /// Hidden names that say which program keeps a folder; the walk leaves hidden names alone.
    private static let hiddenNames = [
        ".obsidian", ".gpg-id", ".age-recipients", ".ztr-directory", ".foam", ".nb", ".index",
        ".silverbullet.auto.yaml", ".joplin", ".zk", ".nnbackup",
    ]
    /// Of each kind of file so many names come first, so that the cap on names hides no kind.
    private static let nameCountOfKind = 32

    static func question(_ source: borrowing ImportSource) -> SourceQuestion {
        let name = Array(source.name.utf8)
        guard source.isFolder else {
            let head = source.head(SourceQuestion.headByteCountMax)
            // The end of what is sealed is not looked at: all of it would have to be opened.
            return SourceQuestion(file: name, head: head, tail: source.isSealed ? [] : tail(source.descriptor))
        }
        let paths = representative(MarkdownWalk(folder: source.descriptor, .everything).files)
        let folder = source.descriptor
        let hidden = hiddenNames.filter { has($0, in: folder) }.map { Array($0.utf8) }
        return SourceQuestion(folder: name, names: hidden + paths, samples: samples(paths, folder))
    }

    /// The last bytes of a file that is longer than what was read of its beginning; a shorter one is looked at again.
    private static func tail(_ descriptor: Int32) -> [UInt8] {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return [] }
        return read(descriptor, SourceQuestion.tailByteCountMax, at: max(0, Int64(status.st_size) - Int64(SourceQuestion.tailByteCountMax)))
    }

    private static func read(_ descriptor: Int32, _ count: Int, at offset: Int64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress!, $0.count, off_t(offset)) }
        return Array(bytes[0..<max(got, 0)])
    }

    /// What stands behind the last dot of a path.
    private static func ending(_ path: [UInt8]) -> [UInt8] {
        let name = path[((path.lastIndex(of: 0x2F) ?? -1) + 1)...]
        guard let dot = name.lastIndex(of: 0x2E), name.endIndex - dot <= 16 else { return [] }
        return Array(name[dot...])
    }

    private static func representative(_ paths: [[UInt8]]) -> [[UInt8]] {
        guard paths.count > SourceQuestion.nameCountMax else { return paths }
        var seen: [[UInt8]: Int] = [:]
        var (first, rest): ([[UInt8]], [[UInt8]]) = ([], [])
        for path in paths {
            let count = seen[ending(path), default: 0]
            seen[ending(path)] = count + 1
            if count < nameCountOfKind { first.append(path) } else { rest.append(path) }
        }
        return first + rest
    }

    /// The beginnings of the first two files of each kind.
    private static func samples(_ paths: [[UInt8]], _ folder: Int32) -> [SourceQuestion.Sample] {
        var seen: [[UInt8]: Int] = [:]
        var samples: [SourceQuestion.Sample] = []
        for path in paths where samples.count < SourceQuestion.sampleCountMax {
            let count = seen[ending(path), default: 0]
            guard count < 2 else { continue }
            seen[ending(path)] = count + 1
            guard let (file, _) = try? FolderFile.open(path, in: folder) else { continue }
            defer { close(file) }
            samples.append(.init(path: path, head: read(file, SourceQuestion.sampleByteCountMax, at: 0)))
        }
        return samples
    }

    private static func has(_ name: String, in folder: Int32) -> Bool {
        var status = stat()
        return unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }
}
