// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#ifndef CCURSES_H
#define CCURSES_H

#include <stdint.h>

/// A terminal's screen by ncurses, whose own interface is made of macros and variadic functions.

enum {
    VS_STYLE_BOLD = 1,
    VS_STYLE_DIM = 2,
    VS_STYLE_REVERSE = 4,
    VS_STYLE_UNDERLINE = 8,
};

enum {
    /// Nothing within the time.
    VS_KEY_NONE,
    VS_KEY_CHARACTER,
    VS_KEY_UP,
    VS_KEY_DOWN,
    VS_KEY_LEFT,
    VS_KEY_RIGHT,
    VS_KEY_PAGE_UP,
    VS_KEY_PAGE_DOWN,
    VS_KEY_HOME,
    VS_KEY_END,
    VS_KEY_BACKSPACE,
    VS_KEY_DELETE,
    VS_KEY_RESIZE,
    VS_KEY_CLICK,
    VS_KEY_WHEEL_UP,
    VS_KEY_WHEEL_DOWN,
    /// The terminal has gone.
    VS_KEY_GONE,
    VS_KEY_OTHER,
};

struct vs_key {
    int kind;
    /// A Unicode scalar.
    uint32_t character;
    /// Of a click.
    int row, column;
};

/// Takes the terminal; -1 for one that cannot be drawn on.
int vs_screen_begin(void);
/// Gives the terminal back as it was; `vs_screen_begin` or `vs_screen_resume` takes it again.
void vs_screen_end(void);
void vs_screen_resume(void);
void vs_screen_size(int *rows, int *columns);
void vs_screen_clear(void);
/// Draws all of it anew, whatever another program has left there.
void vs_screen_redraw(void);
/// Puts a text in UTF-8 at a place, as much of it as so many columns hold, and blanks behind it where it `fills`.
void vs_screen_put(int row, int column, int width, const char *text, int style, int fills);
/// Shows what was put, with the cursor at a place; a row of -1 hides it.
void vs_screen_show(int cursor_row, int cursor_column);
/// Waits for a key, so many milliseconds at most.
struct vs_key vs_screen_key(int milliseconds);

#endif
