// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `Rules` are the rules without which devices come apart, each with a name. A product has them all; the simulation
/// takes one out and must then find a run that fails.
public struct Rules: OptionSet, Hashable, Sendable {
    /// The rules as bits.
    public let rawValue: UInt32

    /// Makes a set of bits; see `all`.
    @_spi(Simulation) public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A segment is applied only after everything that its writer had seen.
    public static let causalOrder = Rules(rawValue: 1 << 0)
    /// A restored or copied vault continues as another device.
    public static let newIdentityAtRestore = Rules(rawValue: 1 << 1)
    /// The own tail is read before the first segment of a session is sealed.
    public static let ownTailRead = Rules(rawValue: 1 << 2)
    /// Own segments that not all have read are looked for at each session, and sent again when they are not there.
    public static let ownRepaired = Rules(rawValue: 1 << 3)
    /// A segment is written down before it is sent, and sent again as it is.
    public static let outboxBeforePut = Rules(rawValue: 1 << 4)
    /// Entries and the number of their segment are written down together.
    public static let commitWithNumber = Rules(rawValue: 1 << 5)
    /// An object that does not open counts as not there yet.
    public static let tornIsNotYet = Rules(rawValue: 1 << 6)
    /// An object that a listing does not name counts as still there.
    public static let absenceIsNothing = Rules(rawValue: 1 << 7)
    /// A purge takes what its parents reach, and no more.
    public static let purgeByParents = Rules(rawValue: 1 << 8)
    /// Heads are ordered by depth and ID.
    public static let headsByGraph = Rules(rawValue: 1 << 9)
    /// A segment goes only when all active devices have passed it.
    public static let deleteWhenPassed = Rules(rawValue: 1 << 10)
    /// A segment goes only when the span over it was read back.
    public static let spanBeforeDelete = Rules(rawValue: 1 << 11)
    /// Nothing of an ended epoch beyond its cut is taken.
    public static let epochCut = Rules(rawValue: 1 << 12)
    /// Entries that a cut leaves out are said again in the new epoch.
    public static let retellBeyondCut = Rules(rawValue: 1 << 13)
    /// In a new epoch nobody speaks before having read its whole state.
    public static let wholeStateFirst = Rules(rawValue: 1 << 14)
    /// A chain that says two things is named, and read again from its beginning, each segment as a word of its own.
    public static let forksFound = Rules(rawValue: 1 << 15)
    /// The entries of a forked chain are said again by the devices that received them.
    public static let forksRetold = Rules(rawValue: 1 << 16)
    /// A pull that would remove too much waits for a yes.
    public static let massGuard = Rules(rawValue: 1 << 17)
    /// An alarm waits until a slow store would have answered.
    public static let patience = Rules(rawValue: 1 << 18)
    /// A retired device holds nothing up.
    public static let retiredDoNotHold = Rules(rawValue: 1 << 19)
    /// Devices that nobody has quoted yet are found by their cards.
    public static let cards = Rules(rawValue: 1 << 20)
    /// A join's name is derived from what it joins.
    public static let joinsByContent = Rules(rawValue: 1 << 21)
    /// A revision is thinned out only when a descendant of it was passed by all.
    public static let thinningWaits = Rules(rawValue: 1 << 22)
    /// A segment after which more of the same entries follow passes nothing.
    public static let partsPassNothing = Rules(rawValue: 1 << 23)

    /// Of two endings of an epoch the one whose header has the smaller digest counts.
    public static let smallerEnding = Rules(rawValue: 1 << 24)

    /// All rules, as every product has them.
    public static let all = Rules(rawValue: (1 << 25) - 1)
}
