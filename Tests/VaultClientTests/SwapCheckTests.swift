// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct SwapCheckTests {
    @Test func theFirstColumnBehindTheHeadingsNamesTheAreas() {
        let table = """
            Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority
            /dev/dm-1                               partition\t8388604\t\t0\t\t-2
            /swapfile                               file\t\t2097148\t\t0\t\t-3

            """
        #expect(SwapCheck.areas(table) == ["/dev/dm-1", "/swapfile"])
    }

    @Test func noSwapIsNoArea() {
        #expect(SwapCheck.areas("Filename Type Size Used Priority\n").isEmpty)
        #expect(SwapCheck.areas("").isEmpty)
    }
}
