// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

extension ForeignProgram {
    /// Mails, addresses and dates.
    static let journals: [ForeignProgram] = [
        ForeignProgram(
            "mbox", "mails (mbox)",
            .all([.start(["From "]), .text(["subject:"])]),
            do:
                "in Thunderbird: select the mails, Save As, Text; then vault import markdown FOLDER; or keep them: vault new --attach FILE"
        ),
        ForeignProgram(
            "eml", "a mail (.eml)",
            .any([
                .all([
                    .start([
                        "Return-Path:", "Received:", "Delivered-To:", "From:", "Date:", "Message-ID:", "Subject:",
                        "MIME-Version:", "X-",
                    ]),
                    .text(["from:", "subject:", "message-id:"]),
                ])
            ]),
            do:
                "vault new --attach FILE.eml keeps it whole; for its text: Save As, Text in Thunderbird, then vault import markdown FOLDER"
        ),
        ForeignProgram(
            "vcard", "addresses (vCard)",
            .start(["BEGIN:VCARD"]),
            do:
                "vault new --title Addresses --attach FILE.vcf keeps them; as text: mkdir notes && cp FILE.vcf notes/addresses.txt && vault import markdown notes"
        ),
        ForeignProgram(
            "icalendar", "dates (iCalendar)",
            .start(["BEGIN:VCALENDAR"]),
            do:
                "vault new --title Calendar --attach FILE.ics keeps them; as text: mkdir notes && cp FILE.ics notes/calendar.txt && vault import markdown notes"
        ),
    ]

    /// Highlights, articles, tasks and bookmarks.
    static let lists: [ForeignProgram] = [
        ForeignProgram(
            "readwise", "highlights of Readwise",
            .csv(["Highlight", "Book Title", "Book Author"]),
            do:
                "in Readwise: Export, Markdown; then unzip it and vault import markdown FOLDER; or as one table: mkdir notes && mlr --icsv --omd cat FILE.csv > notes/highlights.md && vault import markdown notes"
        ),
        ForeignProgram(
            "pocket", "articles of Pocket",
            .any([.csv(["title", "url", "time_added", "tags", "status"]), .html(["<title>pocket export</title>"])]),
            do: Advice.table),
        ForeignProgram(
            "instapaper", "articles of Instapaper",
            .any([.csv(["URL", "Title", "Selection", "Folder"]), .html(["<title>instapaper"])]),
            do: Advice.table),
        ForeignProgram(
            "raindrop", "bookmarks of Raindrop.io",
            .csv(["id", "title", "note", "excerpt", "url", "folder", "tags", "created"]),
            do: Advice.table),
        ForeignProgram(
            "todoist", "tasks of Todoist",
            .csv(["TYPE", "CONTENT", "PRIORITY", "INDENT"]),
            do: Advice.table),
        ForeignProgram(
            "ticktick", "tasks of TickTick",
            .text(["\"folder name\",\"list name\",\"title\""]),
            do: Advice.table),
        ForeignProgram(
            "bookmarks", "bookmarks of a browser",
            .start(["<!DOCTYPE NETSCAPE-Bookmark-file-1>"]),
            do: "mkdir notes && pandoc -f html -t gfm -o notes/bookmarks.md FILE.html && vault import markdown notes"),
    ]
}
