// SPDX-License-Identifier: Apache-2.0
// Saving settings in neutop.conf: what the person wrote stays, and nothing that is not the person's
// is touched.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/conffile.h"
#include "cmd/confsave.h"

static const struct ui_setting delay_and_theme[] = {
    {"delay", "0.5", "1"},
    {"theme", "mono", "default"},
    {"ascii", "no", "no"},
};
enum { COUNT = sizeof delay_and_theme / sizeof delay_and_theme[0] };

static void becomes(const char *before, const char *after)
{
    size_t size;
    char *text = confsave_edit(before, strlen(before), delay_and_theme, COUNT, &size);
    assert_int_equal(size, strlen(text));
    assert_string_equal(text, after);
    free(text);
}

static void test_what_is_there_stays(void **state)
{
    (void)state;
    becomes("", "delay = 0.5\ntheme = mono\n");
    becomes("# mine\n\ndelay=2 ; slow\nview = health\n",
            "# mine\n\ndelay=0.5 ; slow\nview = health\ntheme = mono\n");
    becomes("  theme :  light  \nno key here\nunknown = 7",
            "  theme :  mono  \nno key here\nunknown = 7\ndelay = 0.5\n");
    becomes("#delay = 9\n;theme = light\n[delay]\n",
            "#delay = 9\n;theme = light\n[delay]\ndelay = 0.5\ntheme = mono\n");
    becomes("delays = 3\nthe = 1\n", "delays = 3\nthe = 1\ndelay = 0.5\ntheme = mono\n");
    becomes("delay =\ntheme = mono\n", "delay =0.5\ntheme = mono\n");
}

// The standard value is written only over another one.
static void test_standard_values(void **state)
{
    (void)state;
    becomes("ascii = yes\ndelay = 0.5\ntheme = mono\n", "ascii = no\ndelay = 0.5\ntheme = mono\n");
}

// The last one counts.
static void test_keys_twice(void **state)
{
    (void)state;
    becomes("delay = 1\ntheme = mono\ndelay = 2\n", "delay = 1\ntheme = mono\ndelay = 0.5\n");
}

static void test_forms_of_text(void **state)
{
    (void)state;
    becomes("delay = 1\r\n# x\r\n", "delay = 0.5\r\n# x\r\ntheme = mono\r\n");
    becomes("\xef\xbb\xbf"
            "delay = 1\n",
            "\xef\xbb\xbf"
            "delay = 0.5\ntheme = mono\n");
    // an indented line continues the value of the key before it
    becomes("delay = 1\n  2\n# x\n  3\ntheme = light\n   delay = 4\n",
            "delay = 0.5\n# x\ntheme = mono\n");
    becomes("view = main\n  delay = 4\n", "view = main\n  delay = 4\ndelay = 0.5\ntheme = mono\n");
}

static char folder[64];

static int new_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/neutop-save-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *in_folder(const char *name)
{
    static char path[2][160];
    static unsigned turn;
    char *buffer = path[turn++ % 2];
    snprintf(buffer, sizeof path[0], "%s/%s", folder, name);
    return buffer;
}

static void put(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(in_folder(name), mode), 0);
}

static void check_is(const char *name, const char *text)
{
    char got[512] = "";
    FILE *file = fopen(in_folder(name), "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, text);
}

static void check_count(int expected) // of files in the folder: nothing is left over
{
    char command[160];
    snprintf(command, sizeof command, "test $(ls -A %s | wc -l) = %d", folder, expected);
    assert_int_equal(system(command), 0);
}

static char said[512];

static bool save(const char *name)
{
    return confsave_write(in_folder(name), delay_and_theme, COUNT, said, sizeof said);
}

static void refused(const char *name, const char *why)
{
    assert_false(save(name));
    if (strncmp(said, "not saved: ", 11) != 0 || strstr(said, why) == NULL)
        fail_msg("%s: %s", name, said);
}

static void test_a_file_keeps_its_mode(void **state)
{
    struct stat info;
    (void)state;
    put("neutop.conf", "# mine\n", 0640);
    assert_true(save("neutop.conf"));
    assert_non_null(strstr(said, "saved in /"));
    check_is("neutop.conf", "# mine\ndelay = 0.5\ntheme = mono\n");
    assert_int_equal(stat(in_folder("neutop.conf"), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    const ino_t inode = info.st_ino;
    assert_true(save("neutop.conf"));
    assert_non_null(strstr(said, "already"));
    assert_int_equal(stat(in_folder("neutop.conf"), &info), 0);
    assert_int_equal(info.st_ino, inode); // not written again
    check_count(1);
}

static void test_a_new_file_with_its_folders(void **state)
{
    struct stat info;
    struct settings settings;
    (void)state;
    umask(022);
    assert_true(save("a/b/neutop.conf"));
    assert_int_equal(stat(in_folder("a/b"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_int_equal(stat(in_folder("a/b/neutop.conf"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0644);
    settings_init(&settings);
    settings.config = in_folder("a/b/neutop.conf");
    assert_int_equal(conffile_read(&settings), 0);
    assert_true(settings.source.delay_seconds == 0.5);
    assert_string_equal(settings.theme, "mono");
}

static void test_links(void **state)
{
    struct stat info;
    (void)state;
    put("real", "delay = 3\n", 0600);
    assert_int_equal(symlink("real", in_folder("link")), 0);
    assert_true(save("link"));
    check_is("real", "delay = 0.5\ntheme = mono\n");
    assert_int_equal(lstat(in_folder("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(symlink("nowhere", in_folder("dangling")), 0);
    refused("dangling", "leads nowhere");
    check_count(3);
}

static void test_what_is_no_file_of_ours(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    refused("pipe", "no regular file");
    refused(".", "no regular file");
    put("fixed", "delay = 3\n", 0444);
    refused("fixed", "read-only");
    check_is("fixed", "delay = 3\n");
    put("file", "", 0644);
    refused("file/neutop.conf", "Not a directory");
    put("large", "", 0644);
    assert_int_equal(truncate(in_folder("large"), 300 * 1024), 0);
    refused("large", "too large");
    assert_false(confsave_write("neutop.conf", delay_and_theme, COUNT, said, sizeof said));
    check_count(4);
}

// sudo often leaves HOME as it was.
static void test_another_users_things(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    put("hers", "delay = 3\n", 0644);
    assert_int_equal(chown(in_folder("hers"), 4711, 4711), 0);
    refused("hers", "another user's file");
    put("ours", "delay = 3\n", 0644);
    assert_int_equal(symlink("ours", in_folder("link")), 0);
    assert_int_equal(lchown(in_folder("link"), 4711, 4711), 0);
    refused("link", "another user's link");
    assert_int_equal(chown(folder, 4711, 4711), 0);
    refused("ours", "its folder is another user's");
    refused("sub/neutop.conf", "its folder is another user's");
    check_is("hers", "delay = 3\n");
    check_is("ours", "delay = 3\n");
    check_count(3);
}

// Whatever is typed into a file of a key of the screen is taken or named.
static void test_keys_of_the_screen(void **state)
{
    static const struct {
        const char *key, *value;
        int result;
    } rows[] = {
        {"chips", "lines", 1},     {"chips", "Lines", -1}, {"chips", "", -1},
        {"cores", "flops", 1},     {"cores", "yes", -1},   {"tree", "no", 1},
        {"tree", "maybe", -1},     {"invert", "yes", 1},   {"hide", "tag,pod", 1},
        {"hide", "tag, chips", 1}, {"hide", "none", 1},    {"hide", "pid", -1},
        {"hide", "nonsense", -1},  {"hide", "tag,,", -1},  {"hide", "", -1},
        {"hidden", "tag", 0},      {"delay", "1", 0},      {"", "", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ui_look look = {0};
        char why[LOOK_WHY] = "";
        assert_int_equal(ui_look_take(&look, rows[i].key, rows[i].value, why), rows[i].result);
        assert_int_equal(why[0] != '\0', rows[i].result < 0);
    }
    struct ui_look look = {0};
    char why[LOOK_WHY], longest[1000];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(ui_look_take(&look, "hide", longest, why), -1);
    assert_int_equal(ui_look_take(&look, "tree", "no", why), 1);
    assert_true(look.flat && !look.hide_given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_there_stays),
        cmocka_unit_test(test_standard_values),
        cmocka_unit_test(test_keys_twice),
        cmocka_unit_test(test_forms_of_text),
        cmocka_unit_test_setup_teardown(test_a_file_keeps_its_mode, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_a_new_file_with_its_folders, new_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(test_links, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_what_is_no_file_of_ours, new_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_another_users_things, new_folder, remove_folder),
        cmocka_unit_test(test_keys_of_the_screen),
    };
    return cmocka_run_group_tests_name("confsave", tests, NULL, NULL);
}
