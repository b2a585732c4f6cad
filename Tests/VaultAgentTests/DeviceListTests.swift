// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import AgentProtocol
import Testing

@testable import VaultAgent

/// When a device is asked about.
struct DeviceListTests {
    @Test func aDeviceThatWasSilentForHalfAYearIsDormant() {
        let (now, day): (Int64, Int64) = (1_800_000_000_000, 86_400_000)
        #expect(!DeviceList.isDormant(heard: now - 180 * day, now: now))
        #expect(DeviceList.isDormant(heard: now - 180 * day - 1, now: now))
        // One that was never heard of, and one whose clock is ahead, are not.
        for heard in [0, -1, Int64.min, now + day, .max] {
            #expect(!DeviceList.isDormant(heard: heard, now: now), "\(heard)")
        }
    }
}
