// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// One thing that was done to a file or a folder, as Tests/CFaults/record.h writes it.
enum RecordedCall {
    typealias Inode = DiskImage.Inode

    case write(Inode, offset: Int, [UInt8])
    case truncate(Inode, size: Int)
    case file(Inode, in: Inode, [UInt8])
    case folder(Inode, in: Inode, [UInt8])
    case link(Inode, in: Inode, [UInt8])
    case rename(Inode, [UInt8], Inode, [UInt8])
    case remove(Inode, [UInt8])
    case unnamed(Inode)
    case sync(Inode)
    case syncAll
    /// All steps up to this one were acknowledged.
    case mark(Int)

    /// All entries of a record.
    static func list(_ bytes: [UInt8]) throws -> [RecordedCall] {
        var calls: [RecordedCall] = []
        var at = 0
        while at + 48 <= bytes.count {
            let fields = (0..<6).map { field in
                (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[at + 8 * field + $1]) << (8 * UInt64($1)) }
            }
            let (first, second) = (Int(fields[4]), Int(fields[5]))
            at += 48
            guard at + first + second <= bytes.count else { throw Scene.Failure(words: "the record is cut short") }
            let name = Array(bytes[at..<at + first])
            let other = Array(bytes[at + first..<at + first + second])
            at += first + second
            calls.append(try RecordedCall(fields, name, other))
        }
        return calls
    }

    private init(_ fields: [UInt64], _ name: [UInt8], _ other: [UInt8]) throws {
        self =
            switch fields[0] {
            case 1: .write(fields[1], offset: Int(fields[3]), name)
            case 2: .truncate(fields[1], size: Int(fields[3]))
            case 3: .sync(fields[1])
            case 4: .file(fields[1], in: fields[2], name)
            case 5: .folder(fields[1], in: fields[2], name)
            case 6: .link(fields[1], in: fields[2], name)
            case 7: .rename(fields[1], name, fields[2], other)
            case 8: .remove(fields[2], name)
            case 9: .syncAll
            case 10: .mark(Int(fields[3]))
            case 11: .unnamed(fields[1])
            default: throw Scene.Failure(words: "no call has the number \(fields[0])")
            }
    }

    /// What must be waited for until it is sure to be on the disk: a file for its content, folders for names in them.
    /// Empty for what is no change.
    var waitsFor: [Inode] {
        switch self {
        case .write(let inode, _, _), .truncate(let inode, _): [inode]
        case .file(_, let folder, _), .folder(_, let folder, _), .link(_, let folder, _), .remove(let folder, _):
            [folder]
        case .rename(let folder, _, let newFolder, _): folder == newFolder ? [folder] : [folder, newFolder]
        case .unnamed, .sync, .syncAll, .mark: []
        }
    }
}
