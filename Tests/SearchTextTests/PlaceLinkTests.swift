// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing
import TextReading

/// Addresses of houses, and numbers of parcels.
@Suite struct PlaceLinkTests {
    @Test(
        arguments: [
            ("Meet at 12 Main Street, Springfield tomorrow", "12 Main Street, Springfield"),
            ("221b Baker St., London", "221b Baker St., London"),
            ("(350 Fifth Ave, New York, NY 10118)", "350 Fifth Ave, New York, NY 10118"),
            ("at 7 Great Northern Road.", "7 Great Northern Road"),
            ("Hauptstraße 12, 12345 Berlin", "Hauptstraße 12, 12345 Berlin"),
            ("Bahnhofstr. 5a ist nah", "Bahnhofstr. 5a"), ("Unter Lindenallee 3, Wien", "Lindenallee 3, Wien"),
        ] as [(String, String)])
    func addressesAreFound(_ text: String, _ label: String) throws {
        let link = try #require(
            LinkDetector.links(in: text).first { $0.kind == .address }, "\(LinkDetector.links(in: text))")
        #expect(link.label == label && link.target.hasPrefix("geo:0,0?q="))
        #expect(link.target.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }

    @Test(
        arguments: [
            "12 monkeys on a street", "12 Main", "2026-11-21 Street", "ring 12",
            "Montag 12",
            "1234567 Main Street", "12 Main streetwise", "v1.2 Main Street", "Frühling 5",
        ])
    func whatIsNoAddressIsNone(_ text: String) {
        #expect(!LinkDetector.links(in: text).contains { $0.kind == .address })
    }

    /// UPU S10: RR 473 124 829 GB is the standard's own example of a digit that checks the others.
    @Test func parcelsAreKnownByTheirCheckDigit() {
        #expect(LinkDetector.links(in: "sent as RR473124829GB today").map(\.target) == ["RR473124829GB"])
        for text in ["RR473124828GB", "RR473124829gb", "XRR473124829GB", "RR473124829GBX", "R473124829GB"] {
            #expect(!LinkDetector.links(in: text).contains { $0.kind == .parcel }, "\(text)")
        }
    }

    /// The shapes of IATA Resolution 762: two characters or three letters, one to four digits, perhaps a letter.
    @Test(
        arguments: [
            ("my flight LH 400 at noon", "LH400"), ("Flight U2 8342.", "U28342"), ("Flug LX1612A", "LX1612A"),
            ("flight 9W 1", "9W1"), ("flight DLH400", "DLH400"), ("FLIGHT LH 400, 12:30", "LH400"),
        ])
    func flightsAreKnownBehindTheirWord(_ text: String, _ target: String) {
        let found = LinkDetector.links(in: text).filter { $0.kind == .flight }
        #expect(found.map(\.target) == [target])
    }

    @Test(
        arguments: [
            "shelf LH 400", "flight lh 400", "flight LH 40000", "flight 12 400", "flight of 3", "inflight LH 400",
            "flights LH 400", "flight LH 400km", "flight LH", "flight L 400", "flight", "flight LH ", "Vol III 45",
            "FLIGHT NO 12", "Flight BA 2026-05-01", "FLIGHT AT 17:30",
            "FLIGHT AT 1730", "flight LH 4:30",
        ])
    func whatIsNoFlightIsNone(_ text: String) {
        #expect(!LinkDetector.links(in: text).contains { $0.kind == .flight })
    }

    @Test func manyNumbersTakeNoQuadraticTime() {
        let text =
            String(repeating: "12 Main Main Main Main Main ", count: 20_000)
            + String(repeating: "AA123456785 ", count: 20_000)
        #expect(LinkDetector.links(in: text).allSatisfy { $0.kind != .parcel })
    }
}
