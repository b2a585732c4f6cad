// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Testing

/// Which libraries the built programs use: the boundary between client, agent and parser, as the linker drew it.
@Suite(.enabled(if: Programs.system("readelf") != nil && Programs.system("nm") != nil, "needs binutils"))
struct LinkageTests {
    @Test(arguments: ["vault", "vault-parse"]) func theProgramLinksNoCryptographyAndNoDatabase(name: String) throws {
        let libraries = try neededLibraries(of: name)
        #expect(libraries.contains { $0.hasPrefix("libc.so") })
        // Evernote calls files by their MD5, which protects nothing: all that the parser takes of libcrypto.
        let takesMD5 = name == "vault-parse"
        for library in (takesMD5 ? [] : ["libcrypto"]) + ["libssl", "libargon2", "libsqlite3"] {
            #expect(!libraries.contains { $0.hasPrefix(library) }, "\(libraries)")
        }
        let symbols = try symbols(of: name)
        #expect(symbols.contains("main"))
        let foreign = symbols.filter { symbol in
            ["EVP_", "RAND_", "argon2", "sqlite3_"].contains { symbol.hasPrefix($0) }
        }
        let other = foreign.filter { symbol in
            !takesMD5 || !["EVP_MD_CTX_", "EVP_Digest", "EVP_md5"].contains { symbol.hasPrefix($0) }
        }
        #expect(other.isEmpty, "\(other.prefix(5))")
        for module in ["VaultCrypto", "VaultCore", "SealedSQLite", "GRDB"] {
            // $s and the length of the module's name begin every symbol of a Swift module.
            #expect(!symbols.contains { $0.hasPrefix("$s\(module.count)\(module)") }, "\(module)")
        }
    }

    @Test func theAgentLinksThemAll() throws {
        let libraries = try neededLibraries(of: "vault-agent")
        for library in ["libcrypto", "libargon2", "libsqlite3"] {
            #expect(libraries.contains { $0.hasPrefix(library) })
        }
        #expect(try symbols(of: "vault-agent").contains { $0.hasPrefix("$s11VaultCrypto") })
    }

    @Test func theAgentParsesNoForeignFormat() throws {
        #expect(
            try !symbols(of: "vault-agent").contains { $0.hasPrefix("$s14ForeignFormats") || $0.hasPrefix("yaml_") })
        #expect(try symbols(of: "vault-parse").contains { $0.hasPrefix("$s14ForeignFormats") })
    }

    /// libgit2 alone brings thirteen libraries with it, three of which speak to networks.
    @Test func whatParsesTextsIsNotBesideTheKeys() throws {
        for name in ["vault", "vault-agent"] {
            let libraries = try neededLibraries(of: name)
            for library in ["libgit2", "libcmark", "libxml2", "libexpat", "libarchive", "libisal"] {
                #expect(!libraries.contains { $0.hasPrefix(library) }, "\(name): \(libraries)")
            }
        }
        #expect(try neededLibraries(of: "vault-parse").contains { $0.hasPrefix("libgit2") })
    }

    /// What speaks to networks brings thirty libraries; none of them is beside the keys, and no key is beside them.
    @Test func X62theNetworkIsNotBesideTheKeys() throws {
        for name in ["vault", "vault-agent", "vault-parse"] {
            let libraries = try neededLibraries(of: name)
            #expect(!libraries.contains { $0.hasPrefix("libcurl") }, "\(name): \(libraries)")
        }
        for (name, mark) in [("vault-sync", "$s12RemoteStores"), ("vault-fetch", "$s12BookFetching")] {
            #expect(try neededLibraries(of: name).contains { $0.hasPrefix("libcurl") })
            let symbols = try symbols(of: name)
            #expect(symbols.contains { $0.hasPrefix(mark) })
            for module in ["VaultCrypto", "VaultCore", "VaultAgent", "SealedObjects", "SealedSQLite", "GRDB"] {
                #expect(!symbols.contains { $0.hasPrefix("$s\(module.count)\(module)") }, "\(module)")
            }
        }
    }

    private func neededLibraries(of name: String) throws -> [String] {
        let listed = try Command.run(
            [#require(Programs.system("readelf")), "-dW", Programs.path(name)], environment: [:])
        return listed.lines.filter { $0.contains("(NEEDED)") }.compactMap { line in
            line.split(separator: "[").last.map { String($0.dropLast()) }
        }
    }

    private func symbols(of name: String) throws -> Set<String> {
        let listed = try Command.run([#require(Programs.system("nm")), Programs.path(name)], environment: [:])
        // A name from a shared library has its version behind an @.
        return Set(
            listed.lines.compactMap { line in line.split(separator: " ").last.map { String($0.prefix { $0 != "@" }) } })
    }
}
