// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

import Foundation

/// What the rules need of `ThreatModel/threats.json`; the rest is `generate.py --check`'s to judge.
struct ThreatModel: Decodable {
    struct Threat: Decodable {
        var id: String
        var status: String
        var tests: [String]
        var residual: String
    }

    var threats: [Threat]

    static func read() throws -> ThreatModel {
        let file = SourceTree.root.appending(path: "ThreatModel/threats.json")
        return try JSONDecoder().decode(ThreatModel.self, from: Data(contentsOf: file))
    }
}
