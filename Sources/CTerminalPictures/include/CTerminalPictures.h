// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// Sixel graphics by libchafa, which is loaded when the first such picture is drawn and never before.
#ifndef C_TERMINAL_PICTURES_H
#define C_TERMINAL_PICTURES_H

#include <stddef.h>
#include <stdint.h>

/// A drawing that the library holds.
struct terminal_sixels {
    const uint8_t *bytes;
    size_t byteCount;
    void *held;
};

/// Loads libchafa.so.0 unless that is done; -1 where it is missing or too old.
int terminal_sixels_load(void);

/// The narrowest drawing. libchafa 1.12 writes beyond its memory when it spreads colours over one that is 1 pixel wide; from 2 on it does not.
enum { TERMINAL_SIXELS_WIDTH_MIN = 8 };

/// Draws RGBA pixels, not premultiplied, of at most 1024 × 1024, in a size of `drawnWidth` (8 to 1000) × `drawnHeight` (6 to 1000) pixels. The
/// library must be loaded. -1 when it could not, and for any other size.
int terminal_sixels_draw(const uint8_t *pixels, int width, int height, int drawnWidth, int drawnHeight, struct terminal_sixels *drawing);

/// Clears and releases a drawing.
void terminal_sixels_release(struct terminal_sixels *drawing);

#endif
