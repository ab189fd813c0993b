// SPDX-License-Identifier: Apache-2.0
// What the driver prints into its files (driver reference 2.2, 2.7, 2.8, 2.10). Each function takes
// the bytes of one read, which need not end with a NUL and may hold anything; false means that they
// are not what the driver prints, so the fact is unknown.
#ifndef NEUTOP_SOURCE_SYSFS_VALUE_H
#define NEUTOP_SOURCE_SYSFS_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A counter at or above this was zeroed while in use and has wrapped (driver reference 2.4).
#define SYSFS_WRAPPED (UINT64_C(1) << 63)

enum { SYSFS_TENSOR_ROWS = 4, SYSFS_NEIGHBOURS = 16 };

enum sysfs_power_state { POWER_VALID, POWER_NO_DATA, POWER_INVALID, POWER_OTHER };

struct sysfs_power {
    enum sysfs_power_state state; // the numbers count only with POWER_VALID
    int64_t unix_seconds;         // end of the minute that they are of
    double min_percent, max_percent, mean_percent;
};

// Hardware counters of the tensor engine in its own cycles, one row a row group.
struct sysfs_tensor {
    unsigned rows;
    struct {
        uint64_t matmul, load, idle;
    } row[SYSFS_TENSOR_ROWS];
};

// Length of TEXT without the white space at its end.
size_t sysfs_trim(const char *text, size_t length);

// "123\n": decimal digits only, at most 2^64 - 1. Wrapped counters are a matter of the caller.
bool sysfs_u64(const char *text, size_t length, uint64_t *value);

// "00f1ca5e1000a000\n": 16 digits of a serial number or the like.
bool sysfs_serial(const char *text, size_t length);

// "12, 1, 3, 4\n", or "\n" for no neighbour.
bool sysfs_neighbours(const char *text, size_t length, unsigned list[SYSFS_NEIGHBOURS],
                      unsigned *count);

// "POWER_STATUS_VALID,1764499980,0.43,31.47,17.54\n". The status is compared as a whole word.
bool sysfs_power(const char *text, size_t length, struct sysfs_power *power);

// utilization_raw: a header and one line a die. *PERCENT is of the die with most; false when no die
// could be read.
bool sysfs_power_now(const char *text, size_t length, double *percent);

// pe_cntrs: a header and up to four rows; a row that is cut off ends the list. False without any
// row, and for the pattern that registers show during a reset.
bool sysfs_tensor(const char *text, size_t length, struct sysfs_tensor *tensor);

// Share of the time between two readings in which the tensor engine multiplied, in percent: an
// estimate, mean over the rows. False when a counter fell or nothing was counted.
bool sysfs_tensor_active(const struct sysfs_tensor *from, const struct sysfs_tensor *to,
                         double *percent);

// A list of words of unhealthy_components: lower-case letters, digits, '_' and ','. An empty line
// is a list of none and has the form too.
bool sysfs_components(const char *text, size_t length);

#endif
