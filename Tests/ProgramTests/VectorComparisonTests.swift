// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation
import Testing

/// Both implementations run the same files, and what they say is compared: the small form of `make vectors`.
@Suite struct VectorComparisonTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let files = [
        "padme.json", "hkdf_sha512.json", "hmac_rfc4231.json", "aes_256_gcm_submission.json", "manifest.json",
        "rotation.json",
        "chacha20_poly1305_rfc8439.json", "x25519_rfc7748.json",
    ]

    /// What one of the two says of these files.
    private func report(_ command: [String]) throws -> String {
        let finished = try Command.run(
            command + Self.files.map { "\(Self.package)/Vectors/\($0)" } + ["--json"], environment: [:], seconds: 120)
        try #require(finished.code == 0, "\(finished.err)")
        return finished.text
    }

    private func reports() throws -> (ours: String, theirs: String) {
        let python = Self.package + "/bench-out/venv/bin/python"
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "Scripts/setup.sh test installs cryptography and argon2-cffi")
        return (
            try report([Programs.path("vault-audit"), "vectors"]),
            try report([python, Self.package + "/Vectors/verify.py"])
        )
    }

    private func compare(_ ours: String, _ theirs: String) throws -> (code: Int32, result: JSON) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "compare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [("ours", ours), ("theirs", theirs)] {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let result = folder.appending(path: "audit/vectors.json").path
        let python = try #require(Programs.system("python3"))
        let finished = try Command.run(
            [
                python, Self.package + "/Vectors/compare.py", folder.path + "/ours", folder.path + "/theirs", "-o",
                result,
            ], environment: [:])
        let text = try String(contentsOfFile: result, encoding: .utf8)
        return (finished.code, try JSON(text: text))
    }

    @Test func bothRunTheSameFilesToTheSameEnd() throws {
        let (ours, theirs) = try reports()
        // Why something was refused is told by our program alone.
        #expect(try JSON(text: ours)["files"][0].names.subtracting(["refused"]) == JSON(text: theirs)["files"][0].names)
        let (code, result) = try compare(ours, theirs)
        #expect(
            code == 0 && result["ok"].bool == true && result["name"].string == "vectors"
                && result["failures"].array.isEmpty)
        #expect(result["figures"].array.first { $0[0].string == "passed in both" }?[1].int ?? 0 > 500)
    }

    @Test func eachDifferenceFailsTheComparison() throws {
        let (ours, theirs) = try reports()
        let altered = [
            ours.replacing("padme.json", with: "other.json"),
            ours.replacing("\"numberOfTests\":373", with: "\"numberOfTests\":372"),
            ours.replacing("\"sha256\":\"", with: "\"sha256\":\"00"),
            ours.replacing("\"failed\":[]", with: "\"failed\":[{\"tcId\":1,\"reason\":\"x\"}]"),
            ours.replacing("\"problems\":[]", with: "\"problems\":[\"x\"]"),
            ours.replacing("\"skipped\":[]", with: "\"skipped\":[{\"tcId\":1,\"reason\":\"x\"}]"),
            ours.replacing("\"quick\":false", with: "\"quick\":true"),
        ]
        for report in altered {
            #expect(report != ours)
            let (code, result) = try compare(report, theirs)
            #expect(code == 1 && result["ok"].bool == false && !result["failures"].array.isEmpty)
        }
    }
}
