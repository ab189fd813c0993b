// SPDX-License-Identifier: Apache-2.0
// The text and binary forms in which versions lie on a disk (versions reference 2.1 to 2.3). Pure:
// bytes in, versions out; nothing here opens a file. All of it is hostile.
#ifndef NEUTOP_SOURCE_PACKAGES_PARSE_H
#define NEUTOP_SOURCE_PACKAGES_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/releases.h"

enum { VERSION_TEXT = 48, PACKAGE_TEXT = 64 };

// Takes a version as packages write it: it begins with a digit, holds no blank and fits. False
// otherwise, with "".
bool version_take(char version[VERSION_TEXT], const char *text, size_t length);

// dpkg's status file, piece by piece: TAKE gets each installed package that is a component.
struct dpkg_feed {
    void (*take)(void *user, enum component component, const char *version);
    void *user;
    size_t used;
    bool installed;
    char line[128]; // the rest of a longer line is of no interest
    char package[PACKAGE_TEXT], version[VERSION_TEXT];
};

// Begin with USER for TAKE, any number of pieces cut anywhere, then the end.
void dpkg_begin(struct dpkg_feed *feed,
                void (*take)(void *user, enum component component, const char *version),
                void *user);
void dpkg_feed(struct dpkg_feed *feed, const char *bytes, size_t length);
void dpkg_end(struct dpkg_feed *feed);

// Name and version of "neuronx_cc-2.23.6484.0+3b612583.dist-info". False when it is no component's.
bool dist_info_parse(const char *name, enum component *component, char version[VERSION_TEXT]);

// "Version:" of a METADATA file's first lines. False without one.
bool metadata_parse(const char *text, size_t length, char version[VERSION_TEXT]);

// "2.31.24.0" of "libnrt.so.2.31.24.0"; STEM is "libnrt.so.". At least three numbers.
bool library_parse(const char *name, const char *stem, char version[VERSION_TEXT]);

// Of a file in overlapping blocks (source/blocks.h): looks for what a kernel module says of its
// version, "version=2.24.7.0" between NULs.
bool module_scan(const char *block, size_t length, char version[VERSION_TEXT]);

// The version that libnrt keeps as a string of its own: four numbers between NULs. The one nearest
// to the format that prints it wins; without that format only a single one counts (that this finds
// the right one in every build is inferred).
struct libnrt_scan {
    uint64_t format_at; // of "libnrt version %s", 0: not seen
    unsigned count;
    struct libnrt_candidate {
        uint64_t at;
        char version[24];
    } candidates[16];
};

// AT is the place of BLOCK in the file, from 1.
void libnrt_scan(struct libnrt_scan *scan, const char *block, size_t length, uint64_t at);
bool libnrt_result(const struct libnrt_scan *scan, char version[VERSION_TEXT]);

// Of a file in overlapping blocks: "2.35" of glibc's "GNU C Library (...) stable release version
// 2.35.".
bool glibc_scan(const char *block, size_t length, char version[VERSION_TEXT]);

// The path of neuron.ko in one line of modules.dep ("updates/dkms/neuron.ko.zst: ..."); its length,
// 0 when it is another module's line.
size_t modules_dep_path(const char *line, size_t length);

#endif
