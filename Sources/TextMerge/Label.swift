// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A name that a caller gives to a side, fit to stand in a line.
enum Label {
    /// Controls become spaces, so that a label is never more than its line.
    static func oneLine(_ label: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in label.unicodeScalars {
            let isControl =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028
                || scalar.value == 0x2029
            line.append(isControl ? " " : scalar)
        }
        return String(line)
    }
}
