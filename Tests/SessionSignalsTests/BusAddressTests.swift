// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import SessionSignals

struct BusAddressTests {
    @Test func theStandardPlaceIsTheDefault() {
        #expect(BusAddress.chosen(nil) == "unix:path=/run/dbus/system_bus_socket")
    }

    @Test(arguments: [
        "unix:path=/run/dbus/system_bus_socket", "unix:path=/var/run/dbus-2/bus_1", "unix:path=/tmp/x.y/b",
    ])
    func aPathOfASocketIsTaken(address: String) { #expect(BusAddress.chosen(address) == address) }

    @Test(arguments: [
        "", "unix:", "unix:path=", "unix:path=relative", "unixexec:path=/bin/sh,argv1=-c",
        "tcp:host=example.org,port=1",
        "unix:path=/a;unixexec:path=/b", "unix:path=/a,guid=00", "unix:path=/a%20b", "unix:path=/ä", "unix:abstract=/a",
        "x-machine-unix:pid=1", " unix:path=/a", "unix:path=/a\n", "unix:path=/" + String(repeating: "a", count: 107),
    ])
    func anyOtherAddressIsPassedOver(address: String) { #expect(BusAddress.chosen(address) == BusAddress.standard) }

    @Test func theLongestPathIsTaken() {
        let address = "unix:path=/" + String(repeating: "a", count: 106)
        #expect(BusAddress.chosen(address) == address)
    }
}
