// SPDX-License-Identifier: Apache-2.0
// The arena: zeroed, aligned, disjoint pieces; memory is kept over a reset.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

static void pieces_are_zeroed_and_aligned(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    for (size_t size = 0; size < 300; size++) {
        unsigned char *piece = arena_alloc(arena, size);
        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(piece[i], 0);
        memset(piece, 0xff, size);
    }
    arena_free(arena);
}

// Each piece keeps what was written while others are written, over several blocks.
static void pieces_do_not_overlap(void **state)
{
    (void)state;
    enum { PIECES = 400 };
    struct arena *arena = arena_new();
    unsigned char *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = arena_alloc(arena, i * 7);
        memset(pieces[i], (int)(i & 0xff), i * 7);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t at = 0; at < i * 7; at++)
            assert_int_equal(pieces[i][at], i & 0xff);
    arena_free(arena);
}

static void empty_pieces_are_unique(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    assert_ptr_not_equal(arena_alloc(arena, 0), arena_alloc(arena, 0));
    arena_free(arena);
}

static void reset_gives_the_same_memory_again(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    char *small = arena_alloc(arena, 10);
    char *large = arena_alloc(arena, 1000000); // a block of its own
    memset(large, 'x', 1000000);
    size_t used = arena_used(arena);
    assert_true(used >= 1000010);
    arena_reset(arena);
    assert_int_equal(arena_used(arena), 0);
    assert_ptr_equal(arena_alloc(arena, 10), small);
    char *again = arena_alloc(arena, 1000000);
    assert_ptr_equal(again, large);
    assert_int_equal(again[0], 0);
    assert_int_equal(again[999999], 0);
    assert_int_equal(arena_used(arena), used);
    arena_free(arena);
}

static void copies_of_text(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    assert_string_equal(arena_strdup(arena, "torchrun"), "torchrun");
    assert_string_equal(arena_strdup(arena, ""), "");
    assert_null(arena_strdup(arena, NULL));
    assert_string_equal(arena_strndup(arena, "torchrun", 5), "torch");
    assert_string_equal(arena_strndup(arena, "torch", 50), "torch");
    assert_null(arena_strndup(arena, NULL, 5));
    assert_string_equal(arena_printf(arena, "NC %u of %s", 17u, "chip 4"), "NC 17 of chip 4");
    arena_free(arena);
}

static void long_text_of_printf(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    char *text = arena_printf(arena, "%0*d|", 100000, 7);
    assert_int_equal(strlen(text), 100001);
    assert_string_equal(text + 99998, "07|");
    arena_free(arena);
}

static void nothing_to_free(void **state)
{
    (void)state;
    arena_free(NULL);
}

// An array that no address space holds ends the program with one line and status 70.
static void impossible_arrays_end_the_program(void **state)
{
    (void)state;
    static struct arena *arena; // in sight when the child ends, so that it is no leak
    int ends[2], status;
    char line[200] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        arena = arena_new();
        arena_array(arena, SIZE_MAX / 2, 4);
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(read(ends[0], line, sizeof(line) - 1) > 0);
    close(ends[0]);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 70);
    assert_memory_equal(line, "neutop: out of memory", strlen("neutop: out of memory"));
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_and_aligned),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(empty_pieces_are_unique),
        cmocka_unit_test(reset_gives_the_same_memory_again),
        cmocka_unit_test(copies_of_text),
        cmocka_unit_test(long_text_of_printf),
        cmocka_unit_test(nothing_to_free),
        cmocka_unit_test(impossible_arrays_end_the_program),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
