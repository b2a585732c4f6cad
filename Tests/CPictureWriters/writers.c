// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#include "CPictureWriters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <webp/encode.h>

uint8_t *vpw_jpeg(const uint8_t *pixels, unsigned width, unsigned height, int channels, int isProgressive, size_t *byteCount) {
    struct jpeg_compress_struct picture;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    // The standard handler ends the process: for a test that is as good as a failure.
    picture.err = jpeg_std_error(&errors);
    jpeg_create_compress(&picture);
    jpeg_mem_dest(&picture, &bytes, &count);
    picture.image_width = width;
    picture.image_height = height;
    picture.input_components = channels;
    picture.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&picture);
    jpeg_set_quality(&picture, 95, TRUE);
    if (isProgressive) jpeg_simple_progression(&picture);
    jpeg_start_compress(&picture, TRUE);
    while (picture.next_scanline < height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)picture.next_scanline * width * (size_t)channels);
        jpeg_write_scanlines(&picture, &row, 1);
    }
    jpeg_finish_compress(&picture);
    jpeg_destroy_compress(&picture);
    *byteCount = count;
    return bytes;
}

uint8_t *vpw_webp(const uint8_t *rgba, int width, int height, int isLossless, size_t *byteCount) {
    uint8_t *bytes = NULL;
    *byteCount = isLossless ? WebPEncodeLosslessRGBA(rgba, width, height, width * 4, &bytes)
                            : WebPEncodeRGBA(rgba, width, height, width * 4, 90, &bytes);
    if (*byteCount == 0) return NULL;
    uint8_t *copy = malloc(*byteCount);
    if (copy != NULL) memcpy(copy, bytes, *byteCount);
    WebPFree(bytes);
    return copy;
}
