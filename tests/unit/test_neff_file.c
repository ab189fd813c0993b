// SPDX-License-Identifier: Apache-2.0
// NEFF files as they are on disk: real ones, and what is none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "neff_bytes.h"

static char folder[] = "/tmp/neutop-neff-XXXXXX";

static const char *path_in(const char *name)
{
    static char path[256];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static const char *fixture_path(const char *name)
{
    static char path[512];
    const char *fixtures = getenv("NEUTOP_FIXTURES");
    snprintf(path, sizeof(path), "%s/neff/%s", fixtures != NULL ? fixtures : "tests/fixtures",
             name);
    return path;
}

static void write_file(const char *path, const void *bytes, size_t count)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, count), count);
    close(fd);
}

// The bytes of a fixture, in a static buffer.
static uint8_t *load(const char *name, size_t *count)
{
    static uint8_t bytes[64 * 1024];
    FILE *file = fopen(fixture_path(name), "rb");
    assert_non_null(file);
    *count = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    return bytes;
}

static bool read_neff(struct neff *neff, const char *path, char why[NEFF_WHY])
{
    struct neff_options options = neff_options_default();
    options.verify = true;
    why[0] = '\0';
    return neff_read(neff, path, &options, why);
}

// What tests/fixtures/neff/INDEX.md says of each sample.
static const struct sample {
    const char *file, *target, *uuid, *hash;
    uint64_t features;
    unsigned lnc;
    uint32_t built;
} samples[] = {
    {"trn2-lnc2-matmul.neff", "cayman", "00a04c53-5fd9-4f07-bffd-d5eacdefc852",
     "0152aa822c1d1386577366f60588eb81", 0x209c00, 2, 0x6a39b44a},
    {"trn1-lnc1-csa-a.neff", "sunda", "cdbfcde6-b4ad-4a8f-bbd9-92ea1e450b76",
     "4d58bf263d35492f23b6972fdc41cd42", 0x9000, 1, 0x69b7b2be},
    {"trn1-lnc1-csa-b.neff", "sunda", "b48d755c-4c23-4990-b8ba-a1168c00f5af",
     "85a2b78b6f2132ae47f0c9305c875e51", 0x9000, 1, 0x69b7b2ba},
};

static void check_sample(const struct sample *sample)
{
    struct neff neff;
    char why[NEFF_WHY], hash[33];
    if (!read_neff(&neff, fixture_path(sample->file), why))
        fail_msg("%s: %s", sample->file, why);
    for (int i = 0; i < 16; i++)
        snprintf(hash + 2 * i, 3, "%02x", neff.header.hash[i]);
    assert_int_equal(neff.header.packaging, 2);
    assert_int_equal(neff.header.data_bytes, 10240);
    assert_int_equal(neff.header.major, 2);
    assert_int_equal(neff.header.minor, 0);
    assert_string_equal(neff.header.build, "");
    assert_int_equal(neff.header.cores, 1);
    assert_int_equal(neff.header.cores_requested, 1);
    assert_int_equal(neff.header.features, sample->features);
    assert_int_equal(neff.header.lnc, sample->lnc);
    assert_string_equal(neff.header.uuid, sample->uuid);
    assert_string_equal(hash, sample->hash);
    assert_int_equal(neff.payload.form, NEFF_FORM_GZIP);
    assert_int_equal(neff.payload.built_unix_seconds, sample->built);
#ifdef HAVE_LIBARCHIVE
    assert_int_equal(neff.payload.outcome, NEFF_COMPLETE);
    assert_string_equal(neff.payload.why, "");
    assert_string_equal(neff.payload.compiler, "2.23.6484.0+3b612583");
    assert_true(neff.payload.target_known);
    assert_string_equal(neff.payload.target, sample->target);
#endif
#ifdef HAVE_LIBMD
    assert_int_equal(neff.hash, NEFF_HASH_OK);
#endif
}

static void samples_read_as_their_index_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
        check_sample(&samples[i]);
}

static void hashes_in_both_orders_are_right_and_others_are_not(void **state)
{
    (void)state;
    struct neff neff;
    char why[NEFF_WHY];
    size_t count;
    uint8_t *bytes = load("trn1-lnc1-csa-a.neff", &count), turned[16];
    for (unsigned i = 0; i < sizeof(turned); i++)
        turned[i] = bytes[172 + (i ^ 3)];
    memcpy(bytes + 172, turned, sizeof(turned));
    memset(bytes + 188, '0', 16); // as an older compiler left it
    write_file(path_in("plain.neff"), bytes, count);
    assert_true(read_neff(&neff, path_in("plain.neff"), why));
#ifdef HAVE_LIBMD
    assert_int_equal(neff.hash, NEFF_HASH_OK);
    bytes[count - 1] ^= 1; // in the padding: hashed like the rest
    write_file(path_in("bad.neff"), bytes, count);
    assert_true(read_neff(&neff, path_in("bad.neff"), why));
    assert_int_equal(neff.hash, NEFF_HASH_BAD);
    memset(bytes + 172, 0, NEFF_HASH_BYTES);
    write_file(path_in("none.neff"), bytes, count);
    assert_true(read_neff(&neff, path_in("none.neff"), why));
#endif
    assert_int_equal(neff.hash, NEFF_HASH_NONE);
    assert_string_not_equal(neff.hash_why, "");
}

static void hash_is_left_alone_unless_asked_for(void **state)
{
    (void)state;
    struct neff neff;
    char why[NEFF_WHY];
    struct neff_options options = neff_options_default();
    assert_true(neff_read(&neff, fixture_path("trn1-lnc1-csa-a.neff"), &options, why));
    assert_int_equal(neff.hash, NEFF_HASH_UNCHECKED);
}

static void bytes_after_the_payload_do_not_count(void **state)
{
    (void)state;
    struct neff neff;
    char why[NEFF_WHY];
    size_t count;
    uint8_t *bytes = load("trn2-lnc2-matmul.neff", &count);
    memset(bytes + count, 'x', 5000);
    write_file(path_in("longer.neff"), bytes, count + 5000);
    assert_true(read_neff(&neff, path_in("longer.neff"), why));
#ifdef HAVE_LIBMD
    assert_int_equal(neff.hash, NEFF_HASH_OK);
#endif
}

static void limits_end_the_reading(void **state)
{
    (void)state;
#ifdef HAVE_LIBARCHIVE
    struct neff neff;
    char why[NEFF_WHY];
    struct neff_options options = neff_options_default();
    options.limits.bytes = 600; // the first member's header and a little of it
    assert_true(neff_read(&neff, fixture_path("trn1-lnc1-csa-a.neff"), &options, why));
    assert_int_equal(neff.payload.outcome, NEFF_GAVE_UP);
    assert_string_equal(neff.payload.compiler, "");
    assert_false(neff.payload.target_known);
    options = neff_options_default();
    options.limits.seconds = 0;
    assert_true(neff_read(&neff, fixture_path("trn1-lnc1-csa-a.neff"), &options, why));
    assert_int_equal(neff.payload.outcome, NEFF_GAVE_UP);
#else
    skip();
#endif
}

static void cut_payload_keeps_what_came_before(void **state)
{
    (void)state;
#ifdef HAVE_LIBARCHIVE
    struct neff neff;
    char why[NEFF_WHY];
    size_t count;
    uint8_t *bytes = load("trn1-lnc1-csa-a.neff", &count);
    put_number(bytes, 16, 8, 700); // a whole file, whose gzip ends too early
    write_file(path_in("cut.neff"), bytes, NEFF_HEADER_BYTES + 700);
    assert_true(read_neff(&neff, path_in("cut.neff"), why));
    assert_int_equal(neff.payload.outcome, NEFF_DAMAGED);
    assert_non_null(strstr(neff.payload.why, "damaged"));
    assert_int_equal(neff.header.lnc, 1);
#else
    skip();
#endif
}

static void refuse(const char *path, const char *named)
{
    struct neff neff;
    char why[NEFF_WHY];
    if (read_neff(&neff, path, why))
        fail_msg("%s is taken for a NEFF", path);
    if (strstr(why, named) == NULL)
        fail_msg("%s: '%s' does not say '%s'", path, why, named);
}

static void what_is_no_file_is_not_opened(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%.40s/socket", folder);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(mkfifo(path_in("fifo"), 0600), 0);
    assert_int_equal(symlink("loop", path_in("loop")), 0);
    refuse(folder, "directory");
    refuse(path_in("fifo"), "FIFO"); // and does not wait for its writer
    refuse(path_in("socket"), "socket");
    refuse("/dev/null", "device");
    refuse(path_in("missing"), strerror(ENOENT));
    refuse(path_in("loop"), strerror(ELOOP));
    close(fd);
}

static void what_is_no_neff_is_refused(void **state)
{
    (void)state;
    uint8_t bytes[NEFF_HEADER_BYTES + 600] = {0};
    write_file(path_in("empty"), bytes, 0);
    refuse(path_in("empty"), "empty");
    write_file(path_in("short"), bytes, 1023);
    refuse(path_in("short"), "1023");
    write_file(path_in("zeros"), bytes, sizeof(bytes));
    refuse(path_in("zeros"), "not a NEFF");
    good_header(bytes);
    put_number(bytes, 16, 8, 0);
    write_file(path_in("bare"), bytes, NEFF_HEADER_BYTES);
    refuse(path_in("bare"), "no payload");
    put_number(bytes, 16, 8, 1);
    bytes[NEFF_HEADER_BYTES] = 0x1f;
    write_file(path_in("one"), bytes, NEFF_HEADER_BYTES + 1);
    refuse(path_in("one"), "neither gzip nor tar");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_read_as_their_index_says),
        cmocka_unit_test(hashes_in_both_orders_are_right_and_others_are_not),
        cmocka_unit_test(hash_is_left_alone_unless_asked_for),
        cmocka_unit_test(bytes_after_the_payload_do_not_count),
        cmocka_unit_test(limits_end_the_reading),
        cmocka_unit_test(cut_payload_keeps_what_came_before),
        cmocka_unit_test(what_is_no_file_is_not_opened),
        cmocka_unit_test(what_is_no_neff_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
