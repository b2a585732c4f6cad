// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import CSystemShims
internal import Glibc
internal import SyncProtocol

/// `TemporaryName` is the name of a file that is being written: `.notevault-`, 16 hexadecimal digits, `.tmp`. It is no
/// name of ours, so nobody reads it.
struct TemporaryName {
    private static let (beginning, end) = (".notevault-", ".tmp")
    /// Seconds after which a file is removed that a process left when it died: a day. Another device may be writing a
    /// younger one.
    private static let secondsMax = 86_400

    let text: String

    init() throws(StoreFailure) {
        var number: UInt64 = 0
        let result = unsafe withUnsafeMutableBytes(of: &number) { unsafe vs_random($0.baseAddress!, $0.count) }
        guard result == 0 else { throw StoreFailure(.local, detail: errno) }
        let digits = String(number, radix: 16)
        text = Self.beginning + String(repeating: "0", count: 16 - digits.count) + digits + Self.end
    }

    /// Removes a file of a folder if it was left behind long ago.
    static func removeIfOld(_ name: [UInt8], in folder: Int32) {
        let digits = name.dropFirst(beginning.utf8.count).dropLast(end.utf8.count)
        guard name.starts(with: beginning.utf8), name.suffix(end.utf8.count).elementsEqual(end.utf8),
            digits.count == 16, digits.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "f") })
        else { return }
        let text = String(decoding: name, as: UTF8.self)
        var status = stat()
        guard unsafe fstatat(folder, text, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return }
        // Anybody may give a file a time so absurd that the difference is no number.
        let (age, isOver) = time(nil).subtractingReportingOverflow(status.st_mtim.tv_sec)
        guard !isOver, age > secondsMax else { return }
        _ = unsafe unlinkat(folder, text, 0)
    }
}
