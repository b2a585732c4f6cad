// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `LinkTarget` decides where a link of a page may lead: to the web or to a mail program, and nowhere else (ThreatModel
/// H11).
enum LinkTarget {
    private static let schemes = ["https://", "http://", "mailto:"].map { Array($0.utf8) }
    private static let byteCountMax = 4096

    /// Refuses `javascript:`, `data:`, `file:`, relative addresses, and all that a browser might read in another way
    /// than this does.
    static func isAllowed(_ address: String) -> Bool {
        let bytes = Array(address.utf8)
        guard bytes.count <= byteCountMax else { return false }
        let lower = bytes.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let scheme = schemes.first(where: { lower.starts(with: $0) }), bytes.count > scheme.count else {
            return false
        }
        return bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
