// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CArchive
public import ForeignFormats
internal import ParserProtocol

/// `ArchiveSource` gives the files of a tar or zip archive, read from a stream and never unpacked anywhere. Links are
/// refused by name.
@safe
public final class ArchiveSource: EntrySource {
    private static let blockByteCount = 512

    private let input: ArchiveInput
    private let limits: ArchiveLimits
    private let chunk = ArchiveChunk()
    private var archive: OpaquePointer?
    private var entryCount = 0
    private var unpackedByteCount: UInt64 = 0
    /// Whether the entry that was last given has content to read.
    private var isOpen = false
    public private(set) var isCutShort = false

    /// Reads the archive that a container holds.
    ///
    /// - Parameter container: has one file, the archive.
    public init(_ container: any EntrySource, limits: ArchiveLimits = ArchiveLimits()) {
        input = ArchiveInput(container)
        self.limits = limits
    }

    deinit { close() }

    private func close() {
        if let archive = unsafe archive { unsafe archive_read_free(archive) }
        unsafe archive = nil
    }

    public func rewind() throws(ImportFailure) {
        close()
        try input.rewind()
        (entryCount, unpackedByteCount, isOpen, isCutShort) = (0, 0, false, false)
    }

    private func open() throws(ImportFailure) -> OpaquePointer {
        if let archive = unsafe archive { return unsafe archive }
        try input.begin()
        guard let new = unsafe archive_read_new() else { throw ImportFailure(.malformedContainer) }
        unsafe archive = new
        // Only what the exports are: no compression around a tar, so that nothing unpacks in layers.
        unsafe archive_read_support_filter_none(new)
        unsafe archive_read_support_format_tar(new)
        unsafe archive_read_support_format_zip_streamable(new)
        guard
            unsafe archive_read_open(new, Unmanaged.passUnretained(input).toOpaque(), nil, ArchiveInput.read, nil)
                == ARCHIVE_OK
        else {
            throw input.failure ?? ImportFailure(.malformedContainer)
        }
        return unsafe new
    }

    public func nextEntry() throws(ImportFailure) -> SourceEntry? {
        // What is left counts against the limits too, so it is read and not skipped.
        while isOpen, try !readPiece().isEmpty {}
        let archive = unsafe try open()
        while true {
            var header: OpaquePointer?
            let status = unsafe archive_read_next_header(archive, &header)
            if let failure = input.failure { throw failure }
            if status == ARCHIVE_EOF {
                try unsafe checkEnd(archive)
                return nil
            }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let header = unsafe header else {
                throw ImportFailure(.malformedContainer)
            }
            entryCount += 1
            guard entryCount <= limits.entryCountMax else { throw ImportFailure(.tooManyEntries) }
            if let entry = unsafe entry(header) {
                isOpen = entry.refusal == nil
                isCutShort = false
                return entry
            }
        }
    }

    /// Refuses a tar without the blocks of zeroes that end one: it was cut where a file of it ends, which libarchive
    /// takes for its end.
    private func checkEnd(_ archive: OpaquePointer) throws(ImportFailure) {
        guard entryCount > 0, unsafe archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR else {
            return
        }
        try input.drain()
        // What was cut before it came here may end like one that is whole.
        guard !input.isCutShort, input.zeroByteCount >= Self.blockByteCount else {
            throw ImportFailure(.malformedContainer)
        }
    }

    /// Makes the entry of a header.
    ///
    /// - Returns: nil for a folder, which says nothing that its files do not, unless it is refused.
    private func entry(_ header: OpaquePointer) -> SourceEntry? {
        let raw = unsafe Self.path(header)
        let kind = unsafe archive_entry_filetype(header)
        let modified =
            unsafe archive_entry_mtime_is_set(header) != 0
            ? unsafe Int64(archive_entry_mtime(header)).multipliedReportingOverflow(by: 1000)
            : (partialValue: 0, overflow: true)
        let time = modified.overflow ? nil : modified.partialValue
        func refused(_ reason: RefusedEntry.Reason) -> SourceEntry {
            SourceEntry(path: raw, modified: nil, refusal: reason)
        }
        if unsafe archive_entry_hardlink(header) != nil { return refused(.hardLink) }
        switch kind {
        case mode_t(0o120000): return refused(.symbolicLink)
        case mode_t(0o040000): return Self.folderRefusal(raw, limits).map(refused)
        case mode_t(0o100000): break
        default: return refused(.specialFile)
        }
        if unsafe archive_entry_is_encrypted(header) != 0 { return refused(.encrypted) }
        switch EntryPath.check(raw, depthMax: limits.depthMax) {
        case .success(let path): return SourceEntry(path: path, modified: time)
        case .failure(let refusal): return refused(refusal.reason)
        }
    }

    private static func folderRefusal(_ path: [UInt8], _ limits: ArchiveLimits) -> RefusedEntry.Reason? {
        if path.elementsEqual("./".utf8) || path.elementsEqual(".".utf8) { return nil }
        guard case .failure(let refusal) = EntryPath.check(path, depthMax: limits.depthMax) else { return nil }
        return refusal.reason
    }

    private static func path(_ header: OpaquePointer) -> [UInt8] {
        guard let text = unsafe archive_entry_pathname(header) ?? archive_entry_pathname_utf8(header) else { return [] }
        return unsafe text.withMemoryRebound(to: UInt8.self, capacity: 1) { bytes in
            var path: [UInt8] = []
            while path.count <= ForeignFile.pathByteCountMax, unsafe bytes[path.count] != 0 {
                unsafe path.append(bytes[path.count])
            }
            return path
        }
    }

    public func readPiece() throws(ImportFailure) -> [UInt8] {
        guard isOpen, let archive = unsafe archive else { return [] }
        let count = unsafe chunk.bytes.withUnsafeMutableBytes { buffer in
            unsafe archive_read_data(archive, buffer.baseAddress, buffer.count)
        }
        if let failure = input.failure { throw failure }
        guard count > 0 else {
            isCutShort = count < 0
            isOpen = false
            return []
        }
        unpackedByteCount += UInt64(count)
        guard unpackedByteCount <= limits.byteCountMax else { throw ImportFailure(.tooManyBytes) }
        if unpackedByteCount > limits.byteCountFree, unpackedByteCount / limits.ratioMax > input.byteCount {
            throw ImportFailure(.bomb)
        }
        return Array(chunk.bytes[..<count])
    }
}

/// `ArchiveChunk` is room for one piece, made once.
private final class ArchiveChunk {
    var bytes = [UInt8](repeating: 0, count: ImportRecord.pieceByteCountMax)
}
