// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

internal import AgentProtocol
internal import ArgumentParser

/// The tree of all commands.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Private notes, encrypted on this machine.",
        discussion: "ID is the beginning of a note's identifier, or its title. Exit codes: vault help exit-codes.",
        version: "vault \(Frame.programVersion)",
        groupedSubcommands: [
            CommandGroup(
                name: "The vault:", subcommands: [InitArguments.self, UnlockArguments.self, LockArguments.self, StatusArguments.self]),
            CommandGroup(
                name: "Passwords and keys:", subcommands: [PasswordArguments.self, KeyArguments.self, RecoveryArguments.self, RotateArguments.self]),
            CommandGroup(
                name: "Reading and writing:",
                subcommands: [
                    NewArguments.self, EditArguments.self, AppendArguments.self, ReplaceArguments.self, ShowArguments.self, CatArguments.self,
                    ListArguments.self, SearchArguments.self, WatchArguments.self, DailyArguments.self, TemplateArguments.self, LinksArguments.self,
                    BacklinksArguments.self, AttachArguments.self, SketchArguments.self, NoteArguments.self,
                ]),
            CommandGroup(
                name: "Organize:",
                subcommands: [
                    TitleArguments.self, TagArguments.self, UntagArguments.self, MoveArguments.self, NotebookArguments.self, PinArguments.self,
                    UnpinArguments.self, ArchiveArguments.self, UnarchiveArguments.self, DuplicateArguments.self, MergeArguments.self,
                    RemoveArguments.self, RestoreArguments.self, TrashArguments.self,
                ]),
            CommandGroup(
                name: "History:",
                subcommands: [
                    HistoryArguments.self, DiffArguments.self, RevertArguments.self, UndoArguments.self, RedoArguments.self, DraftArguments.self,
                    CollectArguments.self,
                ]),
            CommandGroup(
                name: "Import, export, maintenance:",
                subcommands: [
                    ImportArguments.self, ExportArguments.self, BackupArguments.self, ShareArguments.self, CheckArguments.self, ConfigArguments.self,
                    DoctorArguments.self, CompletionArguments.self, AboutArguments.self, VersionArguments.self,
                ]),
        ])
}
