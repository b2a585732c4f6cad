// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
public import VaultFormat

/// `StoreListing` writes and reads the names of one folder as they stand in the descriptor of a `list`: each followed
/// by a line feed, no name twice.
///
/// That a name is not among them says nothing: stores list late.
public enum StoreListing {
    /// The longest listing, in bytes.
    public static let byteCountMax = StoreFolder.nameCountMax * 65

    /// Writes names from the descriptor's beginning on.
    ///
    /// - Returns: how many bytes that were.
    /// - Throws: `local` when the descriptor does not take them.
    public static func write(_ names: some Collection<StoreName>, to descriptor: Int32) throws(StoreFailure) -> Int {
        var bytes: [UInt8] = []
        for name in names {
            bytes.append(contentsOf: name.text.utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        let result = unsafe bytes.withUnsafeBytes { raw in
            unsafe lseek(descriptor, 0, SEEK_SET) == 0 ? vs_write_whole(descriptor, raw.baseAddress!, raw.count) : -1
        }
        guard bytes.isEmpty || result == 0 else { throw StoreFailure(.local, detail: errno) }
        return bytes.count
    }

    /// Reads them back, from bytes of which nothing is believed.
    ///
    /// - Throws: `FormatError`: `notCanonical` for what is not a name of the folder, `duplicate`, `tooLarge`.
    public static func names(in bytes: [UInt8], of folder: StoreFolder) throws(FormatError) -> [StoreName] {
        guard bytes.isEmpty || bytes.last == UInt8(ascii: "\n") else { throw FormatError(.truncated) }
        var seen: Set<StoreName> = []
        var names: [StoreName] = []
        var begin = 0
        while let end = bytes[begin...].firstIndex(of: UInt8(ascii: "\n")) {
            guard let name = StoreName(folder.area, bytes[begin..<end]), name.folder == folder else {
                throw FormatError(.notCanonical, offset: begin)
            }
            guard names.count < StoreFolder.nameCountMax else { throw FormatError(.tooLarge, offset: begin) }
            guard seen.insert(name).inserted else { throw FormatError(.duplicate, offset: begin) }
            names.append(name)
            begin = end + 1
        }
        return names
    }
}
