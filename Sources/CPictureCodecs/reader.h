// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors

#ifndef READER_H
#define READER_H

#include "CPictureCodecs.h"

/// What the readers share. Each library's own reader begins with it.
struct vpc_reader {
    int (*start)(vpc_reader *, vpc_size wanted, vpc_size *plane);
    int (*nextRow)(vpc_reader *, uint8_t *rgba, size_t capacity, vpc_row *row);
    void (*close)(vpc_reader *);
};

#endif
