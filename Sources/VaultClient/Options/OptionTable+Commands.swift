// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

// The options of the commands that are run most, and of all commands. `Arguments/` has the same for ArgumentParser;
// OptionTableTests hold the two to each other.

extension OptionTable<GlobalOptions> {
    static var global: OptionTable {
        OptionTable(entries: [
            .text("vault") { $0.vault = $1 },
            .flag("json") { $0.json = true },
            .text("password-file") { $0.passwordFile = $1 },
            .value("password-fd") { options, value in
                options.passwordDescriptor = Int32(value)
                return options.passwordDescriptor != nil
            },
            .text("key-file") { $0.keyFile = $1 },
            .flag("no-input") { $0.noInput = true },
            .flag("accept-rollback") { $0.acceptRollback = true },
            .value("date-style") { options, value in
                guard let style = DateStyleChoice(rawValue: value) else { return false }
                options.dateStyle = style
                return true
            },
            .value("color") { options, value in
                guard let color = ColorChoice(rawValue: value) else { return false }
                options.color = color
                return true
            },
            .flag("quiet", short: "q") { $0.quiet = true },
        ])
    }
}

extension OptionTable<NewOptions> {
    static var new: OptionTable {
        OptionTable(entries: [
            .text("title") { $0.title = $1 },
            .text("tag", short: "t") { $0.tags.append($1) },
            .text("notebook", short: "b") { $0.notebook = $1 },
            .text("template") { $0.template = $1 },
            .flag("private") { $0.isPrivate = true },
            .flag("show-title") { $0.showsTitle = true },
            .text("note-password-file") { $0.passwords.file = $1 },
            .value("note-password-fd") { options, value in
                options.passwords.descriptor = Int32(value)
                return options.passwords.descriptor != nil
            },
            .text("attach") { $0.attach.append($1) },
            .flag("allow-unknown-editor") { $0.editor.allowsUnknown = true },
            .flag("allow-disk-temp") { $0.editor.allowsDisk = true },
            .flag("yes") { $0.editor.yes = true },
        ])
    }
}

extension OptionTable<ShowOptions> {
    static var show: OptionTable {
        OptionTable(entries: [
            .flag("raw") { $0.raw = true },
            .value("images") { options, value in
                options.images = PictureChoice(rawValue: value)
                return options.images != nil
            },
        ])
    }
}

extension OptionTable<NotesOptions> {
    /// Of a command that takes words and global options only.
    static var bare: OptionTable { OptionTable(entries: []) }
    static var cat: OptionTable { OptionTable(entries: [.flag("raw") { $0.raw = true }]) }
}

extension OptionTable<ListOptions> {
    static var list: OptionTable {
        OptionTable(entries: [
            .flag("count") { $0.count = true },
            .flag("long", short: "l") { $0.long = true },
            .flag("all", short: "a") { $0.all = true },
            .value("limit", short: "n") { number($1, into: &$0.limit, from: 0) },
            .value("page") { number($1, into: &$0.page, from: 1) },
            .text("tag", short: "t") { $0.tag = $1 },
            .text("notebook", short: "b") { $0.notebook = $1 },
            .flag("archived") { $0.archived = true },
            .value("sort") { sort($1, into: &$0.sort) },
            .flag("reverse", short: "r") { $0.reverse = true },
            .text("since") { $0.since = $1 },
        ])
    }
}

extension OptionTable<SearchOptions> {
    static var search: OptionTable {
        OptionTable(entries: [
            .value("limit", short: "n") { number($1, into: &$0.limit, from: 0) },
            .value("page") { number($1, into: &$0.page, from: 1) },
            .value("sort") { sort($1, into: &$0.sort) },
            .flag("reverse", short: "r") { $0.reverse = true },
            .text("since") { $0.since = $1 },
            .text("regex") { $0.regex = $1 },
            .flag("all", short: "a") { $0.all = true },
        ])
    }
}

private func sort(_ text: String, into target: inout SortChoice?) -> Bool {
    guard let choice = SortChoice(rawValue: text) else { return false }
    target = choice
    return true
}

private func number(_ text: String, into target: inout UInt32, from least: UInt32) -> Bool {
    guard let value = UInt32(text), value >= least else { return false }
    target = value
    return true
}
