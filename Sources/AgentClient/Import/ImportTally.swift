// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import AgentProtocol
public import ParserProtocol

/// `LeftOutPart` is a part of a source that came to nothing.
public struct LeftOutPart: Sendable, Equatable {
    /// Its name in the source; it may hold any character.
    public let path: String
    /// One word for scripts.
    public let code: String
    /// Why, for people.
    public let sentence: String
}

/// `ImportNews` is what a front end is told while an import runs.
public enum ImportNews: Sendable {
    /// Bytes of content that were read so far. A source that the parser wants to see again counts again.
    case reading(byteCount: UInt64)
    case leftOut(LeftOutPart)
    /// Something that the note of that name does not carry in its place; the agent counts these.
    case loss(Loss, note: String)
    /// What the agent had to leave out of notes itself, when it was asked to tell.
    case agentLosses(ImportLosses)
}

/// `ImportTally` is what an import has done so far, besides what the agent counts.
public struct ImportTally: Sendable {
    /// The first of `leftOutCount`, at most 8 MiB of them: what one request can hold.
    public private(set) var leftOut: [LeftOutFile] = []
    /// Parts of the source that came to nothing.
    public private(set) var leftOutCount: UInt64 = 0
    /// Notes that the agent has acknowledged: they stay, whatever happens.
    public internal(set) var savedCount = 0
    /// Files in the source, of any kind; hidden ones do not count.
    public internal(set) var fileCount = 0
    /// Files of a store that are not its entries.
    public internal(set) var ignoredCount = 0
    /// Dates that name no time zone.
    public internal(set) var zonelessDateCount: UInt64 = 0
    /// Whether a part of it was left out because it is encrypted.
    public internal(set) var isEncrypted = false
    /// What the parser said at the end; nil if it did not get that far.
    public internal(set) var summary: ImportSummary?
    private var leftOutByteCount = 0

    private static let leftOutByteCountMax = 8 << 20

    mutating func add(_ part: LeftOutPart) {
        leftOutCount += 1
        leftOutByteCount += 8 + part.path.utf8.count + part.code.utf8.count
        if leftOutByteCount <= Self.leftOutByteCountMax {
            leftOut.append(LeftOutFile(path: part.path, code: part.code))
        }
    }

    /// Counts refusals beyond those that the parser named.
    mutating func count(_ total: UInt64, named: UInt64) { if total > named { leftOutCount += total - named } }

    /// Returns the request that ends the import.
    func closing(_ zone: ImportZone) -> EndImport {
        var end = EndImport()
        end.leftOut = leftOut
        end.leftOutCount = leftOutCount
        end.found = summary?.found.list ?? []
        end.delivered = summary?.delivered.list ?? []
        end.timeZone = zone.name
        end.zonelessDateCount = zonelessDateCount
        return end
    }
}

extension LeftOutPart {
    init(_ skipped: SkippedFile) {
        self.init(path: skipped.path, code: skipped.reason.scriptName, sentence: skipped.reason.sentence)
    }

    init(_ refused: RefusedEntry) {
        self.init(path: refused.name, code: "\(refused.reason)", sentence: refused.reason.sentence)
    }

    init(_ code: Loss.Code, of path: String) { self.init(path: path, code: "\(code)", sentence: code.sentence) }
}

extension ImportCounts {
    /// The counts, in the order of `EndImport.countNames`.
    fileprivate var list: [UInt64] { [notes, notebooks, tags, attachments, links] }
}
