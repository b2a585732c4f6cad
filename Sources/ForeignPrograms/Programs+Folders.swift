// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ForeignProgram {
    /// Folders of Markdown that are read as they are: they are only named.
    static let noteFolders: [ForeignProgram] = [
        ForeignProgram(
            "logseq", "a graph of Logseq",
            .entries(["logseq/config.edn", "*.md"]),
            do: "vault import markdown FOLDER", format: "markdown"),
        ForeignProgram(
            "logseq-org", "a graph of Logseq in Org",
            .entries(["logseq/config.edn", "*.org"]),
            do: "in Logseq: Export graph, Export as standard Markdown; then unzip it and vault import markdown FOLDER"),
        ForeignProgram(
            "zettlr", "a workspace of Zettlr",
            .entries([".ztr-directory"]),
            do: "vault import markdown FOLDER", format: "markdown"),
        ForeignProgram(
            "dendron", "a vault of Dendron",
            .entries(["dendron.yml"]),
            do: "vault import markdown FOLDER", format: "markdown"),
        ForeignProgram(
            "foam", "a workspace of Foam",
            .entries([".foam"]),
            do: "vault import markdown FOLDER", format: "markdown"),
        ForeignProgram(
            "qownnotes", "a folder of QOwnNotes",
            .entries(["notes.sqlite", "*.md"]),
            do: "vault import markdown FOLDER", format: "markdown"),
        ForeignProgram(
            "nb", "a notebook of nb",
            .any([.entries([".nb"]), .entries([".index", "*.md"])]),
            do: "vault import markdown FOLDER", format: "markdown"),
        ForeignProgram(
            "denote", "notes of Denote",
            .any([.entries(["%%%%%%%%t%%%%%%--*.md"]), .entries(["*/%%%%%%%%t%%%%%%--*.md"])]),
            do: "vault import markdown FOLDER", format: "markdown"),
        ForeignProgram(
            "ia-writer", "texts of iA Writer",
            .sample("*.md", ["annotations: 0,", "sha-256"]),
            do: "vault import markdown FOLDER", format: "markdown"),
    ]

    /// Wikis and outlines.
    static let wikis: [ForeignProgram] = [
        ForeignProgram(
            "zim", "a notebook of Zim",
            .any([
                .entries(["notebook.zim"]), .text(["content-type: text/x-zim-wiki"]),
                .sample("*.txt", ["content-type: text/x-zim-wiki"]),
            ]),
            do: "zim --export --recursive --format=markdown --output=notes FOLDER && vault import markdown notes"),
        ForeignProgram(
            "denote-org", "notes of Denote in Org",
            .any([
                .all([.name("%%%%%%%%t%%%%%%--*.org"), .text(["#+title:"])]), .entries(["%%%%%%%%t%%%%%%--*.org"]),
                .text(["#+identifier:", "#+filetags:"]),
            ]),
            do: Advice.pandoc("org", "org")),
        ForeignProgram(
            "org", "notes of Org-mode",
            .any([
                .all([
                    .start(["#+title:", "#+startup:", "#+filetags:", "#+author:", ":PROPERTIES:", "* "]),
                    .any([.name("*.org"), .text(["#+title:"]), .text([":properties:"])]),
                ]), .entries(["*.org"]),
            ]),
            do: Advice.pandoc("org", "org")),
        ForeignProgram(
            "dokuwiki", "pages of DokuWiki",
            .entries(["*pages/start.txt"]),
            do:
                "mkdir notes && for f in pages/*.txt; do pandoc -f dokuwiki -t gfm -o \"notes/$(basename \"$f\" .txt).md\" \"$f\"; done && vault import markdown notes"
        ),
        ForeignProgram(
            "mediawiki", "an export of MediaWiki",
            .xml("mediawiki"),
            do:
                "mkdir notes && pandoc -f mediawiki -t gfm -o notes/PAGE.md PAGE.wiki for the text of each page, then vault import markdown notes"
        ),
        ForeignProgram(
            "asciidoc", "a text in AsciiDoc",
            .any([.all([.name("*.adoc"), .start(["= "])]), .all([.name("*.asciidoc"), .start(["= "])])]),
            do:
                "asciidoctor -b docbook -o NOTE.xml FILE.adoc && mkdir notes && pandoc -f docbook -t gfm -o notes/NOTE.md NOTE.xml && vault import markdown notes"
        ),
        ForeignProgram(
            "opml", "an outline (OPML), as WorkFlowy, Dynalist and OmniOutliner write it",
            .xml("opml"),
            do: Advice.pandoc("opml", "opml")),
    ]
}
