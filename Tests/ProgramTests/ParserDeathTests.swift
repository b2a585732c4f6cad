// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Glibc
import Testing

/// A file that ends the parser takes no other file with it.
@Suite struct ParserDeathTests {
    @Test(arguments: ["markdown", "obsidian"])
    func aFileOnWhichTheParserDiesIsNamedAndTheOthersKeepTheirLinks(format: String) throws {
        let world = try VaultWorld()
        try world.makeFolder("bin")
        try world.require(
            Command.run(["/bin/cp", Programs.path("vault"), world.path("bin/vault")], environment: world.environment))
        try world.write("bin/vault-parse", Self.mortal.replacing("PARSER", with: Programs.path("vault-parse")))
        unsafe chmod(world.path("bin/vault-parse"), 0o700)
        for number in 0..<20 { try world.put("v/n\(number).md", "[x](n\((number + 1) % 20).md)\n") }
        try world.put("v/deadly.md", "this KILLS-THE-PARSER\n")
        try world.put("v/secret.md.gpg", "x")
        let arguments = ["import", format, world.path("v"), "--json"]
        let finished = try Command.run([world.path("bin/vault")] + arguments, environment: world.environment)
        #expect(finished.code == 12, "\(finished.err)")
        let losses = try JSON(finished)["losses"].array.map { "\($0["path"].string ?? "") \($0["code"].string ?? "")" }
        #expect(losses.sorted() == ["deadly.md notParsed", "secret.md.gpg encrypted"])
        #expect(try world.tally(finished) == [20, 0, 0, 0])
        // No identifier has an 8 or a 9: the names mean the titles alone.
        #expect(try world.vault("cat", "n8").text == "[[n9|x]]\n")
        #expect(try world.vault("backlinks", "n9").text.contains("n8"))
    }

    /// The real parser behind a pipe that is cut where a mark passes.
    private static let mortal = """
        #!/usr/bin/python3
        import os, subprocess, sys
        parser = subprocess.Popen(["PARSER"] + sys.argv[1:], stdin=subprocess.PIPE)
        while True:
            piece = os.read(0, 1 << 20)
            if not piece: break
            if b"KILLS-THE-" in piece:
                parser.kill()
                sys.exit(9)
            parser.stdin.write(piece)
            parser.stdin.flush()
        parser.stdin.close()
        sys.exit(parser.wait())
        """
}
