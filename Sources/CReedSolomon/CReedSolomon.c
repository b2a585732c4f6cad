// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CReedSolomon.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The few declarations of libisal 2 that are used, so that building does not need it. Within a soname they do not change.
static struct {
    void (*cauchy)(uint8_t *matrix, int rows, int columns);
    int (*invert)(uint8_t *matrix, uint8_t *inverse, int size);
    void (*tables)(int columns, int rows, uint8_t *matrix, uint8_t *tables);
    void (*encode)(int byteCount, int columns, int rows, uint8_t *tables, uint8_t **data, uint8_t **coding);
} library;

static const struct { const char *name; void *place; } functions[] = {
    {"gf_gen_cauchy1_matrix", &library.cauchy},
    {"gf_invert_matrix", &library.invert},
    {"ec_init_tables", &library.tables},
    {"ec_encode_data", &library.encode},
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int isLoaded;

static int load(void) {
    if (isLoaded) return 0;
    void *handle = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return -1;
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        void *found = dlsym(handle, functions[index].name);
        if (found == NULL) return dlclose(handle), -1;
        memcpy(functions[index].place, &found, sizeof found);
    }
    isLoaded = 1;
    return 0;
}

// Two backups may begin at once, each on a thread of its own.
int reed_solomon_load(void) {
    pthread_mutex_lock(&turn);
    int result = load();
    pthread_mutex_unlock(&turn);
    return result;
}

static int fits(int byteCount, int dataCount, int parityCount) {
    return library.encode != NULL && byteCount > 0 && byteCount <= 1 << 24 && dataCount > 0 && parityCount > 0 &&
           dataCount <= REED_SOLOMON_ROWS_MAX - parityCount;
}

// coding = matrix × data, for rows that lie one behind the other.
static int multiplied(int byteCount, int columns, int rows, uint8_t *matrix, const uint8_t *data, uint8_t *coding) {
    uint8_t *from[REED_SOLOMON_ROWS_MAX], *to[REED_SOLOMON_ROWS_MAX];
    uint8_t *tables = malloc((size_t)32 * (size_t)columns * (size_t)rows);
    if (tables == NULL) return -1;
    // It only reads them: its declaration does not say so.
    for (int row = 0; row < columns; row++) from[row] = (uint8_t *)data + (size_t)row * (size_t)byteCount;
    for (int row = 0; row < rows; row++) to[row] = coding + (size_t)row * (size_t)byteCount;
    library.tables(columns, rows, matrix, tables);
    library.encode(byteCount, columns, rows, tables, from, to);
    free(tables);
    return 0;
}

int reed_solomon_encode(int byteCount, int dataCount, int parityCount, const uint8_t *data, uint8_t *parity) {
    if (!fits(byteCount, dataCount, parityCount)) return -1;
    uint8_t *matrix = malloc((size_t)(dataCount + parityCount) * (size_t)dataCount);
    if (matrix == NULL) return -1;
    library.cauchy(matrix, dataCount + parityCount, dataCount);
    int result = multiplied(byteCount, dataCount, parityCount, matrix + (size_t)dataCount * (size_t)dataCount, data, parity);
    free(matrix);
    return result;
}

int reed_solomon_rebuild(int byteCount, int dataCount, int parityCount, const uint8_t *present, const uint8_t *rows, int lostCount,
                         const uint8_t *lost, uint8_t *rebuilt) {
    if (!fits(byteCount, dataCount, parityCount) || lostCount < 1 || lostCount > dataCount) return -1;
    size_t size = (size_t)dataCount;
    uint8_t *matrix = malloc(((size_t)parityCount + 4 * size) * size);
    if (matrix == NULL) return -1;
    uint8_t *left = matrix + (size + (size_t)parityCount) * size, *inverse = left + size * size, *wanted = inverse + size * size;
    int result = -1;
    library.cauchy(matrix, dataCount + parityCount, dataCount);
    for (size_t row = 0; row < size; row++) {
        if (present[row] >= dataCount + parityCount) goto end;
        memcpy(left + row * size, matrix + present[row] * size, size);
    }
    // Not with the same row twice.
    if (library.invert(left, inverse, dataCount) != 0) goto end;
    for (int row = 0; row < lostCount; row++) {
        if (lost[row] >= dataCount) goto end;
        memcpy(wanted + (size_t)row * size, inverse + lost[row] * size, size);
    }
    result = multiplied(byteCount, dataCount, lostCount, wanted, rows, rebuilt);
end:
    free(matrix);
    return result;
}
