// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import Synchronization

/// How each scalar below U+30000 folds, in pages of 256 that are made when first needed and then shared by all threads.
enum FoldTable {
    /// Scalars from here on fold to themselves.
    static let end: UInt32 = 0x30000

    /// - Parameter number: the scalar's value divided by 256, below 768.
    static func page(_ number: UInt32) -> FoldPage { pages.page(Int(number)) }

    static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 { scalar.properties.canonicalCombiningClass.rawValue }

    private static let pages = Pages()

    /// Two threads may make the same page at once; the first one stored is kept, and both are equal.
    private final class Pages: Sendable {
        private let slots = InlineArray<768, AtomicLazyReference<FoldPage>> { _ in AtomicLazyReference() }

        func page(_ index: Int) -> FoldPage {
            if let page = slots[index].load() { return page }
            return slots[index].storeIfNil(FoldPage(firstScalar: UInt32(index) << 8))
        }
    }
}
