// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#include "reader.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

typedef struct {
    vpc_reader reader;
    png_structp picture;
    png_infop info;
    const uint8_t *bytes;
    size_t byteCount;
    vpc_size size;
    /// Of an interlaced picture: 0…6; of another there is one.
    int pass, passCount;
    uint32_t y;
    int ranOutOfMemory;
} png_reader;

static void fail(png_structp picture, png_const_charp message) {
    (void)message;
    png_longjmp(picture, 1);
}

static void ignore_warning(png_structp picture, png_const_charp message) { (void)picture; (void)message; }

static png_voidp take_memory(png_structp picture, png_alloc_size_t byteCount) {
    void *memory = malloc(byteCount);
    if (memory == NULL) ((png_reader *)png_get_mem_ptr(picture))->ranOutOfMemory = 1;
    return memory;
}

static void give_memory(png_structp picture, png_voidp memory) {
    (void)picture;
    free(memory);
}

static void read_input(png_structp picture, png_bytep buffer, size_t byteCount) {
    png_reader *self = png_get_io_ptr(picture);
    if (byteCount > self->byteCount) png_error(picture, "the input ends too early");
    memcpy(buffer, self->bytes, byteCount);
    self->bytes += byteCount;
    self->byteCount -= byteCount;
}

static int failure(const png_reader *self) { return self->ranOutOfMemory ? vpc_too_large : vpc_damaged; }

// Whatever the file has, four bytes for each pixel come out.
static void ask_for_rgba(png_structp picture, png_infop info) {
    int colours = png_get_color_type(picture, info);
    int hasTransparency = png_get_valid(picture, info, PNG_INFO_tRNS) != 0;
    png_set_expand(picture);
    png_set_scale_16(picture);
    if (!(colours & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(picture);
    if (!(colours & PNG_COLOR_MASK_ALPHA) && !hasTransparency) png_set_add_alpha(picture, 0xFF, PNG_FILLER_AFTER);
}

static int start(vpc_reader *reader, vpc_size wanted, vpc_size *plane) {
    png_reader *self = (png_reader *)reader;
    (void)wanted;
    if (setjmp(png_jmpbuf(self->picture))) return failure(self);
    ask_for_rgba(self->picture, self->info);
    self->passCount = png_get_interlace_type(self->picture, self->info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
    png_read_update_info(self->picture, self->info);
    if (png_get_rowbytes(self->picture, self->info) != (size_t)self->size.width * 4) return vpc_damaged;
    *plane = self->size;
    return vpc_ok;
}

/// Where the row stands in the picture. Each pass of an interlaced picture is a small picture of its own, and libpng leaves empty ones out.
static vpc_row place(const png_reader *self) {
    if (self->passCount == 1) return (vpc_row){.x = 0, .y = self->y, .step = 1, .count = self->size.width};
    int pass = self->pass;
    return (vpc_row){
        .x = PNG_PASS_START_COL(pass), .y = PNG_PASS_START_ROW(pass) + self->y * PNG_PASS_ROW_OFFSET(pass),
        .step = PNG_PASS_COL_OFFSET(pass), .count = PNG_PASS_COLS(self->size.width, pass)};
}

static int next_row(vpc_reader *reader, uint8_t *rgba, size_t capacity, vpc_row *row) {
    png_reader *self = (png_reader *)reader;
    if (capacity < self->size.width) return vpc_damaged;
    for (; self->pass < self->passCount; self->pass++, self->y = 0) {
        *row = place(self);
        if (row->count > 0 && row->y < self->size.height) break;
    }
    if (self->pass == self->passCount) return vpc_end;
    if (setjmp(png_jmpbuf(self->picture))) return failure(self);
    png_read_row(self->picture, rgba, NULL);
    self->y++;
    return vpc_ok;
}

static void close_reader(vpc_reader *reader) {
    png_reader *self = (png_reader *)reader;
    if (self->picture != NULL) png_destroy_read_struct(&self->picture, &self->info, NULL);
    free(self);
}

int vpc_open_png(const uint8_t *bytes, size_t byteCount, vpc_reader **reader, vpc_size *size) {
    png_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return vpc_too_large;
    self->reader = (vpc_reader){.start = start, .nextRow = next_row, .close = close_reader};
    self->bytes = bytes;
    self->byteCount = byteCount;
    self->picture = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, NULL, fail, ignore_warning, self, take_memory, give_memory);
    if (self->picture != NULL) self->info = png_create_info_struct(self->picture);
    if (self->info == NULL) {
        close_reader(&self->reader);
        return vpc_too_large;
    }
    if (setjmp(png_jmpbuf(self->picture))) {
        int reason = failure(self);
        close_reader(&self->reader);
        return reason;
    }
    png_set_read_fn(self->picture, self, read_input);
    // Sizes are judged by the caller. Profiles, texts and times are stepped over: nothing in them is inflated or kept.
    png_set_user_limits(self->picture, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_keep_unknown_chunks(self->picture, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(self->picture, self->info);
    self->size = (vpc_size){png_get_image_width(self->picture, self->info), png_get_image_height(self->picture, self->info)};
    *reader = &self->reader;
    *size = self->size;
    return vpc_ok;
}
