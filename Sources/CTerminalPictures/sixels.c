// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CTerminalPictures.h"

#include <dlfcn.h>
#include <malloc.h>
#include <string.h>

// The few declarations of libchafa 0 and GLib 2 that are used, so that building needs neither. Within a soname they do not change.
typedef struct { char *bytes; size_t byteCount; size_t capacity; } text;
enum { CANVAS_TRUE_COLOUR = 0, DITHER_DIFFUSION = 2, PIXELS_SIXEL = 1, RGBA_UNASSOCIATED = 4 };

static struct {
    void *(*config_new)(void);
    void (*config_unref)(void *config);
    void (*set_geometry)(void *config, int columns, int rows);
    void (*set_cell_geometry)(void *config, int width, int height);
    void (*set_canvas_mode)(void *config, int mode);
    void (*set_pixel_mode)(void *config, int mode);
    void (*set_dither_mode)(void *config, int mode);
    void *(*canvas_new)(const void *config);
    void (*canvas_unref)(void *canvas);
    void (*draw)(void *canvas, int type, const uint8_t *pixels, int width, int height, int rowByteCount);
    void *(*default_terminals)(void);
    void *(*fallback_terminal)(void *terminals);
    void (*terminal_unref)(void *terminal);
    text *(*print)(void *canvas, void *terminal);
    char *(*text_free)(text *text, int freesBytes);
} library;

static const struct { const char *name; void *place; } functions[] = {
    {"chafa_canvas_config_new", &library.config_new},
    {"chafa_canvas_config_unref", &library.config_unref},
    {"chafa_canvas_config_set_geometry", &library.set_geometry},
    {"chafa_canvas_config_set_cell_geometry", &library.set_cell_geometry},
    {"chafa_canvas_config_set_canvas_mode", &library.set_canvas_mode},
    {"chafa_canvas_config_set_pixel_mode", &library.set_pixel_mode},
    {"chafa_canvas_config_set_dither_mode", &library.set_dither_mode},
    {"chafa_canvas_new", &library.canvas_new},
    {"chafa_canvas_unref", &library.canvas_unref},
    {"chafa_canvas_draw_all_pixels", &library.draw},
    {"chafa_term_db_get_default", &library.default_terminals},
    {"chafa_term_db_get_fallback_info", &library.fallback_terminal},
    {"chafa_term_info_unref", &library.terminal_unref},
    {"chafa_canvas_print", &library.print},
    {"g_string_free", &library.text_free},
};

int terminal_sixels_load(void) {
    static int loaded;
    if (loaded) return 0;
    void *handle = dlopen("libchafa.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return -1;
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        void *found = dlsym(handle, functions[index].name);
        if (found == NULL) return dlclose(handle), -1;
        memcpy(functions[index].place, &found, sizeof found);
    }
    loaded = 1;
    return 0;
}

// One cell of the whole picture's size: the library stretches to whole cells, and the caller has kept the shape.
static text *drawn(const uint8_t *pixels, int width, int height, int drawnWidth, int drawnHeight) {
    void *config = library.config_new();
    library.set_geometry(config, 1, 1);
    library.set_cell_geometry(config, drawnWidth, drawnHeight);
    library.set_canvas_mode(config, CANVAS_TRUE_COLOUR);
    library.set_pixel_mode(config, PIXELS_SIXEL);
    library.set_dither_mode(config, DITHER_DIFFUSION);
    void *canvas = library.canvas_new(config);
    library.draw(canvas, RGBA_UNASSOCIATED, pixels, width, height, width * 4);
    // The sequences that begin and end sixels are the same for all terminals; without a terminal the library asks the environment.
    void *terminal = library.fallback_terminal(library.default_terminals());
    text *result = library.print(canvas, terminal);
    library.terminal_unref(terminal);
    library.canvas_unref(canvas);
    library.config_unref(config);
    return result;
}

int terminal_sixels_draw(const uint8_t *pixels, int width, int height, int drawnWidth, int drawnHeight, struct terminal_sixels *drawing) {
    const int sourceMax = 1024, drawnMax = 1000, drawnWidthMin = TERMINAL_SIXELS_WIDTH_MIN;
    if (width < 1 || width > sourceMax || height < 1 || height > sourceMax) return -1;
    if (drawnWidth < drawnWidthMin || drawnWidth > drawnMax || drawnHeight < 6 || drawnHeight > drawnMax) return -1;
    // The library does not clear the copies of the picture that it makes: meanwhile the C library overwrites what is freed.
    mallopt(M_PERTURB, 0x5A);
    text *result = drawn(pixels, width, height, drawnWidth, drawnHeight);
    mallopt(M_PERTURB, 0);
    if (result == NULL) return -1;
    drawing->bytes = (const uint8_t *)result->bytes;
    drawing->byteCount = result->byteCount;
    drawing->held = result;
    return 0;
}

void terminal_sixels_release(struct terminal_sixels *drawing) {
    text *held = drawing->held;
    if (held == NULL) return;
    explicit_bzero(held->bytes, held->capacity);
    library.text_free(held, 1);
    drawing->held = NULL;
}
