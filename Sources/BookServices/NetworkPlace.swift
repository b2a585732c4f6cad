// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `NetworkPlace` says where an address of IPv4 or IPv6 leads: to this machine, into a network that others cannot see,
/// or out.
///
/// A server could name any address as its own, and a redirect any server: without a look at the address, what is
/// fetched could come from the router, another machine of the house or a cloud's own pages. Sources: the special
/// purpose registries of IANA (RFC 6890).
public enum NetworkPlace: Sendable {
    case thisMachine
    /// Private, link-local, of a test network, for many receivers, or of no meaning.
    case inside
    case outside

    /// Says where an address leads.
    ///
    /// - Parameter bytes: 4 of IPv4 or 16 of IPv6; of another number it leads inside.
    public init(of bytes: [UInt8]) {
        switch bytes.count {
        case 4: self = Self.ofFour(bytes)
        case 16: self = Self.ofSixteen(bytes)
        default: self = .inside
        }
    }

    private static func ofFour(_ bytes: [UInt8]) -> NetworkPlace {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (127, _, _): .thisMachine
        case (0, _, _), (10, _, _), (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (192, 0, 0),
            (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113), (224..., _, _):
            .inside
        default: .outside
        }
    }

    private static func ofSixteen(_ bytes: [UInt8]) -> NetworkPlace {
        let isEmptyBegin = bytes[..<10].allSatisfy { $0 == 0 }
        if isEmptyBegin, bytes[10..<15].allSatisfy({ $0 == 0 }), bytes[15] == 1 { return .thisMachine }
        // One of IPv4 in another form: mapped, translated (64:ff9b::/96), 6to4 (2002::/16).
        if isEmptyBegin, bytes[10] == 0xFF, bytes[11] == 0xFF { return ofFour(Array(bytes[12...])) }
        if bytes[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return ofFour(Array(bytes[12...])) == .outside ? .outside : .inside
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return ofFour(Array(bytes[2..<6])) == .outside ? .outside : .inside }
        // What is given out is below 2000::/3; of that, 2001::/23 is for protocols and 2001:db8::/32 for texts.
        guard bytes[0] & 0xE0 == 0x20 else { return .inside }
        let isOfProtocols = bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] < 2
        let isOfTexts = bytes[..<4].elementsEqual([0x20, 0x01, 0x0D, 0xB8])
        return isOfProtocols || isOfTexts ? .inside : .outside
    }
}
