// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ForeignProgram {
    /// Zips, folders and JSON of programs that keep notes.
    static let noteArchives: [ForeignProgram] = [
        ForeignProgram(
            "keep", "notes of Google Keep",
            .any([
                .json(["isTrashed", "isPinned", "userEditedTimestampUsec"]), .entries(["*keep/*.json"]),
                .sample("*.json", ["\"userEditedTimestampUsec\""]),
            ]),
            do:
                "unpack Google's Takeout, and turn the pages into Markdown: mkdir notes && for f in Takeout/Keep/*.html; do pandoc -f html -t gfm -o \"notes/$(basename \"$f\" .html).md\" \"$f\"; done && vault import markdown notes"
        ),
        ForeignProgram(
            "simplenote", "an export of Simplenote",
            .any([.json(["activeNotes"]), .entries(["source/notes.json"]), .entries(["*/source/notes.json"])]),
            do: "the zip has each note as a text file: unzip FILE.zip -d notes && vault import markdown notes"),
        ForeignProgram(
            "notion-html", "an HTML export of Notion",
            .any([.entries(["* ################################.html"]), .html(["class=\"page-body\""])]),
            do:
                "in Notion: Settings, Export all workspace content, Markdown & CSV; then unzip it and vault import markdown FOLDER"
        ),
        ForeignProgram(
            "notion", "an export of Notion",
            .any([
                .entries(["* ################################.md"]),
                .entries(["* ################################.csv"]),
                .all([.zip, .entries(["exportblock-*-part-*.zip"])]),
            ]),
            do: "unpack the zip, and the zips in it: unzip FILE.zip -d notes; then vault import markdown notes",
            format: "markdown"),
        ForeignProgram(
            "bear", "a backup of Bear",
            .all([.zip, .any([.name("*.bear2bk"), .name("*.bearbk")])]),
            do:
                "in Bear: select the notes, File, Export Notes, Markdown, with attachments; then vault import markdown FOLDER"
        ),
        ForeignProgram(
            "ulysses", "a backup or sheets of Ulysses",
            .any([.entries(["*.ulysses/content.xml"]), .entries(["*content.xml", "*info.ulgroup"])]),
            do: "in Ulysses: select the sheets, File, Export, Markdown; then vault import markdown FOLDER"),
        ForeignProgram(
            "craft", "an export of Craft",
            .sample("*info.json", ["com.lukilabs.lukiapp"]),
            do: "vault import markdown FOLDER: text.md in it is the note", format: "markdown"),
        ForeignProgram(
            "textbundle", "a TextBundle or TextPack, as Bear, Craft and Ulysses write them",
            .any([
                .entries(["*info.json", "*text.md"]), .entries(["*info.json", "*text.markdown"]),
                .entries(["*info.json", "*text.txt"]),
            ]),
            do: "unpack it if it is packed (unzip FILE -d notes), then vault import markdown notes", format: "markdown"),
        ForeignProgram(
            "journey", "an export of Journey",
            .any([
                .json(["date_journal", "preview_text"]), .json(["date_journal", "date_modified"]),
                .sample("*.json", ["\"date_journal\""]),
                .all([.zip, .entries(["%%%%%%%%%%%%%-################.json"])]),
            ]),
            do:
                "unpack the zip, then: jq -s '{tags:{},entries:[.[]|{title:\"\",body:.text,date:(.date_journal/1000|strftime(\"%Y-%m-%d\")),time:(.date_journal/1000|strftime(\"%H:%M\")),tags:(.tags//[]|map(\"@\"+.)),starred:(.favourite//false)}]}' *.json > journal.json && vault import jrnl journal.json"
        ),
        ForeignProgram(
            "dayone", "an export of Day One",
            .any([
                .json(["entries", "creationDate", "uuid"]), .entries(["journal.json"]),
                .all([
                    .entries(["*.json"]),
                    .any([
                        .entries(["photos/################################.*"]),
                        .entries(["pdfs/################################.*"]),
                        .entries(["videos/################################.*"]),
                    ]),
                ]),
            ]),
            do:
                "unpack the zip, then: jq '{tags:{},entries:[.entries[]|{title:\"\",body:(.text//\"\"),date:.creationDate[0:10],time:.creationDate[11:16],tags:(.tags//[]|map(\"@\"+.)),starred:(.starred//false)}]}' Journal.json > journal.json && vault import jrnl journal.json"
        ),
        ForeignProgram(
            "apple-notes", "a copy of Apple Notes from privacy.apple.com",
            .any([.entries(["*icloud notes/*"]), .entries(["*notes/*/*.txt", "*notes details.csv"])]),
            do:
                "each note is a text file in a folder of its own: unzip FILE.zip -d notes && vault import markdown notes"
        ),
        ForeignProgram(
            "notesnook", "a backup of Notesnook",
            .any([.entries([".nnbackup"]), .all([.name("*.nnbackup"), .json(["version", "data"])])]),
            do:
                "in Notesnook: Settings, Backup & export, Export all notes, Markdown; then unzip it and vault import markdown FOLDER"
        ),
        ForeignProgram(
            "anytype", "an export of Anytype",
            .any([.entries(["objects/*.pb"]), .entries(["objects/*.pb.json"]), .entries(["*/objects/*.pb*"])]),
            do: "in Anytype: Settings, Export, Markdown; then unzip it and vault import markdown FOLDER"),
        ForeignProgram(
            "upnote", "a backup of UpNote",
            .any([.entries(["*.upnx"]), .all([.zip, .name("*.upnx")])]),
            do: "in UpNote: Settings, General, Export all notes, Markdown; then vault import markdown FOLDER"),
        ForeignProgram(
            "zoho-notebook", "an export of Zoho Notebook",
            .any([.entries(["*.znote"]), .entries(["*.znel"]), .xml("ZNote")]),
            do:
                "in Notebook: Settings, Export, HTML; unzip it, then in its folder: mkdir notes && for f in *.html; do pandoc -f html -t gfm -o \"notes/${f%.html}.md\" \"$f\"; done && vault import markdown notes"
        ),
        ForeignProgram(
            "samsung-notes", "a note of Samsung Notes (.sdocx)",
            .entries(["note.note", "pageIdInfo.dat"]),
            do:
                "in Samsung Notes: Share, as Microsoft Word file; then mkdir notes && pandoc -f docx -t gfm --extract-media notes -o notes/NOTE.md FILE.docx && vault import markdown notes"
        ),
        ForeignProgram(
            "trilium", "an export of Trilium",
            .entries(["!!!meta.json"]),
            do: "in Trilium: Export subtree, Markdown; then unzip FILE.zip -d notes && vault import markdown notes"),
        ForeignProgram(
            "tana", "an export of Tana",
            .json(["formatVersion", "docs", "props"]),
            do: "in Tana: Export as Markdown; then unzip it and vault import markdown FOLDER"),
        ForeignProgram(
            "turtl", "a backup of Turtl",
            .json(["spaces", "boards", "notes"]),
            do:
                "mkdir notes && jq -r '.notes[]|\"# \\(.title//\"\")\\n\\n\\(.text//\"\")\\n\"' FILE.json > notes/turtl.md && vault import markdown notes"
        ),
        ForeignProgram(
            "goodnotes", "a document of GoodNotes",
            .any([.entries(["index.notes.pb"]), .entries(["*/index.notes.pb"])]),
            do: "in GoodNotes: Share, Export, PDF; then vault new --attach FILE.pdf"),
        ForeignProgram(
            "notability", "a note of Notability",
            .entries(["*/session.plist"]),
            do: "in Notability: Share, PDF; then vault new --attach FILE.pdf"),
        ForeignProgram(
            "supernote", "a note of a Supernote",
            .start(["noteSN_FILE_VER", "SN_FILE_VER"]),
            do: "on the Supernote: Export, PDF or TXT; then vault new --attach FILE.pdf"),
        ForeignProgram(
            "remarkable", "pages of a reMarkable",
            .any([.start(["reMarkable .lines file"]), .all([.zip, .entries(["*.rm", "*.content"])])]),
            do: "in the reMarkable app: Export, PDF; then vault new --attach FILE.pdf"),
        ForeignProgram(
            "wiznote", "a note of WizNote (.ziw)",
            .all([.zip, .entries(["index.html", "index_files/*"])]),
            do:
                "unzip FILE.ziw -d note && mkdir notes && pandoc -f html -t gfm -o notes/NOTE.md note/index.html && vault import markdown notes"
        ),
        ForeignProgram(
            "nimbus", "an export of Nimbus Note",
            .entries(["note.html", "assets/*"]),
            do:
                "unzip FILE.zip -d note && mkdir notes && pandoc -f html -t gfm -o notes/NOTE.md note/note.html && vault import markdown notes"
        ),
        ForeignProgram(
            "diaro", "a backup of Diaro",
            .any([.entries(["diarobackup.xml"]), .all([.xml("data"), .text(["diaro_entries"])])]),
            do:
                "in Diaro: Settings, Backup & restore, Export, .txt; then put the file into a folder, and vault import markdown FOLDER"
        ),
        ForeignProgram(
            "momento", "an export of Momento",
            .any([.entries(["*moments.txt"]), .entries(["*momento*/*.txt"]), .text(["exported from momento"])]),
            do: "the text files in it are the days: unzip FILE.zip -d notes && vault import markdown notes"),
    ]
}
