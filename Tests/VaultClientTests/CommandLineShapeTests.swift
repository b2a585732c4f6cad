// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

@testable import VaultClient

struct CommandLineShapeTests {
    @Test func globalOptionsMoveBehindTheCommand() {
        let shape = CommandLineShape(["--vault", "d", "-q", "ls", "--long"])
        #expect(shape.names == ["ls"])
        #expect(shape.rest == ["--vault", "d", "-q", "--long"])
        #expect(shape.arguments == ["ls", "--vault", "d", "-q", "--long"])
    }

    @Test func theyMayStandInTheMiddleOfATwoPartName() {
        let shape = CommandLineShape(["--json", "trash", "--vault=d", "empty", "--yes"])
        #expect(shape.arguments == ["trash", "empty", "--json", "--vault=d", "--yes"])
    }

    @Test func aFormatBelongsToExport() {
        #expect(CommandLineShape(["export", "--json", "markdown", "-o", "x"]).names == ["export", "markdown"])
    }

    @Test func textIsNeverTakenForAnOption() {
        #expect(CommandLineShape(["new", "--", "--json"]).arguments == ["new", "--", "--json"])
        #expect(CommandLineShape(["new", "ls"]).names == ["new"])
    }

    @Test func anUnknownOptionBeforeTheNameStaysWhereItIs() {
        let shape = CommandLineShape(["--wrong", "ls"])
        #expect(shape.names.isEmpty)
        #expect(shape.arguments == ["--wrong", "ls"])
    }

    @Test(arguments: [["unlock", "--password", "x"], ["--password=x", "ls"], ["unlock", "--password"]])
    func aPasswordOnTheCommandLineIsNoticed(_ line: [String]) {
        #expect(CommandLineShape.holdsPassword(line))
    }

    @Test(arguments: [
        ["new", "--", "--password"], ["ls", "--password-file", "f"], ["ls", "--password-fd=3"], ["new", "password"],
    ])
    func theOtherSourcesAreNotMistakenForIt(_ line: [String]) {
        #expect(!CommandLineShape.holdsPassword(line))
    }
}
