// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#include "CWebPage.h"

// #embed is C23's; older modes have it as an extension, of which clang warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t index_html[] = {
#embed "page/index.html"
};
static const uint8_t style_css[] = {
#embed "page/style.css"
};
static const uint8_t app_js[] = {
#embed "page/app.js"
};
static const uint8_t wire_js[] = {
#embed "page/wire.js"
};
static const uint8_t dom_js[] = {
#embed "page/dom.js"
};
static const uint8_t files_js[] = {
#embed "page/files.js"
};
static const uint8_t list_js[] = {
#embed "page/list.js"
};
static const uint8_t reader_js[] = {
#embed "page/reader.js"
};
static const uint8_t editor_js[] = {
#embed "page/editor.js"
};
static const uint8_t sketch_js[] = {
#embed "page/sketch.js"
};
static const uint8_t recorder_js[] = {
#embed "page/recorder.js"
};
static const uint8_t places_js[] = {
#embed "page/places.js"
};
static const uint8_t dialogs_js[] = {
#embed "page/dialogs.js"
};
static const uint8_t books_js[] = {
#embed "page/books.js"
};
static const uint8_t addbook_js[] = {
#embed "page/addbook.js"
};
static const uint8_t bookdetail_js[] = {
#embed "page/bookdetail.js"
};
static const uint8_t booknotes_js[] = {
#embed "page/booknotes.js"
};
static const uint8_t bookdrag_js[] = {
#embed "page/bookdrag.js"
};
static const uint8_t bookparts_js[] = {
#embed "page/bookparts.js"
};
static const uint8_t groups_js[] = {
#embed "page/groups.js"
};
static const uint8_t remotes_js[] = {
#embed "page/remotes.js"
};
static const uint8_t signin_js[] = {
#embed "page/signin.js"
};
static const uint8_t icon_svg[] = {
#embed "page/icon.svg"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}
static const struct vault_page_file files[] = {
    FILE("index.html", index_html), FILE("style.css", style_css),   FILE("app.js", app_js),           FILE("wire.js", wire_js),
    FILE("dom.js", dom_js),         FILE("list.js", list_js),       FILE("reader.js", reader_js),     FILE("editor.js", editor_js),
    FILE("sketch.js", sketch_js),   FILE("recorder.js", recorder_js), FILE("places.js", places_js),   FILE("dialogs.js", dialogs_js),
    FILE("books.js", books_js), FILE("addbook.js", addbook_js), FILE("bookdetail.js", bookdetail_js),
    FILE("booknotes.js", booknotes_js), FILE("bookdrag.js", bookdrag_js), FILE("bookparts.js", bookparts_js),
    FILE("groups.js", groups_js), FILE("remotes.js", remotes_js), FILE("signin.js", signin_js),
    FILE("files.js", files_js),     FILE("icon.svg", icon_svg),
};

const int vault_page_file_count = sizeof files / sizeof files[0];
struct vault_page_file vault_page_file(int index) { return files[index]; }
