// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

/// `ArgumentList` goes through the properties of a command as its `declare` names them: to learn the names of its
/// options, to fill it from a line, or to describe it.
///
/// A property is passed `inout`, so that a declaration builds no table, no key path and no closure: a start pays for
/// the options of one command only, and little for each.
struct ArgumentList {
    /// `Purpose` says why the properties are gone through.
    private enum Purpose {
        case naming, filling, describing
    }

    private let purpose: Purpose
    /// After naming: how options are told from words.
    private(set) var names = OptionNames()
    /// After describing: all of them, in their order.
    private(set) var descriptions: [ArgumentDescription] = []
    private var tokens: [CommandLineWords.Token] = []
    private var words: [String] = []
    private var nextWord = 0
    /// The first thing that is missing.
    private var missing: String?
    /// The first value that was not understood, by its place on the line, and what is wrong with it.
    private var misread: (place: Int, complaint: String)?

    static var naming: ArgumentList { ArgumentList(.naming) }
    static var describing: ArgumentList { ArgumentList(.describing) }

    private init(_ purpose: Purpose) { self.purpose = purpose }

    init(filling tokens: [CommandLineWords.Token]) {
        self.init(.filling)
        self.tokens = tokens
        for case .word(let word) in tokens { words.append(word) }
    }

    /// After filling: what is wrong with the line; nil when nothing is.
    var complaint: String? {
        if let misread { return misread.complaint }
        let rest = words.dropFirst(nextWord)
        guard rest.isEmpty || missing != nil else {
            let named = rest.map { "'\($0)'" }.joined(separator: ", ")
            return rest.count == 1 ? "unexpected argument \(named)" : "\(rest.count) unexpected arguments: \(named)"
        }
        return missing.map { "missing expected argument '\($0)'" }
    }
}

// MARK: - Options

extension ArgumentList {
    /// Declares an option without a value.
    ///
    /// - Parameter value: what the property becomes.
    mutating func flag(
        _ target: inout Bool, _ name: String, letter: Character? = nil, _ meaning: String, sets value: Bool = true
    ) {
        switch purpose {
        case .naming: names.add(name, letter: letter, takesValue: false)
        case .filling: if isGiven(name) { target = value }
        case .describing:
            descriptions.append(ArgumentDescription(kind: .flag, name: name, letter: letter, meaning: meaning))
        }
    }

    /// Declares an option whose property has a default, which help shows.
    mutating func option<Value: ArgumentValue>(
        _ target: inout Value, _ name: String, letter: Character? = nil, value: String? = nil, _ meaning: String,
        completion: ArgumentDescription.Completion = .nothing
    ) {
        take(Value.self, name, letter: letter, value: value) { target = $0 }
        describe(.option, name, letter, value, meaning, completion, Value.allArguments) {
            $0.defaultValue = target.argument
        }
    }

    /// Declares an option that may be left out.
    mutating func option<Value: ArgumentValue>(
        _ target: inout Value?, _ name: String, letter: Character? = nil, value: String? = nil, _ meaning: String,
        completion: ArgumentDescription.Completion = .nothing
    ) {
        take(Value.self, name, letter: letter, value: value) { target = $0 }
        describe(.option, name, letter, value, meaning, completion, Value.allArguments) { _ in }
    }

    /// Declares an option that may be given several times.
    mutating func option<Value: ArgumentValue>(
        _ target: inout [Value], _ name: String, letter: Character? = nil, value: String? = nil, _ meaning: String,
        completion: ArgumentDescription.Completion = .nothing
    ) {
        take(Value.self, name, letter: letter, value: value) { target.append($0) }
        describe(.option, name, letter, value, meaning, completion, Value.allArguments) { $0.isRepeating = true }
    }

    /// Declares an option that must be given.
    mutating func required<Value: ArgumentValue>(
        _ target: inout Value, _ name: String, letter: Character? = nil, value: String? = nil, _ meaning: String,
        completion: ArgumentDescription.Completion = .nothing
    ) {
        take(Value.self, name, letter: letter, value: value) { target = $0 }
        if purpose == .filling, missing == nil, !isGiven(name) {
            missing = "--\(name) <\(value ?? name)>"
        }
        describe(.option, name, letter, value, meaning, completion, Value.allArguments) { $0.isOptional = false }
    }

    /// Declares an option for a length of time, which is read by `read`.
    ///
    /// - Parameter example: what such a time looks like.
    mutating func time(
        _ target: inout UInt32?, _ name: String, _ meaning: String, like example: String, read: (String) -> UInt32?
    ) {
        take(name, letter: nil, value: "time") { text in
            guard let time = read(text) else { return ": '\(text)' is not a time such as " + example }
            target = time
            return nil
        }
        describe(.option, name, nil, "time", meaning, .nothing, []) { _ in }
    }

    /// Declares an option for a length of time that has a default, of which its help speaks.
    mutating func time(
        _ target: inout UInt32, _ name: String, _ meaning: String, like example: String, read: (String) -> UInt32?
    ) {
        var time: UInt32?
        self.time(&time, name, meaning, like: example, read: read)
        if let time { target = time }
    }

    private mutating func take<Value: ArgumentValue>(
        _: Value.Type, _ name: String, letter: Character?, value: String?, set: (Value) -> Void
    ) {
        take(name, letter: letter, value: value) { text in
            guard let read = Value(argument: text) else { return Self.choice(of: Value.allArguments) }
            set(read)
            return nil
        }
    }

    /// Takes an option with a value; the first text that is not understood is remembered as misread.
    ///
    /// - Parameter set: answers nil when it understood a text, else what a message about it ends with.
    private mutating func take(_ name: String, letter: Character?, value: String?, set: (String) -> String?) {
        switch purpose {
        case .naming: names.add(name, letter: letter, takesValue: true)
        case .describing: break
        case .filling:
            for place in tokens.indices {
                guard case .option(name, let text?) = tokens[place], let end = set(text) else { continue }
                if let misread, misread.place < place { continue }
                misread = (place, "the value '\(text)' is invalid for '--\(name) <\(value ?? name)>'" + end)
            }
        }
    }

    private func isGiven(_ name: String) -> Bool {
        for case .option(name, _) in tokens { return true }
        return false
    }

    private mutating func describe(
        _ kind: ArgumentDescription.Kind, _ name: String, _ letter: Character?, _ value: String?, _ meaning: String,
        _ completion: ArgumentDescription.Completion, _ values: @autoclosure () -> [String],
        _ more: (inout ArgumentDescription) -> Void
    ) {
        guard purpose == .describing else { return }
        var description = ArgumentDescription(
            kind: kind, name: name, letter: letter, valueName: value ?? name, meaning: meaning)
        description.allValues = values()
        description.completion = completion
        more(&description)
        descriptions.append(description)
    }

    private static func choice(of values: [String]) -> String {
        guard let last = values.last else { return "" }
        let others = values.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return ". Please provide one of \(others) \(values.count > 2 ? "or" : "and") '\(last)'."
    }
}

// MARK: - Arguments by their place

extension ArgumentList {
    /// Declares a word that must be there.
    mutating func word<Value: ArgumentValue>(
        _ target: inout Value, _ name: String, _ meaning: String, completion: ArgumentDescription.Completion = .nothing
    ) {
        if purpose == .filling { if let text = next(name) { set(&target, text, name) } }
        describe(.positional, name, nil, nil, meaning, completion, Value.allArguments) { $0.isOptional = false }
    }

    /// Declares a word that may be left out.
    mutating func word(
        _ target: inout String?, _ name: String, _ meaning: String,
        completion: ArgumentDescription.Completion = .nothing
    ) {
        if purpose == .filling, nextWord < words.count { target = next(name) }
        describe(.positional, name, nil, nil, meaning, completion, []) { _ in }
    }

    /// Declares the words that are left.
    ///
    /// - Parameter needed: at least one must be there.
    mutating func words(
        _ target: inout [String], _ name: String, _ meaning: String, needed: Bool = true,
        completion: ArgumentDescription.Completion = .nothing
    ) {
        if purpose == .filling {
            if needed, nextWord >= words.count, missing == nil { missing = "<\(name)> ..." }
            target += words.dropFirst(nextWord)
            nextWord = words.count
        }
        describe(.positional, name, nil, nil, meaning, completion, []) {
            $0.isRepeating = true
            $0.isOptional = !needed
        }
    }

    /// Declares the words of a query, in which `-word` is a word that must not be there.
    mutating func terms(_ target: inout [String], _ name: String, _ meaning: String) {
        names.takesTerms = true
        words(&target, name, meaning, needed: false)
    }

    private mutating func next(_ name: String) -> String? {
        guard nextWord < words.count else {
            if missing == nil { missing = "<\(name)>" }
            return nil
        }
        nextWord += 1
        return words[nextWord - 1]
    }

    private mutating func set<Value: ArgumentValue>(_ target: inout Value, _ text: String, _ name: String) {
        if let value = Value(argument: text) {
            target = value
        } else if misread == nil {
            misread = (Int.max, "the value '\(text)' is invalid for '<\(name)>'" + Self.choice(of: Value.allArguments))
        }
    }
}
