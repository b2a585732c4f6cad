// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
//
// Pictures for tests, by the encoders of the libraries that decode them. Each function gives memory for free(3), or NULL.
#ifndef C_PICTURE_WRITERS_H
#define C_PICTURE_WRITERS_H

#include <stddef.h>
#include <stdint.h>

/// `channels` bytes for each pixel: 1 grey, 3 red-green-blue, 4 inks as Adobe's programs store them.
uint8_t *vpw_jpeg(const uint8_t *pixels, unsigned width, unsigned height, int channels, int isProgressive, size_t *byteCount);

uint8_t *vpw_webp(const uint8_t *rgba, int width, int height, int isLossless, size_t *byteCount);

#endif
