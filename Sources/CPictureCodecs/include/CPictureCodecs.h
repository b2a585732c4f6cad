// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// Four picture libraries behind one face: a reader gives the rows of a picture one after the other, in whatever order the file has them.
// Nothing here starts a thread or opens a file, and no library's jump on an error leaves the function that called it.
#ifndef C_PICTURE_CODECS_H
#define C_PICTURE_CODECS_H

#include <stddef.h>
#include <stdint.h>

/// What each function returns.
enum {
    vpc_ok = 0,
    /// There are no more rows.
    vpc_end = 1,
    vpc_damaged = 2,
    /// More memory is needed than there is.
    vpc_too_large = 3,
};

/// In pixels.
typedef struct {
    uint32_t width, height;
} vpc_size;

/// Where a row belongs: `count` pixels at `x`, `x + step`, and so on.
typedef struct {
    uint32_t x, y, step, count;
} vpc_row;

typedef struct vpc_reader vpc_reader;

/// Reads the head of a picture. `bytes` must stay where they are until the reader is closed. No memory is taken for pixels yet.
///
/// On success `*reader` is to be closed and `*size` is what the picture claims; otherwise there is no reader.
int vpc_open_jpeg(const uint8_t *bytes, size_t byteCount, vpc_reader **reader, vpc_size *size);
int vpc_open_png(const uint8_t *bytes, size_t byteCount, vpc_reader **reader, vpc_size *size);
int vpc_open_webp(const uint8_t *bytes, size_t byteCount, vpc_reader **reader, vpc_size *size);
int vpc_open_gif(const uint8_t *bytes, size_t byteCount, vpc_reader **reader, vpc_size *size);

/// Gets ready for rows, once. `wanted` is the size that the picture is made smaller to in the end, at least 1×1 and not above its own.
///
/// `*plane` becomes the size that the rows make up: the picture's own, or smaller, but never below `wanted`.
int vpc_start(vpc_reader *reader, vpc_size wanted, vpc_size *plane);

/// The next row as red, green, blue, alpha (not premultiplied); `capacity` is how many pixels fit, at least the plane's width.
int vpc_next_row(vpc_reader *reader, uint8_t *rgba, size_t capacity, vpc_row *row);

void vpc_close(vpc_reader *reader);

#endif
