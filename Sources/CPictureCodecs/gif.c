// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

typedef struct {
    vpc_reader reader;
    GifFileType *picture;
    const uint8_t *bytes;
    size_t byteCount;
    vpc_size size;
    GifByteType *indices;
    /// What each number stands for; a number without a colour is nothing at all.
    uint8_t colours[256][4];
    /// Of an interlaced picture: 0…3; of another there is one.
    int pass, passCount;
    uint32_t y;
} gif_reader;

static int read_input(GifFileType *picture, GifByteType *buffer, int byteCount) {
    gif_reader *self = picture->UserData;
    size_t count = byteCount < 0 ? 0 : (size_t)byteCount;
    if (count > self->byteCount) count = self->byteCount;
    memcpy(buffer, self->bytes, count);
    self->bytes += count;
    self->byteCount -= count;
    return (int)count;
}

static int failure(const gif_reader *self) {
    return self->picture != NULL && self->picture->Error == D_GIF_ERR_NOT_ENOUGH_MEM ? vpc_too_large : vpc_damaged;
}

/// Reads up to the first frame. `*transparent` is the number of the colour that is none, or -1.
static int find_frame(gif_reader *self, int *transparent) {
    *transparent = NO_TRANSPARENT_COLOR;
    for (;;) {
        GifRecordType kind;
        if (DGifGetRecordType(self->picture, &kind) != GIF_OK) return failure(self);
        if (kind == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(self->picture) == GIF_OK ? vpc_ok : failure(self);
        if (kind != EXTENSION_RECORD_TYPE) return vpc_damaged;
        int code;
        GifByteType *block;
        if (DGifGetExtension(self->picture, &code, &block) != GIF_OK) return failure(self);
        while (block != NULL) {
            GraphicsControlBlock control;
            // The first byte is the block's length.
            if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
                *transparent = control.TransparentColor;
            }
            if (DGifGetExtensionNext(self->picture, &block) != GIF_OK) return failure(self);
        }
    }
}

static void fill_colours(gif_reader *self, const ColorMapObject *map, int transparent) {
    for (int index = 0; index < 256 && index < map->ColorCount; index++) {
        if (index == transparent) continue;
        const GifColorType *colour = &map->Colors[index];
        memcpy(self->colours[index], (uint8_t[4]){colour->Red, colour->Green, colour->Blue, 255}, 4);
    }
}

static int start(vpc_reader *reader, vpc_size wanted, vpc_size *plane) {
    gif_reader *self = (gif_reader *)reader;
    (void)wanted;
    self->indices = malloc((size_t)self->picture->Image.Width);
    if (self->indices == NULL) return vpc_too_large;
    self->passCount = self->picture->Image.Interlace ? 4 : 1;
    *plane = self->size;
    return vpc_ok;
}

static int next_row(vpc_reader *reader, uint8_t *rgba, size_t capacity, vpc_row *row) {
    static const uint32_t first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    gif_reader *self = (gif_reader *)reader;
    const GifImageDesc *frame = &self->picture->Image;
    uint32_t width = (uint32_t)frame->Width, y = self->y;
    for (; self->pass < self->passCount; self->pass++, self->y = 0) {
        y = self->passCount == 1 ? self->y : first[self->pass] + self->y * step[self->pass];
        if (y < (uint32_t)frame->Height) break;
    }
    if (self->pass == self->passCount) return vpc_end;
    if (capacity < width) return vpc_damaged;
    if (DGifGetLine(self->picture, self->indices, frame->Width) != GIF_OK) return failure(self);
    for (uint32_t x = 0; x < width; x++) memcpy(rgba + 4 * (size_t)x, self->colours[self->indices[x]], 4);
    *row = (vpc_row){.x = (uint32_t)frame->Left, .y = (uint32_t)frame->Top + y, .step = 1, .count = width};
    self->y++;
    return vpc_ok;
}

static void close_reader(vpc_reader *reader) {
    gif_reader *self = (gif_reader *)reader;
    if (self->picture != NULL) DGifCloseFile(self->picture, NULL);
    free(self->indices);
    free(self);
}

static uint32_t larger(int screen, int offset, int frame) {
    return (uint32_t)(screen > offset + frame ? screen : offset + frame);
}

static int open_frame(gif_reader *self) {
    int error = 0, transparent;
    self->picture = DGifOpen(self, read_input, &error);
    if (self->picture == NULL) return error == D_GIF_ERR_NOT_ENOUGH_MEM ? vpc_too_large : vpc_damaged;
    int result = find_frame(self, &transparent);
    if (result != vpc_ok) return result;
    const GifImageDesc *frame = &self->picture->Image;
    const ColorMapObject *map = frame->ColorMap != NULL ? frame->ColorMap : self->picture->SColorMap;
    if (map == NULL || frame->Width <= 0 || frame->Height <= 0) return vpc_damaged;
    fill_colours(self, map, transparent);
    // Some files claim a screen of 0×0, or one that is smaller than their frames.
    self->size.width = larger(self->picture->SWidth, frame->Left, frame->Width);
    self->size.height = larger(self->picture->SHeight, frame->Top, frame->Height);
    return vpc_ok;
}

int vpc_open_gif(const uint8_t *bytes, size_t byteCount, vpc_reader **reader, vpc_size *size) {
    gif_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return vpc_too_large;
    self->reader = (vpc_reader){.start = start, .nextRow = next_row, .close = close_reader};
    self->bytes = bytes;
    self->byteCount = byteCount;
    int result = open_frame(self);
    if (result != vpc_ok) {
        close_reader(&self->reader);
        return result;
    }
    *reader = &self->reader;
    *size = self->size;
    return vpc_ok;
}
