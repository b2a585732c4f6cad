// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

typedef struct {
    vpc_reader reader;
    /// The one frame to decode, within the input.
    WebPData frame;
    /// Of the whole picture.
    vpc_size size;
    /// The frame within it.
    uint32_t x, y;
    vpc_size frameSize;
    /// The frame as decoded: its rows, how wide they are, and where they belong.
    uint8_t *pixels;
    vpc_row row;
    uint32_t rowCount, rowsGiven;
} webp_reader;

static int failure(VP8StatusCode status) { return status == VP8_STATUS_OUT_OF_MEMORY ? vpc_too_large : vpc_damaged; }

static uint32_t scaled(uint32_t length, uint32_t wanted, uint32_t whole) {
    uint64_t result = (uint64_t)length * wanted / whole;
    return result == 0 ? 1 : (uint32_t)result;
}

/// Where a frame of `length` at `offset` begins once it has become `scaledLength` long: never so late that it would not fit.
static uint32_t placed(uint32_t offset, uint32_t scaledLength, uint32_t wanted, uint32_t whole) {
    uint32_t result = (uint32_t)((uint64_t)offset * wanted / whole);
    return result + scaledLength > wanted ? wanted - scaledLength : result;
}

static int start(vpc_reader *reader, vpc_size wanted, vpc_size *plane) {
    webp_reader *self = (webp_reader *)reader;
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return vpc_damaged;
    uint32_t width = scaled(self->frameSize.width, wanted.width, self->size.width);
    uint32_t height = scaled(self->frameSize.height, wanted.height, self->size.height);
    size_t byteCount = (size_t)width * height * 4;
    self->pixels = malloc(byteCount);
    if (self->pixels == NULL) return vpc_too_large;
    config.options.use_threads = 0;
    config.options.use_scaling = width != self->frameSize.width || height != self->frameSize.height;
    config.options.scaled_width = (int)width;
    config.options.scaled_height = (int)height;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){.rgba = self->pixels, .stride = (int)width * 4, .size = byteCount};
    VP8StatusCode status = WebPDecode(self->frame.bytes, self->frame.size, &config);
    WebPFreeDecBuffer(&config.output);
    if (status != VP8_STATUS_OK) return failure(status);
    self->row = (vpc_row){
        .x = placed(self->x, width, wanted.width, self->size.width), .y = placed(self->y, height, wanted.height, self->size.height),
        .step = 1, .count = width};
    self->rowCount = height;
    *plane = wanted;
    return vpc_ok;
}

static int next_row(vpc_reader *reader, uint8_t *rgba, size_t capacity, vpc_row *row) {
    webp_reader *self = (webp_reader *)reader;
    if (self->rowsGiven == self->rowCount) return vpc_end;
    if (capacity < self->row.count) return vpc_damaged;
    size_t rowByteCount = (size_t)self->row.count * 4;
    memcpy(rgba, self->pixels + self->rowsGiven * rowByteCount, rowByteCount);
    *row = self->row;
    self->row.y++;
    self->rowsGiven++;
    return vpc_ok;
}

static void close_reader(vpc_reader *reader) {
    webp_reader *self = (webp_reader *)reader;
    free(self->pixels);
    free(self);
}

/// Of a moving picture, the first frame.
static int find_first_frame(webp_reader *self) {
    WebPDemuxer *parts = WebPDemux(&self->frame);
    if (parts == NULL) return vpc_damaged;
    WebPIterator frame;
    int isThere = WebPDemuxGetFrame(parts, 1, &frame);
    if (isThere) {
        self->frame = frame.fragment;
        self->x = (uint32_t)frame.x_offset;
        self->y = (uint32_t)frame.y_offset;
        self->frameSize = (vpc_size){(uint32_t)frame.width, (uint32_t)frame.height};
        WebPDemuxReleaseIterator(&frame);
    }
    WebPDemuxDelete(parts);
    return isThere ? vpc_ok : vpc_damaged;
}

static int open_frame(webp_reader *self) {
    WebPBitstreamFeatures features;
    VP8StatusCode status = WebPGetFeatures(self->frame.bytes, self->frame.size, &features);
    if (status != VP8_STATUS_OK) return failure(status);
    if (features.width <= 0 || features.height <= 0) return vpc_damaged;
    self->size = self->frameSize = (vpc_size){(uint32_t)features.width, (uint32_t)features.height};
    if (!features.has_animation) return vpc_ok;
    int result = find_first_frame(self);
    if (result != vpc_ok) return result;
    // The frame's own head is what will be decoded, whatever the file says around it.
    status = WebPGetFeatures(self->frame.bytes, self->frame.size, &features);
    if (status != VP8_STATUS_OK) return failure(status);
    int isWithin = features.width == (int)self->frameSize.width && features.height == (int)self->frameSize.height
        && self->x <= self->size.width && self->frameSize.width <= self->size.width - self->x
        && self->y <= self->size.height && self->frameSize.height <= self->size.height - self->y;
    return isWithin ? vpc_ok : vpc_damaged;
}

int vpc_open_webp(const uint8_t *bytes, size_t byteCount, vpc_reader **reader, vpc_size *size) {
    webp_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return vpc_too_large;
    self->reader = (vpc_reader){.start = start, .nextRow = next_row, .close = close_reader};
    self->frame = (WebPData){.bytes = bytes, .size = byteCount};
    int result = open_frame(self);
    if (result != vpc_ok) {
        close_reader(&self->reader);
        return result;
    }
    *reader = &self->reader;
    *size = self->size;
    return vpc_ok;
}
