// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ForeignProgram {
    /// Single files and folders of programs that keep notes.
    static let noteDocuments: [ForeignProgram] = [
        ForeignProgram(
            "onenote", "a section of OneNote (.one)",
            .any([
                .magic(
                    [0xE4, 0x52, 0x5C, 0x7B, 0x8C, 0xD8, 0xA7, 0x4D, 0xAE, 0xB1, 0x53, 0x78, 0xD0, 0x29, 0x96, 0xD3],
                    at: 0),
                .magic(
                    [0xA1, 0x2F, 0xFF, 0x43, 0xD9, 0xEF, 0x76, 0x4C, 0x9E, 0xE2, 0x10, 0xEA, 0x57, 0x22, 0x76, 0x5F],
                    at: 0),
                .entries(["*.one", "*.onetoc2"]),
            ]),
            do:
                "in OneNote: File, Export, Section, Word Document; then mkdir notes && pandoc -f docx -t gfm --extract-media notes -o notes/SECTION.md FILE.docx && vault import markdown notes"
        ),
        ForeignProgram(
            "onenote-package", "a notebook of OneNote (.onepkg)",
            .all([.start(["MSCF"]), .any([.name("*.onepkg"), .magic(Array("MSCF".utf8), at: 0)]), .text([".one"])]),
            do:
                "cabextract FILE.onepkg, and in OneNote: File, Export, Section, Word Document; then mkdir notes && pandoc -f docx -t gfm --extract-media notes -o notes/SECTION.md FILE.docx && vault import markdown notes"
        ),
        ForeignProgram(
            "onenote-mht", "a page of OneNote (.mht)",
            .all([.start(["MIME-Version:"]), .text(["onenote"])]),
            do:
                "in OneNote: File, Export, Section, Word Document; then mkdir notes && pandoc -f docx -t gfm --extract-media notes -o notes/SECTION.md FILE.docx && vault import markdown notes"
        ),
        ForeignProgram(
            "roam", "a graph of Roam Research",
            .any([
                .json(["title", "children", "string"]), .json(["title", "children", "create-time"]),
                .json(["title", "edit-time"]),
                .text(["#datascript/db"]),
            ]),
            do: "in Roam: Export All, Markdown; then unzip it and vault import markdown FOLDER"),
        ForeignProgram(
            "tiddlywiki", "a TiddlyWiki",
            .any([
                .html(["application-name", "tiddlywiki"]), .html(["tiddlywiki-version"]),
                .json(["title", "text", "created", "modified", "tags"]),
                .entries(["tiddlywiki.info"]),
            ]),
            do:
                "tiddlywiki --load FILE.html --output pages --render '[!is[system]]' '[encodeuricomponent[]addsuffix[.html]]' && cd pages && mkdir notes && for f in *.html; do pandoc -f html -t gfm -o \"notes/${f%.html}.md\" \"$f\"; done && vault import markdown notes"
        ),
        ForeignProgram(
            "excalidraw", "a drawing of Excalidraw alone",
            .all([.json(["type", "elements", "appState"]), .text(["excalidraw"])]),
            do:
                "in Excalidraw: Export image, SVG; then vault sketch import ID FILE.svg. With its vault around it: vault import obsidian FOLDER"
        ),
        ForeignProgram(
            "canvas", "a canvas of Obsidian alone",
            .any([.json(["nodes", "edges"]), .all([.name("*.canvas"), .json(["nodes"])])]),
            do:
                "import the vault that contains it: vault import obsidian FOLDER; or keep the file: vault new --attach FILE.canvas"
        ),
        ForeignProgram(
            "trello", "a board of Trello",
            .json(["idOrganization", "labelNames"]),
            do:
                "mkdir notes && jq -r '.cards[]|\"## \\(.name)\\n\\n\\(.desc)\\n\"' FILE.json > notes/board.md && vault import markdown notes"
        ),
        ForeignProgram(
            "drafts", "an export of Drafts",
            .json(["languageGrammar", "flagged"]),
            do:
                "mkdir notes && jq -r '.[]|\"\\(.content)\\n\\n---\\n\"' FILE.json > notes/drafts.md && vault import markdown notes"
        ),
        ForeignProgram(
            "diarium-json", "an export of Diarium",
            .json(["date", "heading", "html"]),
            do: "in Diarium: Settings, Export, .txt; then put the file into a folder, and vault import markdown FOLDER"),
        ForeignProgram(
            "firefox-bookmarks", "bookmarks of Firefox as JSON",
            .json(["text/x-moz-place-container"]),
            do:
                "in Firefox: Bookmarks, Manage, Export Bookmarks to HTML; then mkdir notes && pandoc -f html -t gfm -o notes/bookmarks.md FILE.html && vault import markdown notes"
        ),
        ForeignProgram(
            "tomboy", "a note of Tomboy, Gnote or Bijiben",
            .any([
                .all([.xml("note"), .text(["beatniksoftware.com/tomboy"])]),
                .sample("*.note", ["beatniksoftware.com/tomboy"]),
            ]),
            do:
                "in Gnote: open the note, Export to HTML; then in that folder: mkdir notes && for f in *.html; do pandoc -f html -t gfm -o \"notes/${f%.html}.md\" \"$f\"; done && vault import markdown notes"
        ),
        ForeignProgram(
            "cherrytree-xml", "a notebook of CherryTree (.ctd)",
            .xml("cherrytree"),
            do: "cherrytree --export_to_txt_dir notes FILE.ctd && vault import markdown notes"),
        ForeignProgram(
            "keepnote", "a notebook of KeepNote",
            .any([.entries(["*notebook.nbk"]), .entries(["*node.xml", "*page.html"])]),
            do:
                "mkdir notes && find . -name page.html | while read -r f; do d=$(dirname \"$f\"); pandoc -f html -t gfm -o \"notes/$(basename \"$d\").md\" \"$f\"; done && vault import markdown notes"
        ),
        ForeignProgram(
            "scrivener", "a project of Scrivener",
            .any([.xml("ScrivenerProject"), .entries(["*.scrivx"])]),
            do: "in Scrivener: File, Export, Files, plain text or Markdown; then vault import markdown FOLDER"),
        ForeignProgram(
            "devonthink", "a database of DEVONthink",
            .entries(["*devonthink-*.dtmeta"]),
            do: "in DEVONthink: select all, File, Export, as Markdown; then vault import markdown FOLDER"),
        ForeignProgram(
            "boostnote", "a note of Boostnote (.cson)",
            .any([
                .text(["markdown_note", "createdat:"]), .entries(["boostnote.json"]),
                .sample("*.cson", ["markdown_note"]),
            ]),
            do: "in Boostnote: File, Export, Markdown; then vault import markdown FOLDER"),
        ForeignProgram(
            "rednotebook", "a journal of RedNotebook",
            .any([
                .all([.name("%%%%-%%.txt"), .text(["{text:"])]), .all([.name("%%%%-%%.txt"), .text(["text:"])]),
                .sample("%%%%-%%.txt", ["text:"]),
                .sample("*/%%%%-%%.txt", ["text:"]),
            ]),
            do:
                "in RedNotebook: Journal, Export, Plain text; put the file into a folder, then vault import markdown FOLDER"
        ),
        ForeignProgram(
            "stickies", "Stickies of macOS",
            .any([
                .entries(["*.rtfd/txt.rtf"]), .entries(["txt.rtf"]),
                .all([.name("StickiesDatabase"), .text(["document"])]),
            ]),
            do:
                "mkdir notes && for d in *.rtfd; do pandoc -f rtf -t gfm -o \"notes/${d%.rtfd}.md\" \"$d/TXT.rtf\"; done && vault import markdown notes"
        ),
        ForeignProgram(
            "xournal", "pages of Xournal++ (.xopp)",
            .any([.xml("xournal"), .all([.magic([0x1F, 0x8B], at: 0), .name("*.xopp")])]),
            do: "xournalpp --create-pdf=FILE.pdf FILE.xopp && vault new --attach FILE.pdf"),
        ForeignProgram(
            "penzu", "entries of Penzu",
            .any([.html(["penzu"]), .text(["penzu.com"])]),
            do:
                "mkdir notes && pandoc -f html -t gfm -o notes/penzu.md FILE.html && vault import markdown notes; a text file goes into the folder as it is"
        ),
        ForeignProgram(
            "quip", "a document of Quip",
            .html(["quip.com"]),
            do: "mkdir notes && pandoc -f html -t gfm -o notes/NOTE.md FILE.html && vault import markdown notes"),
        ForeignProgram(
            "evernote-html", "pages that Evernote exported as HTML",
            .html(["exporter-version", "evernote"]),
            do: "in Evernote: select the notes, File, Export, ENEX; then vault import enex FILE.enex"),
        ForeignProgram(
            "evernote-notes", "notes of Yinxiang or Evernote in a closed form (.notes)",
            .all([.xml("en-export"), .text(["base64:aes"])]),
            do: "in Evernote: select the notes, File, Export, ENEX; then vault import enex FILE.enex"),
    ]
}
