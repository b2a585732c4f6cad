// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Foundation
internal import Glibc

/// `InspectedDirectory` is a directory as an open descriptor: everything is reached beneath it and no link is followed
/// (ThreatModel H03, H04).
final class InspectedDirectory {
    static let fileCountMax = 200_000
    private let descriptor: Int32

    /// Opens a directory; the last part of its path may not be a link.
    ///
    /// - Throws: `InspectionError.notADirectory`.
    init(path: String) throws(InspectionError) {
        // With a slash at the end the kernel would follow a link in spite of O_NOFOLLOW.
        var name = path[...]
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        descriptor = unsafe open(String(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw InspectionError(.notADirectory) }
    }

    private init(taking descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Returns a folder beneath this one; nil for a link and for what may not be opened.
    func folder(_ name: [UInt8]) -> InspectedDirectory? {
        let opened = unsafe openat(
            descriptor, name.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return opened < 0 ? nil : InspectedDirectory(taking: opened)
    }

    /// Returns all names but `.` and `..`, in order.
    ///
    /// - Throws: `InspectionError.notReadable`, `.tooManyFiles`.
    func files() throws(InspectionError) -> [InspectedFile] {
        // A second descriptor, because closedir closes the one that it was given.
        let second = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard second >= 0, let stream = unsafe fdopendir(second) else { throw InspectionError(.notReadable) }
        defer { unsafe closedir(stream) }
        var files: [InspectedFile] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in unsafe Array(raw.prefix { $0 != 0 }) }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            guard files.count < Self.fileCountMax else { throw InspectionError(.tooManyFiles) }
            if let file = file(name) { files.append(file) }
        }
        return files.sorted { $0.name < $1.name }
    }

    /// Reads up to `byteCountMax` bytes of a regular file; nil for anything else.
    func read(_ name: String, byteCountMax: Int) -> [UInt8]? {
        let opened = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        defer { close(opened) }
        var status = stat()
        guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return DescriptorBytes.read(opened, byteCountMax: byteCountMax)
    }

    private func file(_ name: [UInt8]) -> InspectedFile? {
        var status = stat()
        let path = name.map { CChar(bitPattern: $0) } + [0]
        guard unsafe fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let kinds: [mode_t: String] = [S_IFREG: "file", S_IFDIR: "directory", S_IFLNK: "link"]
        // Years from 1 to 9999, whatever somebody has set: that is all that a date in text can say.
        let seconds = min(max(status.st_mtim.tv_sec, -62_135_596_800), 253_402_300_799)
        let modified = Date(timeIntervalSince1970: TimeInterval(seconds))
        return InspectedFile(
            bytes: name, kind: kinds[status.st_mode & S_IFMT] ?? "other", byteCount: Int(status.st_size),
            mode: String(status.st_mode & 0o7777, radix: 8), modified: modified.formatted(.iso8601),
            seconds: status.st_mtim.tv_sec)
    }
}

/// `DescriptorBytes` reads an open descriptor to its end. Foundation takes a short read of /proc for the end of the
/// file.
enum DescriptorBytes {
    /// Reads at most `byteCountMax` bytes; nil on an error.
    static func read(_ descriptor: Int32, byteCountMax: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCountMax)
        var done = 0
        while done < byteCountMax {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress! + done, $0.count - done)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            done += got
        }
        return Array(bytes[0..<done])
    }
}
