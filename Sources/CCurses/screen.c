// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE 1
#define NCURSES_WIDECHAR 1
#include "CCurses.h"

#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <wchar.h>

static SCREEN *screen;

int vs_screen_begin(void) {
    setlocale(LC_CTYPE, "");
    // Texts are UTF-8 whatever the locale is called; one that is not would show each byte.
    if (MB_CUR_MAX < 4) setlocale(LC_CTYPE, "C.UTF-8");
    screen = newterm(NULL, stdout, stdin);
    if (screen == NULL) return -1;
    // Ctrl-C and Ctrl-Z are keys: the terminal is given back first.
    raw();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    set_escdelay(15);
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    return 0;
}

void vs_screen_end(void) {
    if (screen == NULL) return;
    // A terminal without a second screen would keep what is on it.
    erase();
    clearok(stdscr, TRUE);
    refresh();
    curs_set(1);
    mousemask(0, NULL);
    endwin();
}

void vs_screen_resume(void) {
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    reset_prog_mode();
    // What was there before is drawn by nobody but the one who knows that it may still be seen.
    erase();
    clearok(stdscr, TRUE);
    refresh();
}

void vs_screen_size(int *rows, int *columns) { getmaxyx(stdscr, *rows, *columns); }

void vs_screen_clear(void) { erase(); }

void vs_screen_redraw(void) { clearok(stdscr, TRUE); }

void vs_screen_put(int row, int column, int width, const char *text, int style, int fills) {
    attr_t attributes = A_NORMAL;
    if (style & VS_STYLE_BOLD) attributes |= A_BOLD;
    if (style & VS_STYLE_DIM) attributes |= A_DIM;
    if (style & VS_STYLE_REVERSE) attributes |= A_REVERSE;
    if (style & VS_STYLE_UNDERLINE) attributes |= A_UNDERLINE;
    int rows, columns;
    getmaxyx(stdscr, rows, columns);
    if (row < 0 || row >= rows || column < 0 || column >= columns) return;
    if (width > columns - column) width = columns - column;
    attrset(attributes);
    move(row, column);
    // ncurses goes on in the next row behind the last column, and counts columns by itself.
    int used = 0;
    mbstate_t state = {0};
    while (*text != 0) {
        wchar_t character;
        size_t size = mbrtowc(&character, text, 8, &state);
        if (size == 0 || size == (size_t)-1 || size == (size_t)-2) break;
        text += size;
        int cells = wcwidth(character);
        if (cells < 0) {
            character = 0xFFFD;
            cells = 1;
        }
        if (used + cells > width) break;
        addnwstr(&character, 1);
        used += cells;
    }
    for (; fills && used < width; used++) addch(' ');
    attrset(A_NORMAL);
}

void vs_screen_show(int cursor_row, int cursor_column) {
    if (cursor_row >= 0) {
        curs_set(1);
        move(cursor_row, cursor_column);
    } else {
        curs_set(0);
    }
    refresh();
}

static int kind_of(wint_t code) {
    switch (code) {
    case KEY_UP: return VS_KEY_UP;
    case KEY_DOWN: return VS_KEY_DOWN;
    case KEY_LEFT: return VS_KEY_LEFT;
    case KEY_RIGHT: return VS_KEY_RIGHT;
    case KEY_PPAGE: return VS_KEY_PAGE_UP;
    case KEY_NPAGE: return VS_KEY_PAGE_DOWN;
    case KEY_HOME: return VS_KEY_HOME;
    case KEY_END: return VS_KEY_END;
    case KEY_BACKSPACE: return VS_KEY_BACKSPACE;
    case KEY_DC: return VS_KEY_DELETE;
    case KEY_RESIZE: return VS_KEY_RESIZE;
    default: return VS_KEY_OTHER;
    }
}

struct vs_key vs_screen_key(int milliseconds) {
    struct vs_key key = {VS_KEY_NONE, 0, 0, 0};
    wint_t code = 0;
    timeout(milliseconds);
    errno = 0;
    int got = get_wch(&code);
    if (got == ERR) {
        // Without a terminal a read ends at once, and not by a signal.
        if (errno != 0 && errno != EINTR && errno != EAGAIN) key.kind = VS_KEY_GONE;
        return key;
    }
    if (got != KEY_CODE_YES) {
        key.kind = code == 127 || code == 8 ? VS_KEY_BACKSPACE : VS_KEY_CHARACTER;
        key.character = (uint32_t)code;
        return key;
    }
    if (code != KEY_MOUSE) {
        key.kind = kind_of(code);
        if (code == KEY_ENTER) {
            key.kind = VS_KEY_CHARACTER;
            key.character = 13;
        }
        return key;
    }
    MEVENT event;
    if (getmouse(&event) != OK) return key;
    key.kind = event.bstate & BUTTON4_PRESSED ? VS_KEY_WHEEL_UP : event.bstate & BUTTON5_PRESSED ? VS_KEY_WHEEL_DOWN : VS_KEY_CLICK;
    key.row = event.y;
    key.column = event.x;
    return key;
}
