// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

public import ParserProtocol

/// `FetchOrder` is what `vault-fetch` is told to do: one request, and how much of an answer it may take.
///
/// It reads two frames (`RecordFrame`) from standard input: the order, then the key of a service, which is empty where
/// the order takes none. So an order can be shown, compared and kept, and a key cannot come with it.
/// ```
/// UInt8 version (1) | UInt8 expected (1 JSON, 2 a picture) | UInt8 redirects (1 same server, 2 Google's covers,
/// 3 Open Library's covers) | flag takesKey | UInt8 seconds (1 to 60) | UInt32 most bytes of the answer
/// | text address | text proxy | text noProxy
/// ```
public struct FetchOrder: Sendable, Hashable {
    /// `Expected` is the kind of answer that is due.
    public enum Expected: UInt8, Sendable, CaseIterable {
        case json = 1
        case picture
    }

    /// `Redirects` says where a server may send the reader on to: to itself, or to a host that keeps covers.
    public enum Redirects: UInt8, Sendable, CaseIterable {
        case sameServer = 1
        case googleCovers
        case openLibraryCovers

        /// Returns whether one address may lead to another.
        public func allow(from: FetchAddress, to: FetchAddress) -> Bool {
            if to.isSameServer(as: from) { return true }
            guard to.isSecure, to.port == 443, !from.isThisMachine else { return false }
            switch self {
            case .sameServer: return false
            case .googleCovers: return BookService.google.keepsCovers(on: to.host)
            case .openLibraryCovers: return BookService.openlibrary.keepsCovers(on: to.host)
            }
        }
    }

    public static let version: UInt8 = 1
    /// Largest answer that is data, in bytes.
    public static let jsonByteCountMax = 1 << 20
    /// Largest answer that is a cover, in bytes.
    public static let coverByteCountMax = 5 << 20
    public static let keyByteCountMax = 512
    /// Largest order without its length, in bytes.
    public static let byteCountMax = 16 << 10
    /// Time for all of it, in seconds.
    public static let usualSeconds: UInt8 = 10
    static let seconds: ClosedRange<UInt8> = 1...60

    public let address: FetchAddress
    public let expected: Expected
    public let redirects: Redirects
    /// Whether a key comes behind the order. It goes to the address alone, never to where that leads.
    public let takesKey: Bool
    public let proxy: ProxySettings
    public let seconds: UInt8
    public let byteCountMax: UInt32

    /// Makes an order for the answer to a question.
    ///
    /// - Parameter hasKey: of a service that takes one.
    public init(
        _ address: FetchAddress, of service: BookService, hasKey: Bool = false, proxy: ProxySettings = .none,
        seconds: UInt8 = usualSeconds
    ) {
        self.init(
            address, .json, .sameServer, takesKey: hasKey && service.takesKey, proxy, seconds,
            UInt32(Self.jsonByteCountMax))
    }

    /// Makes an order for a cover. No key is sent for one.
    public init(
        coverAt address: FetchAddress, of service: BookService, proxy: ProxySettings = .none,
        seconds: UInt8 = usualSeconds
    ) {
        let redirects: Redirects =
            switch service {
            case .google: .googleCovers
            case .openlibrary: .openLibraryCovers
            }
        self.init(address, .picture, redirects, takesKey: false, proxy, seconds, UInt32(Self.coverByteCountMax))
    }

    private init(
        _ address: FetchAddress, _ expected: Expected, _ redirects: Redirects, takesKey: Bool, _ proxy: ProxySettings,
        _ seconds: UInt8, _ byteCountMax: UInt32
    ) {
        (self.address, self.expected, self.redirects, self.takesKey) = (address, expected, redirects, takesKey)
        (self.proxy, self.byteCountMax) = (proxy, byteCountMax)
        self.seconds = min(max(seconds, Self.seconds.lowerBound), Self.seconds.upperBound)
    }
}

extension FetchOrder {
    /// Reads an order.
    ///
    /// - Parameter bytes: a frame without its length.
    /// - Throws: `RecordError`.
    public init(parsing bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Self.byteCountMax else { throw RecordError(.tooLarge) }
        var reader = RecordReader(bytes)
        guard try reader.u8() == Self.version else { throw RecordError(.unknownVersion, offset: 0) }
        guard let expected = Expected(rawValue: try reader.u8()), let redirects = Redirects(rawValue: try reader.u8())
        else { throw RecordError(.notCanonical, offset: 1) }
        let takesKey = try reader.flag()
        let seconds = try reader.u8()
        let byteCountMax = try reader.u32()
        guard Self.seconds.contains(seconds), (1...UInt32(Self.coverByteCountMax)).contains(byteCountMax) else {
            throw RecordError(.tooLarge, offset: 4)
        }
        let at = reader.offset
        let text = try reader.text(max: FetchAddress.byteCountMax)
        guard let address = FetchAddress(text), address.text == text else {
            throw RecordError(.notCanonical, offset: at)
        }
        let proxyAt = reader.offset
        let server = try reader.text(max: ProxySettings.byteCountMax)
        guard
            let proxy = ProxySettings(server: server, except: try reader.text(max: ProxySettings.byteCountMax))
        else { throw RecordError(.notCanonical, offset: proxyAt) }
        try reader.end()
        // A key is for data alone: covers lie on other servers.
        guard !takesKey || expected == .json && redirects == .sameServer else {
            throw RecordError(.notCanonical, offset: 3)
        }
        self.init(address, expected, redirects, takesKey: takesKey, proxy, seconds, byteCountMax)
    }

    /// The order without its length; `RecordFrame.enclosing(_:)` puts that before it.
    public var encoded: [UInt8] {
        var writer = RecordWriter(reserving: 256)
        writer.u8(Self.version)
        writer.u8(expected.rawValue)
        writer.u8(redirects.rawValue)
        writer.flag(takesKey)
        writer.u8(seconds)
        writer.u32(byteCountMax)
        writer.text(address.text)
        writer.text(proxy.server)
        writer.text(proxy.exceptions)
        return writer.bytes
    }

    /// Returns all that `vault-fetch` reads when there is no key.
    public var input: [UInt8] { RecordFrame.enclosing(encoded) + RecordFrame.enclosing([]) }

    /// Returns whether bytes can be a service's key: letters, digits and signs, without a blank.
    public static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
        (1...keyByteCountMax).contains(bytes.count) && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
