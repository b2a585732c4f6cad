// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#include "reader.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

/// Memory for the coefficients of a progressive picture, in bytes: more ends as "too large", while memory is left for the rest.
static const long coefficientByteCountMax = 640L << 20;
/// Cameras write about ten scans. Each can be a few bytes long and still cost a pass over all pixels.
static const int scanCountMax = 100;
/// The same for large pictures: scans times pixels, a few seconds of work.
static const uint64_t scannedPixelCountMax = 4000000000;

typedef struct {
    vpc_reader reader;
    struct jpeg_decompress_struct picture;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf jump;
    int failure;
} jpeg_reader;

static void fail(j_common_ptr picture) {
    jpeg_reader *self = picture->client_data;
    int code = picture->err->msg_code;
    self->failure = code == JERR_OUT_OF_MEMORY || code == JERR_NO_BACKING_STORE ? vpc_too_large : vpc_damaged;
    longjmp(self->jump, 1);
}

// A warning, such as bytes between two markers, is in many pictures that every program shows.
static void ignore_message(j_common_ptr picture, int level) { (void)picture; (void)level; }
static void print_nothing(j_common_ptr picture) { (void)picture; }
static void nothing_to_do(j_decompress_ptr picture) { (void)picture; }

static boolean end_of_input(j_decompress_ptr picture) {
    ERREXIT(picture, JERR_INPUT_EOF);
    return FALSE;
}

static void skip(j_decompress_ptr picture, long byteCount) {
    if (byteCount <= 0) return;
    if ((size_t)byteCount > picture->src->bytes_in_buffer) ERREXIT(picture, JERR_INPUT_EOF);
    picture->src->next_input_byte += byteCount;
    picture->src->bytes_in_buffer -= (size_t)byteCount;
}

static void limit_scans(j_common_ptr picture) {
    j_decompress_ptr self = (j_decompress_ptr)picture;
    if (self->input_scan_number > scanCountMax) ERREXIT(picture, JERR_BAD_STATE);
    // A side has at most 65,500 pixels, so the product fits.
    uint64_t pixelCount = (uint64_t)self->image_width * self->image_height;
    if ((uint64_t)self->input_scan_number * pixelCount > scannedPixelCountMax) ERREXIT(picture, JERR_BAD_STATE);
}

static int start(vpc_reader *reader, vpc_size wanted, vpc_size *plane) {
    jpeg_reader *self = (jpeg_reader *)reader;
    j_decompress_ptr picture = &self->picture;
    if (setjmp(self->jump)) return self->failure;
    int hasInks = picture->jpeg_color_space == JCS_CMYK || picture->jpeg_color_space == JCS_YCCK;
    picture->out_color_space = hasInks ? JCS_CMYK : JCS_EXT_RGBA;
    picture->do_fancy_upsampling = FALSE;
    // An eighth, a quarter and a half cost less than the whole: the rest of the coefficients is never transformed.
    for (unsigned divisor = 8; divisor >= 1; divisor /= 2) {
        picture->scale_num = 1;
        picture->scale_denom = divisor;
        jpeg_calc_output_dimensions(picture);
        if (picture->output_width >= wanted.width && picture->output_height >= wanted.height) break;
    }
    jpeg_start_decompress(picture);
    *plane = (vpc_size){picture->output_width, picture->output_height};
    return vpc_ok;
}

// Four inks to red, green and blue. Adobe's programs store how much ink is missing, and say that they wrote the file.
static void convert_inks(uint8_t *pixels, size_t count, int isInverted) {
    for (uint8_t *at = pixels; at < pixels + 4 * count; at += 4) {
        unsigned black = isInverted ? at[3] : 255u - at[3];
        for (int ink = 0; ink < 3; ink++) at[ink] = (uint8_t)((isInverted ? at[ink] : 255u - at[ink]) * black / 255);
        at[3] = 255;
    }
}

static int next_row(vpc_reader *reader, uint8_t *rgba, size_t capacity, vpc_row *row) {
    jpeg_reader *self = (jpeg_reader *)reader;
    j_decompress_ptr picture = &self->picture;
    if (picture->output_scanline >= picture->output_height) return vpc_end;
    if (picture->output_width > capacity || picture->output_components != 4) return vpc_damaged;
    *row = (vpc_row){.x = 0, .y = picture->output_scanline, .step = 1, .count = picture->output_width};
    if (setjmp(self->jump)) return self->failure;
    if (jpeg_read_scanlines(picture, &rgba, 1) != 1) return vpc_damaged;
    if (picture->out_color_space == JCS_CMYK) convert_inks(rgba, row->count, picture->saw_Adobe_marker);
    return vpc_ok;
}

static void close_reader(vpc_reader *reader) {
    jpeg_reader *self = (jpeg_reader *)reader;
    if (!setjmp(self->jump)) jpeg_destroy_decompress(&self->picture);
    free(self);
}

static void set_up(jpeg_reader *self, const uint8_t *bytes, size_t byteCount) {
    self->picture.err = jpeg_std_error(&self->errors);
    self->errors.error_exit = fail;
    self->errors.emit_message = ignore_message;
    self->errors.output_message = print_nothing;
    self->picture.client_data = self;
    self->source = (struct jpeg_source_mgr){
        .next_input_byte = bytes, .bytes_in_buffer = byteCount, .init_source = nothing_to_do, .fill_input_buffer = end_of_input,
        .skip_input_data = skip, .resync_to_restart = jpeg_resync_to_restart, .term_source = nothing_to_do};
    self->progress.progress_monitor = limit_scans;
}

int vpc_open_jpeg(const uint8_t *bytes, size_t byteCount, vpc_reader **reader, vpc_size *size) {
    jpeg_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return vpc_too_large;
    self->reader = (vpc_reader){.start = start, .nextRow = next_row, .close = close_reader};
    set_up(self, bytes, byteCount);
    if (setjmp(self->jump)) {
        int failure = self->failure;
        close_reader(&self->reader);
        return failure;
    }
    jpeg_create_decompress(&self->picture);
    self->picture.mem->max_memory_to_use = coefficientByteCountMax;
    self->picture.src = &self->source;
    self->picture.progress = &self->progress;
    jpeg_read_header(&self->picture, TRUE);
    *reader = &self->reader;
    *size = (vpc_size){self->picture.image_width, self->picture.image_height};
    return vpc_ok;
}
