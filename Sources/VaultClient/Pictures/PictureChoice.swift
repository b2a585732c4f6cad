// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// What `--images` and the setting of that name ask for.
public enum PictureChoice: String, Sendable, CaseIterable, ArgumentValue {
    /// The best form that the terminal says it can draw.
    case auto
    /// These three are taken at their word: the terminal is not asked.
    case kitty, sixel, blocks
    case none
}
