// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// Merges what two sides made of a note's fields.
public enum FieldMerge {
    /// The value of the side that changed it; ours, and a conflict, when both did and differ.
    public static func value<T: Equatable>(base: T, ours: T, theirs: T) -> (T, isConflict: Bool) {
        if ours == theirs || theirs == base { return (ours, false) }
        return ours == base ? (theirs, false) : (ours, true)
    }

    /// What either side added is in it, what either side removed is not; there is no conflict.
    ///
    /// Our order, then what only they added, in their order. A side that equals `base` gives the other side as it is;
    /// else each element stands once.
    public static func list(base: [String], ours: [String], theirs: [String]) -> [String] {
        if ours == theirs || theirs == base { return ours }
        if ours == base { return theirs }
        let (inBase, inOurs, inTheirs) = (Set(base), Set(ours), Set(theirs))
        var merged = Set<String>()
        let kept = ours.filter { (inTheirs.contains($0) || !inBase.contains($0)) && merged.insert($0).inserted }
        let added = theirs.filter { !inOurs.contains($0) && !inBase.contains($0) && merged.insert($0).inserted }
        return kept + added
    }
}
