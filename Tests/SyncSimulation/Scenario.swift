// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Which faults a run has, and what its people do; chances in percent.
public struct Scenario: Sendable {
    /// The name that a report prints.
    public let name: String
    var putsFailed = 0
    var putsTorn = 0
    var putsDelayed = 0
    var putsLied = 0
    var getsFailed = 0
    var listsShort = 0
    var kills = 0
    var restores = 0
    var copies = 0
    var clones = 0
    var rotations = 0
    var retirements = 0
    var setbacks = 0
    var thinnings = 0
    var massPurges = 0
    var thieves = 0
    var rewinds = 0
    var hidings = 0
    /// Whether a machine goes back to what was not long ago.
    var isSnapshotted = false
    /// Whether an alarm of a fork is a failure.
    var forksAreFalse = true

    /// Slow, torn, failing, killed, restored, copied; but honest.
    public static let honest = Scenario(
        name: "honest", putsFailed: 5, putsTorn: 5, putsDelayed: 30, getsFailed: 10, listsShort: 20, kills: 3,
        restores: 2, copies: 1, clones: 2, retirements: 1)
    /// Keys are rotated, and the old ones stolen.
    public static let rotating = Scenario(
        name: "rotating", putsFailed: 5, putsTorn: 5, putsDelayed: 30, getsFailed: 10, listsShort: 20, kills: 2,
        restores: 1, clones: 2, rotations: 2, thieves: 4)
    /// Revisions are thinned out, and very many notes purged at once.
    public static let thinning = Scenario(
        name: "thinning", putsFailed: 5, putsTorn: 5, putsDelayed: 30, getsFailed: 10, listsShort: 20, kills: 2,
        thinnings: 10, massPurges: 1)
    /// The store says that it has what it has not, and hides one device from another.
    public static let lying = Scenario(
        name: "lying", putsTorn: 5, putsDelayed: 20, putsLied: 10, getsFailed: 5, kills: 3, clones: 2, hidings: 2)
    /// The store goes back to what it had before, and the owner has all sent again.
    public static let rewinding = Scenario(
        name: "rewinding", putsTorn: 5, putsDelayed: 20, getsFailed: 5, kills: 3, clones: 2, rewinds: 2)
    /// A machine is set back with all that it knows, over a store that does what it says.
    public static let setBack = Scenario(name: "set back", kills: 2, setbacks: 2)
    /// The same over a slow store, where forks cannot be kept from happening.
    public static let forking = Scenario(
        name: "forking", putsDelayed: 60, getsFailed: 10, kills: 2, setbacks: 10, isSnapshotted: true,
        forksAreFalse: false)

    /// In all of them every run is held to meet again.
    public static let all: [Scenario] = [.honest, .rotating, .thinning, .lying, .rewinding, .setBack, .forking]

    var faultless: Scenario { Scenario(name: name) }
}
