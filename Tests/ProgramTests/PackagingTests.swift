// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing
import VaultTesting

/// What a release goes through before anybody installs it.
@Suite struct PackagingTests {
    private func script(_ name: String, _ arguments: String..., in world: VaultWorld) throws -> Finished {
        try Command.run([Repository.root.appending(path: "Scripts/" + name).path] + arguments, environment: world.environment, seconds: 60)
    }

    /// The commands are those of README.md.
    private func verify(_ folder: String, in world: VaultWorld) throws -> Finished {
        try Command.run(
            [
                "/bin/bash", "-c",
                """
                cd \(folder) && ssh-keygen -Y verify -f allowed_signers -I release -n notevault-release \
                -s SHA256SUMS.sig < SHA256SUMS && sha256sum -c --ignore-missing SHA256SUMS
                """,
            ], environment: world.environment)
    }

    @Test func aSignedReleaseIsVerifiedAndAChangedOneIsNot() throws {
        let world = try VaultWorld(prepared: false)
        try world.makeFolder("dist")
        try world.write("dist/notevault.deb", "bytes of a package")
        try world.write("dist/notevault.tar.xz", "bytes of a tarball")
        try world.require(
            Command.run(
                ["/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", world.path("key")],
                environment: world.environment))
        try world.require(script("sums.sh", world.path("key"), world.path("dist"), in: world))
        let key = try String(decoding: ProcFile.bytes(world.path("key.pub")), as: UTF8.self)
        try world.write("dist/allowed_signers", "release " + key)
        let good = try world.require(verify(world.path("dist"), in: world))
        #expect(good.text.contains("notevault.deb: OK") && good.text.contains("notevault.tar.xz: OK"), "\(good.text)")
        // Another package under the same sums, other sums under the same signature, another signer.
        try world.write("dist/notevault.deb", "other bytes")
        #expect(try verify(world.path("dist"), in: world).code != 0)
        try world.require(script("sums.sh", "", world.path("dist"), in: world))
        #expect(try verify(world.path("dist"), in: world).code != 0, "sums that nobody signed")
        try world.require(
            Command.run(
                ["/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", world.path("other")],
                environment: world.environment))
        try world.require(script("sums.sh", world.path("other"), world.path("dist"), in: world))
        #expect(try verify(world.path("dist"), in: world).code != 0, "a signature by somebody else")
    }

    @Test func aStrippedProgramKeepsWhatProtectsItAndRuns() throws {
        let world = try VaultWorld(prepared: false)
        let program = world.path("vault")
        try world.require(
            Command.run(["/bin/cp", Programs.path("vault"), program], environment: world.environment, seconds: 60))
        try world.require(script("strip.sh", program, in: world))
        let segments = try world.require(
            Command.run(["/usr/bin/readelf", "-lW", program], environment: world.environment)
        ).text
        #expect(segments.contains("GNU_RELRO") && segments.contains("GNU_STACK"))
        #expect(try Command.run([program, "version"], environment: world.environment).text.hasPrefix("vault "))
    }

    @Test func theListOfLibrariesNamesThemAll() throws {
        let world = try VaultWorld(prepared: false)
        world.environment["PATH"] = Programs.text(of: "PATH")
        world.environment["HOME"] = Programs.text(of: "HOME")
        let folder = URL(fileURLWithPath: Programs.path("vault")).deletingLastPathComponent().path
        try world.require(script("sbom.py", "--bin", folder, "-o", world.path("sbom.json"), in: world))
        let list = try JSON(text: String(decoding: ProcFile.bytes(world.path("sbom.json")), as: UTF8.self))
        let names = Set(list["packages"].array.compactMap { $0["name"].string })
        for name in ["notevault", "swift-runtime", "grdb.swift", "libssl3", "libargon2-1", "libc6", "libsystemd0"] {
            #expect(names.contains(name), "\(name) is not in \(names.sorted())")
        }
        for package in list["packages"].array where package["name"].string != "notevault" {
            #expect(package["versionInfo"].string?.isEmpty == false && !package["externalRefs"].array.isEmpty)
        }
    }
}
