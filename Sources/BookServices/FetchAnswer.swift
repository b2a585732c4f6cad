// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `FetchAnswer` is what `vault-fetch` says of its one request. Its output is one frame (`RecordFrame`) with this, then
/// the bytes of the answer, as many as it says, and the end.
///
/// ```
/// UInt8 version (1) | UInt8 kind | UInt16 HTTP status (0 for none) | UInt32 detail
/// kind  detail
///    1  whole answer: how many bytes of it follow
///    2  no network: 1 the name is not known, 2 no connection, 3 the proxy
///    3  it took too long
///    4  quota: in how many seconds to ask again; 0 where it does not say
///    5  refused: 0 without a reason, 1 the country, 2 the key
///    6  the service fails
///    7  there is no such thing
///    8  larger than was allowed
///    9  malformed: 0 broken, 1 a page of somebody else's
///   10  led elsewhere, where nothing is fetched from
///   11  nobody vouches for the server
/// ```
/// It has numbers and no words: nothing that a server wrote.
public struct FetchAnswer: Sendable, Hashable {
    /// `Outcome` is how the request ended.
    public enum Outcome: Sendable, Hashable {
        case whole(byteCount: UInt32)
        case noNetwork(Lack)
        case timedOut
        case quota(retryAfter: UInt32)
        case refused(Refusal)
        case failing
        case notFound
        case tooLarge
        case malformed(isPage: Bool)
        case elsewhere
        case untrusted
    }

    /// `Lack` is what is not there of a network.
    public enum Lack: UInt8, Sendable, CaseIterable {
        case name = 1
        case connection
        case proxy
    }

    /// `Refusal` is why a service does not answer, as far as it says.
    public enum Refusal: UInt8, Sendable, CaseIterable {
        case unsaid = 0
        /// It does not know in which country it is asked.
        case country
        /// It does not accept the key, or the key is not for this service.
        case key
    }

    public static let version: UInt8 = 1
    /// Without its length, in bytes.
    public static let byteCount = 8
    /// The longest wait that is told, in seconds: a day.
    public static let retryAfterMax: UInt32 = 86_400

    public let outcome: Outcome
    public let httpStatus: UInt16

    public init(_ outcome: Outcome, httpStatus: UInt16 = 0) {
        (self.outcome, self.httpStatus) = (outcome, httpStatus)
    }

    /// Reads an answer.
    ///
    /// - Parameter bytes: a frame without its length.
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        var reader = RecordReader(bytes)
        guard try reader.u8() == Self.version else { throw RecordError(.unknownVersion, offset: 0) }
        let kind = try reader.u8()
        httpStatus = try reader.u16()
        let detail = try reader.u32()
        try reader.end()
        guard httpStatus == 0 || (100...999).contains(httpStatus), let outcome = Self.outcome(kind, detail) else {
            throw RecordError(.notCanonical, offset: 1)
        }
        self.outcome = outcome
    }

    /// The answer without its length.
    public var encoded: [UInt8] {
        let (kind, detail) = numbers
        var writer = RecordWriter(reserving: Self.byteCount)
        writer.u8(Self.version)
        writer.u8(kind)
        writer.u16(httpStatus)
        writer.u32(detail)
        return writer.bytes
    }

    /// Reads all that `vault-fetch` wrote.
    ///
    /// - Throws: `RecordError`: it wrote something else, or ended before it was done.
    public static func parse(output: [UInt8]) throws(RecordError) -> (answer: FetchAnswer, body: [UInt8]) {
        let header = Array(output.prefix(RecordFrame.headerByteCount))
        let count = try RecordFrame.contentByteCount(header: header, max: byteCount)
        let rest = output.dropFirst(header.count)
        guard rest.count >= count else { throw RecordError(.truncated) }
        let answer = try FetchAnswer(parsing: Array(rest.prefix(count)))
        let body = Array(rest.dropFirst(count))
        guard body.count >= answer.bodyByteCount else { throw RecordError(.truncated) }
        guard body.count == answer.bodyByteCount else { throw RecordError(.trailingBytes) }
        return (answer, body)
    }

    /// The most that `vault-fetch` writes for an order, in bytes.
    public static func outputByteCountMax(for order: FetchOrder) -> Int {
        RecordFrame.headerByteCount + byteCount + Int(order.byteCountMax)
    }

    private var bodyByteCount: Int {
        guard case .whole(let byteCount) = outcome else { return 0 }
        return Int(byteCount)
    }

    private var numbers: (kind: UInt8, detail: UInt32) {
        switch outcome {
        case .whole(let byteCount): (1, byteCount)
        case .noNetwork(let lack): (2, UInt32(lack.rawValue))
        case .timedOut: (3, 0)
        case .quota(let seconds): (4, min(seconds, Self.retryAfterMax))
        case .refused(let refusal): (5, UInt32(refusal.rawValue))
        case .failing: (6, 0)
        case .notFound: (7, 0)
        case .tooLarge: (8, 0)
        case .malformed(let isPage): (9, isPage ? 1 : 0)
        case .elsewhere: (10, 0)
        case .untrusted: (11, 0)
        }
    }

    private static func outcome(_ kind: UInt8, _ detail: UInt32) -> Outcome? {
        switch (kind, detail) {
        case (1, 0...UInt32(FetchOrder.coverByteCountMax)): .whole(byteCount: detail)
        case (2, 0...255): Lack(rawValue: UInt8(detail)).map { .noNetwork($0) }
        case (3, 0): .timedOut
        case (4, 0...retryAfterMax): .quota(retryAfter: detail)
        case (5, 0...255): Refusal(rawValue: UInt8(detail)).map { .refused($0) }
        case (6, 0): .failing
        case (7, 0): .notFound
        case (8, 0): .tooLarge
        case (9, 0...1): .malformed(isPage: detail == 1)
        case (10, 0): .elsewhere
        case (11, 0): .untrusted
        default: nil
        }
    }
}
