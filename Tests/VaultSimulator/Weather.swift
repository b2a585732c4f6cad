// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Weather` says how often faults happen in a run, and what owners do; chances of a thousand.
struct Weather: Sendable {
    /// The name that a report prints.
    let name: String
    // Of requests.
    var failed = 0
    var answersLost = 0
    var putsTorn = 0
    var putsDelayed = 0
    var putsLied = 0
    var swapped = 0
    var listsShort = 0
    var linksCut = 0
    // Of steps of a device.
    var kills = 0
    // Of what people do.
    var restores = 0
    var copies = 0
    var clones = 0
    var retirements = 0
    var rewinds = 0
    var hidings = 0
    var rotations = 0
    var keyslots = 0
    var privateNotes = 0
    /// Parts of a run in which somebody does something.
    var actionCount = 110

    /// Slow, torn, failing; but honest. Programs are killed, folders restored and copied, devices given up.
    static let honest = Weather(
        name: "honest", failed: 40, answersLost: 20, putsTorn: 40, putsDelayed: 250, listsShort: 200, linksCut: 4,
        kills: 4, restores: 8, copies: 5, clones: 10, retirements: 4, keyslots: 12)
    /// The store says that it has what it has not, gives one object for another, and hides one device from another.
    static let lying = Weather(
        name: "lying", failed: 30, putsTorn: 40, putsDelayed: 150, putsLied: 60, swapped: 15, listsShort: 100,
        kills: 4, clones: 8, hidings: 12)
    /// The store goes back to what it had before.
    static let rewinding = Weather(
        name: "rewinding", failed: 30, putsTorn: 40, putsDelayed: 150, kills: 4, clones: 8, rewinds: 10)
    /// Keys are changed, and taken over by the other devices.
    static let rotating = Weather(
        name: "rotating", failed: 30, answersLost: 20, putsTorn: 40, putsDelayed: 200, listsShort: 150, kills: 4,
        clones: 8, rotations: 14)

    /// Notes get a password of their own, on one device or on two at once.
    static let secret = Weather(
        name: "secret", failed: 30, answersLost: 20, putsTorn: 40, putsDelayed: 200, listsShort: 150, kills: 3,
        clones: 8, privateNotes: 30, actionCount: 70)

    /// Those that are held to meet again.
    static let all: [Weather] = [.honest, .lying, .rewinding, .rotating]

    /// Nothing goes wrong any more.
    var faultless: Weather { Weather(name: name) }
}
