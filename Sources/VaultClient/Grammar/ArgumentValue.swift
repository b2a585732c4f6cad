// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// A value that can stand on a command line.
protocol ArgumentValue {
    init?(argument: String)
    /// As it is typed.
    var argument: String { get }
    /// All values, where they can be listed.
    static var allArguments: [String] { get }
}

extension ArgumentValue {
    static var allArguments: [String] { [] }
}

extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    init?(argument: String) { self.init(rawValue: argument) }
    var argument: String { rawValue }
    static var allArguments: [String] { allCases.map(\.rawValue) }
}

extension ArgumentValue where Self: FixedWidthInteger {
    init?(argument: String) { self.init(argument) }
    var argument: String { String(self) }
}

extension String: ArgumentValue {
    init?(argument: String) { self = argument }
    var argument: String { self }
}

extension UInt32: ArgumentValue {}
extension UInt64: ArgumentValue {}
extension Int32: ArgumentValue {}
