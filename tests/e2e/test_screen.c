// SPDX-License-Identifier: Apache-2.0
// What the screen shows of the simulated instance, and what the keys do to it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plain_run.h"
#include "term_host.h"

#define DEMO "--no-config", "--demo", "--seed", "1"
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct term *start(int rows, int cols, const char *extra)
{
    struct term *term = term_neutop(rows, cols, ARGS(DEMO, extra));

    expect_text(term, "trn2.48xlarge");
    expect_text(term, "64 NC");
    expect_text(term, "Quit"); // the key bar is drawn last
    expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
    return term;
}

static void leave(struct term *term)
{
    term_send(term, KEY_F10);
    expect_exit(term, 0);
    term_free(term);
}

// Some keys change nothing that is drawn: no answer within half a second is one too.
static void press(struct term *term, const char *keys)
{
    term_send(term, keys);
    term_wait_bytes(term, 1, 500);
    expect_that(term, term_wait_quiet(term, 100, TERM_WAIT));
}

// The chip that ROW tells of: a number after at most two columns of marks; -1: none.
static int chip_of_row(struct term *term, int row)
{
    const char *text = term_row(term, row);
    size_t marks = strspn(text, " >#-");
    char *end;

    if (!isdigit((unsigned char)text[marks]) || marks > 4)
        return -1;
    long chip = strtol(text + marks, &end, 10);
    return *end == ' ' && chip < 64 ? (int)chip : -1;
}

static int row_of_chip(struct term *term, int chip)
{
    for (int row = 2; row < term_rows(term); row++)
        if (chip_of_row(term, row) == chip)
            return row;
    return -1;
}

// With several chips a row: the number, then its logical cores. Which row, -1: none.
static int row_of_chip_in_grid(struct term *term, int chip)
{
    char text[32];

    snprintf(text, sizeof text, "%2d %d-%d ", chip, chip * 4, chip * 4 + 3);
    return term_find(term, text);
}

// Where there is no line for each chip, each is there all the same with its owner.
static void the_small_screen_has_a_grid(void **state)
{
    (void)state;
    struct term *term = start(24, 80, NULL);

    for (int chip = 0; chip < 16; chip++)
        expect_that(term, row_of_chip_in_grid(term, chip) > 2);
    const char *row = term_row(term, row_of_chip_in_grid(term, 12));
    expect_that(term, strstr(row, "====") != NULL && strstr(row, "21930") != NULL);
    expect_that(term, strstr(row, "40112") != NULL && strstr(row, "+1") != NULL); // chip 13
    expect_that(term, term_find(term, "44871") > 0); // all processes too
    press(term, "c");
    for (int chip = 0; chip < 16; chip++)
        expect_that(term, row_of_chip(term, chip) > 2);
    leave(term);
}

static void check_size(int rows, int cols)
{
    struct term *term = start(rows, cols, NULL);
    int last = 1;

    for (int chip = 0; chip < 16; chip++) {
        int row = row_of_chip(term, chip);
        if (row <= last)
            fprintf(stderr, "chip %d at %dx%d\n", chip, cols, rows);
        expect_that(term, row > last);
        expect_that(term, strstr(term_row(term, row), "/96") != NULL); // GiB of its HBM
        last = row;
    }
    expect_that(term, strstr(term_row(term, 0), "neutop") != NULL);
    expect_that(term, strstr(term_row(term, 0), "DEMO") != NULL);
    expect_that(term, strstr(term_row(term, 1), "16 chips 64 NC LNC2") != NULL);
    expect_that(term, strstr(term_row(term, 1), "GiB") != NULL);
    expect_that(term, term_count(term, "torchrun") >= 1);
    expect_that(term, strstr(term_row(term, rows - 1), "Help") != NULL);
    expect_that(term, strstr(term_row(term, rows - 1), "Quit") != NULL);
    leave(term);
}

static void sixteen_chips_at_every_common_size(void **state)
{
    (void)state;
    check_size(30, 80);
    check_size(40, 120);
    check_size(60, 200);
}

static void more_room_shows_more(void **state)
{
    (void)state;
    size_t filled[3] = {0, 0, 0};
    static const int sizes[3][2] = {{24, 80}, {40, 120}, {60, 200}};

    for (int i = 0; i < 3; i++) {
        struct term *term = start(sizes[i][0], sizes[i][1], NULL);
        int blank = 0;
        for (int row = 0; row < sizes[i][0]; row++) {
            filled[i] += strlen(term_row(term, row)) > 0;
            blank += term_row(term, row)[0] == '\0';
        }
        expect_that(term, blank <= sizes[i][0] / 4);
        leave(term);
    }
    assert_true(filled[0] < filled[1] && filled[1] < filled[2]);
}

// The worst finding of the text snapshot stands under the header.
static void the_worst_finding_is_under_the_header(void **state)
{
    (void)state;
    struct plain_result text = plain_neutop(NULL, ARGS(DEMO, "--once"));
    char *at = strstr(text.out, "!! critical");
    struct term *term = start(24, 80, NULL);
    bool found = false;

    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    at += strspn(at, " ");
    at[24] = '\0'; // the start of its summary
    for (int row = 1; row < 5; row++)
        found = found || (strstr(term_row(term, row), at) != NULL &&
                          strstr(term_row(term, row), "!!") != NULL);
    expect_that(term, found);
    press(term, "!");
    expect_text(term, "memory-nearly-full");
    press(term, KEY_END); // how many stand between depends on what fails at the moment
    press(term, "/");
    press(term, "cores-idle-held"); // below the edge, perhaps
    press(term, KEY_ENTER);
    expect_text(term, "cores-idle-held");
    leave(term);
    plain_free(&text);
}

static void help_lists_the_keys(void **state)
{
    (void)state;
    static const char *const openers[] = {KEY_F1, "h", "?"};

    for (size_t i = 0; i < 3; i++) {
        struct term *term = start(24, 80, NULL);
        term_send(term, openers[i]);
        expect_text(term, "this help");
        expect_text(term, "search; while typing");
        press(term, KEY_ESC);
        expect_text(term, "64 NC");
        expect_that(term, row_of_chip_in_grid(term, 15) > 0);
        leave(term);
    }
}

static bool row_stands_out(struct term *term, int row)
{
    int marked = 0;

    for (int column = 0; column < term_cols(term); column++) {
        struct term_cell cell = term_cell(term, row, column);
        marked += cell.reverse || cell.bg.kind != COLOR_OWN;
    }
    return marked > term_cols(term) * 9 / 10;
}

static int selected_row(struct term *term)
{
    for (int row = 1; row < term_rows(term) - 1; row++)
        if (row_stands_out(term, row) && strstr(term_row(term, row), "PID") == NULL &&
            strstr(term_row(term, row), "CHIP") == NULL)
            return row;
    return -1;
}

static void arrows_move_the_selection(void **state)
{
    (void)state;
    struct term *term = start(40, 120, NULL);
    int first;
    int second;

    press(term, KEY_HOME);
    first = selected_row(term);
    press(term, KEY_DOWN);
    second = selected_row(term);
    expect_that(term, first > 0 && second == first + 1);
    press(term, KEY_UP);
    expect_that(term, selected_row(term) == first);
    press(term, KEY_END);
    expect_that(term, selected_row(term) > second);
    leave(term);
}

static void chips_unfold_and_fold(void **state)
{
    (void)state;
    struct term *term = start(60, 120, NULL);
    int distance;

    press(term, "\t"); // to the chips
    press(term, KEY_HOME);
    distance = row_of_chip(term, 1) - row_of_chip(term, 0);
    expect_that(term, distance == 1);
    press(term, KEY_RIGHT);
    expect_that(term,
                row_of_chip(term, 1) - row_of_chip(term, 0) == 5); // four logical cores between
    press(term, KEY_LEFT);
    expect_that(term, row_of_chip(term, 1) - row_of_chip(term, 0) == 1);
    press(term, KEY_ENTER);
    expect_that(term, row_of_chip(term, 1) - row_of_chip(term, 0) == 5);
    press(term, "x");
    press(term, "x");
    expect_that(term, row_of_chip(term, 1) - row_of_chip(term, 0) == 1);
    leave(term);
}

static void search_finds_and_says_when_not(void **state)
{
    (void)state;
    struct term *term = start(40, 120, NULL);

    press(term, "/");
    press(term, "ipykernel");
    press(term, KEY_ENTER);
    expect_that(term, strstr(term_row(term, selected_row(term)), "21930") != NULL);
    press(term, "/");
    press(term, "no such text");
    expect_text(term, "no such text");
    press(term, KEY_ESC);
    expect_gone(term, "no such text");
    leave(term);
}

static void filter_keeps_only_what_matches(void **state)
{
    (void)state;
    static const char *const openers[] = {KEY_F4, "\\"};

    for (size_t i = 0; i < 2; i++) {
        struct term *term = start(40, 120, NULL);
        expect_text(term, "jupyter");
        press(term, openers[i]);
        press(term, "torchrun");
        press(term, KEY_ENTER);
        expect_gone(term, "jupyter");
        expect_text(term, "torchrun");
        press(term, openers[i]);
        press(term, KEY_ESC);
        expect_text(term, "jupyter");
        leave(term);
    }
}

// Rows of processes, by their PIDs in the order of the screen.
static unsigned pids(struct term *term, long *list, unsigned max)
{
    int head = -1;
    unsigned count = 0;

    for (int row = 0; row < term_rows(term); row++)
        if (strstr(term_row(term, row), "PID") != NULL &&
            strstr(term_row(term, row), "USER") != NULL)
            head = row;
    for (int row = head + 1; head >= 0 && row < term_rows(term) - 1 && count < max; row++) {
        const char *text = term_row(term, row);
        text += strcspn(text, "0123456789");
        if (strtol(text, NULL, 10) > 100)
            list[count++] = strtol(text, NULL, 10);
    }
    return count;
}

static void sort_by_pid_is_sorted_and_inverts(void **state)
{
    (void)state;
    struct term *term = start(60, 120, NULL);
    long up[64] = {0};
    long down[64] = {0};

    press(term, "t"); // a flat list
    press(term, "N");
    unsigned count = pids(term, up, 64);
    expect_that(term, count >= 8);
    press(term, "I");
    expect_that(term, pids(term, down, 64) >= 8);
    bool rises = up[0] < up[1];
    for (unsigned i = 1; i < 8; i++)
        expect_that(term, (up[i - 1] < up[i]) == rises && (down[i - 1] > down[i]) == rises);
    leave(term);
}

static void the_sort_menu_lists_the_columns(void **state)
{
    (void)state;
    struct term *term = start(40, 120, NULL);

    press(term, KEY_F6);
    expect_text(term, "device memory");
    press(term, KEY_ESC);
    expect_gone(term, "Sort processes by");
    leave(term);
}

static void every_view_opens_and_closes(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *shows;
    } views[] = {{"!", "memory-nearly-full"},
                 {"m", "Tensors"},
                 {"o", "MODEL ID"},
                 {"n", "NC"},
                 {"y", "p99"},
                 {"e", "MEM UNC"},
                 {"g", "History"},
                 {"i", "NeuronCore"},
                 {"V", "In SDK 2.32.0, all but runtime 2.33.10.0 of PID 8412"},
                 {KEY_F2, "heme"}};

    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct term *term = start(40, 120, NULL);
        term_send(term, views[i].keys);
        expect_text(term, "q: back");
        expect_text(term, views[i].shows);
        press(term, "q");
        expect_that(term, row_of_chip(term, 15) > 0);
        leave(term);
    }

    struct term *term = start(24, 80, NULL); // no name is broken where the table has no room
    term_send(term, "V");
    expect_text(term, "21930 ipykernel_launcher, 31232 train-r00, 31235 train-r01 and 32 more");
    press(term, "q");
    leave(term);
}

static void tabs_show_one_process(void **state)
{
    (void)state;
    struct term *term = start(40, 120, NULL);

    press(term, "2");
    expect_text(term, "["); // the tab's name in the title
    char title[256];
    snprintf(title, sizeof title, "%s", strchr(term_row(term, 0), '['));
    press(term, "d");
    expect_that(term, strstr(term_row(term, 0), "[") != NULL);
    expect_that(term, strncmp(strchr(term_row(term, 0), '['), title, 6) != 0);
    press(term, "a");
    expect_that(term, strncmp(strchr(term_row(term, 0), '['), title, 6) == 0);
    press(term, "1");
    expect_that(term, strchr(term_row(term, 0), '[') == NULL);
    leave(term);
}

// What others hold is not shown as nothing.
static void a_tab_says_what_is_of_others(void **state)
{
    (void)state;
    struct term *term = start(40, 120, NULL);

    expect_that(term, strstr(term_row(term, row_of_chip(term, 0)), "/96") != NULL);
    press(term, "2"); // 8412, on chips 8 to 11
    expect_that(term, strstr(term_row(term, row_of_chip(term, 8)), "/96") != NULL);
    expect_that(term, strstr(term_row(term, row_of_chip(term, 0)), "0.0") == NULL);
    expect_that(term, strstr(term_row(term, row_of_chip(term, 0)), "other") != NULL);
    press(term, "m");
    const char *row = term_row(term, term_find(term, "Chip 0 "));
    expect_that(term, strstr(row, "other") != NULL && strstr(row, "0B") == NULL);
    press(term, "q");
    press(term, "9");
    expect_text(term, "no tab 9");
    leave(term);
}

// The command line takes rows of its own and does not cover the selected process.
static void w_shows_the_whole_command(void **state)
{
    (void)state;
    struct term *term = start(24, 80, NULL);

    press(term, KEY_END);
    long list[8] = {0};
    unsigned count = pids(term, list, 8);
    expect_that(term, count >= 5);
    press(term, "w");
    press(term, KEY_HOME);
    press(term, KEY_END);
    char pid[24];
    snprintf(pid, sizeof pid, "> %ld", list[count - 1]);
    expect_that(term, term_find(term, pid) > 0);
    expect_that(term, strchr(term_row(term, 22), '/') != NULL ||
                          strstr(term_row(term, 22), "python3") != NULL);
    leave(term);
}

// A PID may have seven digits; the cursor has its place all the same, and the digits stay whole.
static void the_cursor_stands_beside_a_long_pid(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    char file[256], command[PATH_MAX + 128];
    snprintf(file, sizeof file, "%s/neutop-pid-XXXXXX", base == NULL ? "/tmp" : base);
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    snprintf(command, sizeof command, "sed 's/\"pid\":16851,/\"pid\":4194303,/' '%s' >%s",
             fixture("monitor/trn1-2xlarge-captured.ndjson"), file);
    assert_int_equal(system(command), 0);
    struct term *term = term_neutop(24, 80, ARGS("--no-config", "-i", file));
    expect_text(term, "Quit");
    expect_text(term, ">4194303 ");
    leave(term);
    unlink(file);
}

// Shapes stay when a tab leaves fewer processes.
static void tabs_keep_the_shape(void **state)
{
    (void)state;
    struct term *term = start(24, 80, NULL);

    press(term, "3");
    expect_that(term, row_of_chip_in_grid(term, 15) > 0);
    expect_text(term, "tab 3 of");
    leave(term);
}

static void q_leads_back_to_main(void **state)
{
    (void)state;
    static const char *const ways[][4] = {
        {"m", "g", "q", "q"}, {"m", "g", "m", "q"}, {"m", "m", "", ""}, {"i", "!", KEY_ESC, "q"}};

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct term *term = start(40, 120, NULL);
        for (int key = 0; key < 4 && ways[i][key][0] != '\0'; key++)
            press(term, ways[i][key]);
        expect_that(term, row_of_chip(term, 15) > 0);
        term_send(term, "q");
        expect_exit(term, 0);
        term_free(term);
    }
}

static void f3_searches_and_goes_on(void **state)
{
    (void)state;
    struct term *term = start(40, 120, NULL);

    press(term, KEY_F3);
    press(term, "49"); // of 48-51
    expect_that(term, strstr(term_row(term, selected_row(term)), "21930") != NULL);
    press(term, KEY_ENTER);
    press(term, KEY_F3);
    press(term, "python3");
    int first = selected_row(term);
    press(term, KEY_F3);
    expect_that(term, selected_row(term) != first);
    expect_that(term, strstr(term_row(term, selected_row(term)), "python3") != NULL);
    press(term, KEY_ESC);
    leave(term);
}

static void f_shows_flops(void **state)
{
    (void)state;
    struct term *term = start(24, 80, NULL);
    int row = row_of_chip_in_grid(term, 0);

    expect_that(term, strstr(term_row(term, row), "TF") == NULL);
    press(term, "f");
    expect_that(term, strstr(term_row(term, row), "TF") != NULL);
    press(term, "f");
    expect_that(term, strstr(term_row(term, row), "TF") == NULL);
    leave(term);
}

static void pause_stands_still(void **state)
{
    (void)state;
    struct term *term = start(24, 80, "--delay=0.2");
    char before[24][400];
    int changed = 0;

    press(term, KEY_F8);
    expect_text(term, "PAUSED");
    for (int row = 1; row < 23; row++)
        snprintf(before[row], sizeof before[row], "%s", term_row(term, row));
    term_wait_exit(term, 900); // only reads
    for (int row = 1; row < 23; row++)
        changed += strcmp(before[row], term_row(term, row)) != 0;
    expect_that(term, changed == 0);
    term_send(term, KEY_F8);
    expect_gone(term, "PAUSED");
    term_wait_exit(term, 900);
    for (int row = 1; row < 23; row++)
        changed += strcmp(before[row], term_row(term, row)) != 0;
    expect_that(term, changed > 4);
    leave(term);
}

static void the_delay_changes(void **state)
{
    (void)state;
    struct term *term = start(24, 80, NULL);

    expect_that(term, strstr(term_row(term, 0), "live 1s") != NULL);
    press(term, "s");
    press(term, "0.5");
    press(term, KEY_ENTER);
    expect_text(term, "live 0.5s");
    press(term, "s");
    press(term, "99999");
    press(term, KEY_ENTER);
    expect_text(term, "3600");
    expect_text(term, "live 0.5s");
    leave(term);
}

static void resize(struct term *term, int rows, int cols)
{
    term_resize(term, rows, cols);
    term_wait_bytes(term, 1, TERM_WAIT);
    expect_that(term, term_wait_quiet(term, 100, TERM_WAIT));
}

// Where it can no longer be seen, a line being typed takes no key, and is never accepted.
static void what_is_not_seen_takes_no_key(void **state)
{
    (void)state;
    struct term *term = start(24, 80, NULL);

    press(term, "D");
    press(term, "5");
    expect_text(term, "Seconds between updates: 5_");
    resize(term, 3, 20);
    press(term, KEY_ENTER);
    press(term, "D"); // opens nothing
    press(term, "7");
    press(term, KEY_ENTER);
    resize(term, 24, 80);
    expect_text(term, "live 1s");
    expect_text(term, "F10Quit"); // the key bar again
    press(term, KEY_F4);
    press(term, "nobody");
    expect_text(term, "no process matches");
    resize(term, 7, 100);
    press(term, "x");
    resize(term, 24, 80);
    expect_gone(term, "nobody"); // the filter went with its line
    press(term, KEY_F6);
    resize(term, 1, 1);
    press(term, KEY_DOWN);
    resize(term, 24, 80);
    expect_that(term, term_find(term, "Sort processes by") < 0);
    press(term, "D");
    resize(term, 3, 20);
    term_send(term, "q");
    expect_exit(term, 0);
    term_free(term);
}

// Of a text longer than its line the end is seen: that is where it is being typed.
static void a_long_line_shows_its_end(void **state)
{
    (void)state;
    struct term *term = start(24, 80, NULL);

    resize(term, 10, 40);
    press(term, KEY_F4);
    press(term, "the beginning of a text of over forty columns");
    expect_text(term, "forty columns_");
    press(term, "\177\177");
    expect_text(term, "forty colum_");
    press(term, KEY_ESC);
    leave(term);
}

// It comes back to the eye as it was when nobody has typed in between.
static void a_line_being_typed_outlives_a_small_moment(void **state)
{
    (void)state;
    struct term *term = start(24, 80, NULL);

    press(term, "D");
    press(term, "0.5");
    resize(term, 3, 20);
    resize(term, 24, 80);
    expect_text(term, "Seconds between updates: 0.5_");
    press(term, KEY_ENTER);
    expect_text(term, "live 0.5s");
    leave(term);
}

static void iterations_end_the_screen(void **state)
{
    (void)state;
    struct term *term = term_neutop(24, 80, ARGS(DEMO, "-n", "3", "-d", "0.1"));

    expect_exit(term, 0);
    term_free(term);
}

static void lnc1_and_other_types_fit(void **state)
{
    (void)state;
    static const struct {
        const char *type, *header, *memory;
    } types[] = {{"trn2.48xlarge:lnc1", "128 NC", "HBM"},
                 {"trn1.32xlarge", "16 chips 32 NC", "HBM"},
                 {"inf2.48xlarge", "12 chips 24 NC", "HBM"},
                 {"inf1.xlarge", "1 chip 4 NC", "MEM"}};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct term *term = term_neutop(24, 80, ARGS("--no-config", "--demo", types[i].type));
        expect_text(term, types[i].header);
        expect_text(term, types[i].memory);
        expect_that(term, term_wait_quiet(term, 60, TERM_WAIT));
        leave(term);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_chips_at_every_common_size),
        cmocka_unit_test(more_room_shows_more),
        cmocka_unit_test(the_worst_finding_is_under_the_header),
        cmocka_unit_test(help_lists_the_keys),
        cmocka_unit_test(arrows_move_the_selection),
        cmocka_unit_test(chips_unfold_and_fold),
        cmocka_unit_test(search_finds_and_says_when_not),
        cmocka_unit_test(filter_keeps_only_what_matches),
        cmocka_unit_test(sort_by_pid_is_sorted_and_inverts),
        cmocka_unit_test(the_sort_menu_lists_the_columns),
        cmocka_unit_test(every_view_opens_and_closes),
        cmocka_unit_test(tabs_show_one_process),
        cmocka_unit_test(a_tab_says_what_is_of_others),
        cmocka_unit_test(w_shows_the_whole_command),
        cmocka_unit_test(the_cursor_stands_beside_a_long_pid),
        cmocka_unit_test(tabs_keep_the_shape),
        cmocka_unit_test(q_leads_back_to_main),
        cmocka_unit_test(f3_searches_and_goes_on),
        cmocka_unit_test(the_small_screen_has_a_grid),
        cmocka_unit_test(f_shows_flops),
        cmocka_unit_test(pause_stands_still),
        cmocka_unit_test(the_delay_changes),
        cmocka_unit_test(what_is_not_seen_takes_no_key),
        cmocka_unit_test(a_long_line_shows_its_end),
        cmocka_unit_test(a_line_being_typed_outlives_a_small_moment),
        cmocka_unit_test(iterations_end_the_screen),
        cmocka_unit_test(lnc1_and_other_types_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
