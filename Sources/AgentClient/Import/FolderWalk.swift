// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import CSystemShims
internal import Glibc
internal import ParserProtocol

/// `FolderWalk` finds the notes of a folder without following a link out of it.
struct FolderWalk {
    /// Files to import, as paths relative to the folder, in the order of their bytes.
    private(set) var files: [[UInt8]] = []
    private(set) var skipped: [SkippedFile] = []
    /// Files of other kinds.
    var otherCount: Int { others.count }
    /// Their paths, in the order of their bytes.
    private(set) var others: [[UInt8]] = []
    private let scope: Scope

    enum Scope {
        /// What `vault import markdown` makes notes of.
        case notes
        /// Every file is of interest, whatever it is called and however large.
        case everything
    }

    static let depthMax = 64
    static let fileByteCountMax: Int64 = 16 << 20
    private static let extensions: [[UInt8]] = [".md", ".markdown", ".txt"].map { (text: String) in Array(text.utf8) }

    /// Walks through the folder, and sorts the files that it finds by path.
    ///
    /// - Parameter folder: an open directory; its place in the listing stays where it is.
    init(folder: Int32, _ scope: Scope = .notes) {
        self.scope = scope
        // Opened anew: a duplicate would share its place in the listing with the caller's descriptor, and with every
        // walk before this one.
        visit(Self.open([0x2E], in: folder, O_RDONLY | O_DIRECTORY), path: [], depth: 0)
        files.sort { $0.lexicographicallyPrecedes($1) }
        others.sort { $0.lexicographicallyPrecedes($1) }
        skipped.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Returns whether a name is one of ours: not hidden, and with a known ending in any case.
    static func isNote(_ name: [UInt8]) -> Bool {
        let lower = name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        return !isHidden(name)
            && extensions.contains { lower.count > $0.count && lower.suffix($0.count).elementsEqual($0) }
    }

    /// Returns whether a name begins with a dot. Such names are other programs' own: `.obsidian`, `.trash`, `.git`, and
    /// `.` and `..`.
    static func isHidden(_ name: [UInt8]) -> Bool { name.first == 0x2E }

    /// Returns whether a file lies in a folder "X.files". Such files are attachments of the note X beside it, whatever
    /// they are called: the parser says which.
    private static func mayBeAttachment(_ path: [UInt8]) -> Bool {
        path.split(separator: 0x2F).dropLast().contains { $0.count > 6 && $0.suffix(6).elementsEqual(".files".utf8) }
    }

    /// Takes over `directory`.
    private mutating func visit(_ directory: Int32, path: [UInt8], depth: Int) {
        guard directory >= 0, let stream = unsafe fdopendir(directory) else {
            if directory >= 0 { close(directory) }
            return skip(path, .unreadable)
        }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in unsafe Array(raw.prefix { $0 != 0 }) }
            if Self.isHidden(name) { continue }
            take(name, in: directory, path: path.isEmpty ? name : path + [0x2F] + name, depth: depth)
        }
    }

    private mutating func take(_ name: [UInt8], in directory: Int32, path: [UInt8], depth: Int) {
        var status = stat()
        let found = unsafe (name + [0]).withUnsafeBytes { raw in
            unsafe fstatat(
                directory, raw.baseAddress!.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
        }
        guard found == 0 else { return skip(path, .unreadable) }
        switch status.st_mode & S_IFMT {
        case S_IFLNK: skip(path, .symbolicLink)
        case S_IFDIR:
            guard path.count <= 4096 else { return skip(path, .pathTooLong) }
            guard depth < Self.depthMax else { return skip(path, .tooDeep) }
            visit(Self.open(name, in: directory, O_RDONLY | O_DIRECTORY), path: path, depth: depth + 1)
        case S_IFREG where path.count > 4096: skip(path, .pathTooLong)
        case S_IFREG where scope == .notes && !Self.isNote(name): others.append(path)
        case S_IFREG where scope == .everything: files.append(path)
        case S_IFREG where status.st_size > Self.fileByteCountMax && !Self.mayBeAttachment(path): skip(path, .tooLarge)
        case S_IFREG: files.append(path)
        default: skip(path, .notAFile)
        }
    }

    private mutating func skip(_ path: [UInt8], _ reason: SkippedFile.Reason) {
        skipped.append(SkippedFile(bytes: path, reason: reason))
    }

    /// Opens a name in a directory; a link is refused.
    static func open(_ name: [UInt8], in directory: Int32, _ flags: Int32) -> Int32 {
        unsafe (name + [0]).withUnsafeBytes { raw in
            unsafe vs_open_at(directory, raw.baseAddress!.assumingMemoryBound(to: CChar.self), flags, 0)
        }
    }
}

/// `FolderFile` reads one file of a folder into the record that vault-parse takes.
enum FolderFile {
    struct Failure: Error {
        let reason: SkippedFile.Reason
    }

    /// Goes down part by part, so that a folder that became a link since the walk is refused too.
    ///
    /// - Throws: why the file is left out.
    static func read(_ path: [UInt8], in folder: Int32) throws(Failure) -> ForeignFile {
        let (file, modified) = try open(path, in: folder)
        defer { close(file) }
        return try record(path, modified: modified, content: try content(file))
    }

    /// Opens a regular file beneath the folder without following a link.
    ///
    /// - Returns: a descriptor that the caller closes, and when the file was changed.
    static func open(_ path: [UInt8], in folder: Int32) throws(Failure) -> (Int32, Int64) {
        var directory = dup(folder)
        defer { if directory >= 0 { close(directory) } }
        let parts = path.split(separator: 0x2F).map { Array($0) }
        for part in parts.dropLast() {
            let next = FolderWalk.open(part, in: directory, O_RDONLY | O_DIRECTORY)
            close(directory)
            directory = next
        }
        guard let name = parts.last else { throw Failure(reason: .unreadable) }
        // A pipe that took the file's place must not make us wait for a writer.
        let file = FolderWalk.open(name, in: directory, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw Failure(reason: errno == ELOOP ? .symbolicLink : .unreadable) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw Failure(reason: .notAFile)
        }
        return (file, milliseconds(status.st_mtim))
    }

    private static func content(_ file: Int32) throws(Failure) -> [UInt8] {
        do {
            return try FileBytes.read(file, max: Int(FolderWalk.fileByteCountMax))
        } catch {
            throw Failure(reason: error == .tooLarge ? .tooLarge : .unreadable)
        }
    }

    private static func record(_ path: [UInt8], modified: Int64, content: [UInt8]) throws(Failure) -> ForeignFile {
        do {
            return try ForeignFile(path: path, modified: modified, content: content)
        } catch {
            throw Failure(reason: error.code == .tooLarge ? .pathTooLong : .unreadable)
        }
    }

    /// Returns a time in milliseconds since 1970. A file system's time may be any number; one that does not fit is kept
    /// at the end of the range.
    static func milliseconds(_ time: timespec) -> Int64 {
        let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
        return overflow ? (time.tv_sec < 0 ? .min : .max) : product &+ Int64(time.tv_nsec) / 1_000_000
    }
}

extension SkippedFile {
    /// Takes a path's bytes and makes them visible. Escaping makes one byte six at most, so the result is within the
    /// protocol's limit.
    init(bytes path: [UInt8], reason: Reason) {
        let shown = VisibleText.escaped(path: Array(path.prefix(2048)))
        self.init(path: path.count > 2048 ? shown + "…" : shown, reason: reason)
    }
}
