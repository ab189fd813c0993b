// SPDX-License-Identifier: Apache-2.0
// Which cores are free in a job's own numbers, whatever the readers counted by, and which of them
// the next job gets (field cases F-06, F-24, F-25, F-28).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "build_host.h"
#include "host/free_cores.h"

// The states as letters: '.' free, 'H' held, '?' unknown. Valid until the next call.
static const char *states(const struct free_cores *cores)
{
    static char text[CORE_SET_MAX + 1];
    for (unsigned i = 0; i < cores->count; i++)
        text[i] = "?.H"[cores->cores[i].state];
    text[cores->count] = '\0';
    return text;
}

// A host of TYPE whose logical cores have these states; each letter in turn.
static struct free_cores made(const char *type, unsigned lnc, const char *letters)
{
    struct host *host = build_host(type, lnc);
    struct free_cores cores = free_cores_of(host, 0);
    assert_true(cores.numbered);
    for (unsigned i = 0; i < cores.count; i++) {
        char letter = letters[0] != '\0' ? *letters++ : 'H';
        cores.cores[i].state = letter == '.' ? FREE_FREE : letter == '?' ? FREE_UNKNOWN : FREE_HELD;
    }
    return cores;
}

static void gives(const char *type, unsigned lnc, const char *letters, unsigned wanted, int first)
{
    struct free_cores cores = made(type, lnc, letters);
    struct core_run run;
    char why[256];
    bool found = free_cores_choose(&cores, wanted, &run, why, sizeof(why));
    if (found != (first >= 0) || (found && run.first != (unsigned)first))
        fail_msg("%s LNC %u %.40s wanted %u: %d (%s), expected %d", type, lnc, letters, wanted,
                 found ? (int)run.first : -1, why, first);
    assert_int_equal(run.count, found ? wanted : 0);
    assert_true(found == (why[0] == '\0'));
    host_free((struct host *)cores.host);
}

static void refuses(const char *type, unsigned lnc, const char *letters, unsigned wanted,
                    const char *reason)
{
    struct free_cores cores = made(type, lnc, letters);
    struct core_run run;
    char why[256];
    assert_false(free_cores_choose(&cores, wanted, &run, why, sizeof(why)));
    assert_string_equal(why, reason);
    host_free((struct host *)cores.host);
}

static void every_type_is_counted(void **state)
{
    (void)state;
    for (const struct instance_type *type = instance_type_table(); type->name != NULL; type++) {
        const struct generation *gen = generation_get(type->generation);
        for (unsigned lnc = 1; lnc <= gen->lnc_max; lnc++) {
            struct host *host = build_host(type->name, lnc);
            struct free_cores cores = free_cores_of(host, 0);
            struct core_run run, longest = free_cores_longest(&cores);
            char why[256];
            assert_true(cores.numbered);
            assert_int_equal(cores.lnc, lnc);
            assert_int_equal(cores.per_chip, gen->physical_cores / lnc);
            assert_int_equal(cores.count, type->chips * gen->physical_cores / lnc);
            assert_int_equal(free_cores_count(&cores, FREE_FREE), cores.count);
            assert_int_equal(longest.count, cores.count);
            assert_true(free_cores_choose(&cores, cores.count, &run, why, sizeof(why)));
            assert_int_equal(run.first, 0);
            assert_false(free_cores_choose(&cores, cores.count + 1, &run, why, sizeof(why)));
            assert_non_null(strstr(why, "but this instance has"));
            host_free(host);
        }
    }
}

// Whole chips first, aligned, and no larger run is broken than must be.
static void whole_chips_first(void **state)
{
    (void)state;
    gives("trn2.48xlarge", 2, "................................", 4, 0);
    gives("trn2.48xlarge", 2, "HHHH............................", 4, 4);
    gives("trn2.48xlarge", 2, "HHHH................................", 16, 16); // aligned
    gives("trn2.48xlarge", 2, "HHHH................HHHH", 16, 4);
    gives("trn2.48xlarge", 2, "................HHHH....HHHH", 4, 20); // the shortest run
    gives("trn2.48xlarge", 1, "HHHHHHHH................", 8, 8);
    gives("trn2.48xlarge", 1, "H.......................", 16, 8);
    gives("trn3", 2, "H.......HHHH", 4, 4);
    gives("trn2.48xlarge", 2, "H........", 4, 4); // not 1-4, nor 2-5
    gives("inf2.48xlarge", 0, "HH......HH..", 2, 10);
    gives("inf2.48xlarge", 0, "H.....", 2, 2); // never half a chip and half another
    gives("inf1.6xlarge", 0, "HH..............", 4, 4);
}

static void parts_of_chips(void **state)
{
    (void)state;
    // one core: where a chip is in use already
    gives("trn2.48xlarge", 2, "....HHH.HHHH", 1, 7);
    gives("trn1.32xlarge", 0, "....H.H.", 1, 5);
    gives("inf1.xlarge", 0, "....", 1, 0);
    // two on a chip of four: aligned, on a chip in use
    gives("inf1.6xlarge", 0, "....HH..HHHH", 2, 6);
    gives("inf1.6xlarge", 0, "....H..HHHHH", 2, 0); // aligned, though a free chip is broken
    gives("inf1.6xlarge", 0, "HHHHH..HHHHH", 2, 5); // not aligned when there is nothing else
    gives("inf1.6xlarge", 0, "HHH..HHH", 2, 3);     // nor on one chip
    gives("inf1.6xlarge", 0, "HHH..HHHHH..", 2, 10);
    gives("inf2.48xlarge", 0, "......", 3, 0);
    gives("inf2.48xlarge", 0, "H.....", 3, 2); // from a chip's first core on
    gives("inf2.48xlarge", 0, "H.....", 5, 1); // unless there is no such run
    gives("trn1.32xlarge", 0, "HHH.HH", 1, 3);
}

// One core or whole chips is a rule of NEURON_RT_NUM_CORES, not of NEURON_RT_VISIBLE_CORES.
static void parts_of_chips_with_lnc(void **state)
{
    (void)state;
    gives("trn2.48xlarge", 2, "........", 2, 0);
    gives("trn2.48xlarge", 2, "....HH..HHHH", 2, 6); // best fit: what is partly held
    gives("trn2.48xlarge", 2, "....H..H", 2, 0);     // 5-6 is not aligned
    gives("trn2.48xlarge", 2, "HHHHH..H", 2, 5);
    gives("trn2.48xlarge", 2, "....H...", 3, 5); // 3 does not divide 4: anywhere on one chip
    gives("trn2.48xlarge", 2, "........H...", 6, 0);
    gives("trn2.48xlarge", 2, "H...........", 6, 4);
    gives("trn2.48xlarge", 2, "HH....HH", 4, 2); // no whole chip: what is free in a row
    gives("trn2.48xlarge", 1, "........HH......HHHHHHHH", 4, 12);
    gives("trn2.48xlarge", 1, "........HH......HHHH....", 4, 20); // 20-23 leaves nothing
    gives("trn2.48xlarge", 1, "........HH......", 2, 10);
    gives("trn3", 2, "HHH..", 2, 3);
}

static void unknown_is_not_free(void **state)
{
    (void)state;
    gives("trn2.48xlarge", 2, "????....", 4, 4);
    gives("trn2.48xlarge", 2,
          "?......."
          "HHHH",
          8, -1);
    gives("inf2.xlarge", 0, "?.", 1, 1);
    gives("inf2.xlarge", 0, "?.", 2, -1);
    gives("trn2.48xlarge", 2, "", 1, -1);
}

// Any placing, by looking at each start.
static bool any_placing(const struct free_cores *cores, unsigned wanted)
{
    for (unsigned first = 0; first + wanted <= cores->count; first++) {
        unsigned free = 0;
        for (unsigned i = first; i < first + wanted; i++)
            free += cores->cores[i].state == FREE_FREE;
        if (free == wanted)
            return true;
    }
    return false;
}

// Of any states: what is chosen is free, and nothing is missed.
static void every_choice_is_free(void **state)
{
    (void)state;
    static const char *const types[] = {"inf1.6xlarge", "inf2.24xlarge", "trn1.32xlarge",
                                        "trn2.48xlarge", "trn3-gen2"};
    uint64_t random = 7;
    for (unsigned round = 0; round < 400; round++) {
        struct host *host = build_host(types[round % 5], round % 2 + 1);
        struct free_cores cores = free_cores_of(host, 0);
        unsigned length = 0, kind = 0;
        for (unsigned i = 0; i < cores.count; i++, length--) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407U;
            if (length == 0 || length > 64) {
                length = (unsigned)(random >> 40) % 9 + 1;
                kind = (unsigned)(random >> 33) % 4;
            }
            cores.cores[i].state = kind == 3 ? FREE_UNKNOWN : kind == 2 ? FREE_HELD : FREE_FREE;
        }
        for (unsigned wanted = 1; wanted <= cores.count + 1; wanted++) {
            struct core_run run;
            char why[256];
            bool found = free_cores_choose(&cores, wanted, &run, why, sizeof(why));
            assert_int_equal(found, any_placing(&cores, wanted));
            for (unsigned i = run.first; i < run.first + run.count; i++)
                assert_int_equal(cores.cores[i].state, FREE_FREE);
            assert_int_equal(run.count, found ? wanted : 0);
        }
        host_free(host);
    }
}

static void reasons(void **state)
{
    (void)state;
    refuses("inf2.xlarge", 0, "H.", 2, "requested 2, free 1; the longest run is 1: NC 1"); // F-06
    refuses("inf2.48xlarge", 0, "", 32,
            "requested 32, but this instance has 24 logical cores (12 chips of 2)"); // F-28
    refuses("trn2.3xlarge", 2, "....", 8,
            "requested 8, but this instance has 4 logical cores (1 chip of 4)");
    refuses("trn2.48xlarge", 2, "HHHH....HHHH", 16,
            "requested 16, free 4; the longest run is 4: NC 4-7");
    refuses("inf1.xlarge", 0, "..?H", 3,
            "requested 3, free 2; the longest run is 2: NC 0-1; of 1 more it is not known");
    refuses("inf1.xlarge", 0, "HHHH", 1, "requested 1, free 0");
    refuses("inf1.xlarge", 0, "....", 0, "at least one core is to be requested");
}

static void runs(void **state)
{
    (void)state;
    struct free_cores cores = made("inf2.48xlarge", 0, "H..H?....H.");
    struct core_run run = free_cores_run(&cores, 0);
    assert_int_equal(run.first, 1);
    assert_int_equal(run.count, 2);
    run = free_cores_run(&cores, 3);
    assert_int_equal(run.first, 5);
    assert_int_equal(run.count, 4);
    run = free_cores_run(&cores, 9);
    assert_int_equal(run.first, 10);
    assert_int_equal(run.count, 1);
    assert_int_equal(free_cores_run(&cores, 11).count, 0);
    assert_int_equal(free_cores_run(&cores, 4000000000U).count, 0);
    assert_int_equal(free_cores_longest(&cores).first, 5);
    host_free((struct host *)cores.host);
}

static void holders_are_named(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.48xlarge", 0);
    struct process *first = build_process(host, 10, "a", 0, 3);
    struct process *second = build_process(host, 11, "b", 2, 1);
    first->started_unix_seconds = fact_f64(2000, FROM_PROC);
    second->started_unix_seconds = fact_f64(1000, FROM_PROC);
    first->idle_seconds = fact_f64(60, FROM_DERIVED);
    second->idle_seconds = fact_f64(90, FROM_DERIVED);
    first->certainty = CERTAINTY_EXACT;
    second->certainty = CERTAINTY_ENVIRONMENT;
    host->cores[3].hidden_owners = 1;
    host->cores[5].owners_known = false;
    build_utilization(host, NULL, 4, 7);
    struct free_cores cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "HHHHH?..................");
    assert_int_equal(cores.cores[0].holder_count, 1);
    assert_int_equal(cores.cores[0].certainty, CERTAINTY_EXACT);
    assert_false(cores.cores[0].unseen);
    assert_int_equal(cores.cores[2].holder_count, 2);
    assert_int_equal(cores.cores[2].holders[1], 1);
    assert_int_equal(cores.cores[2].certainty, CERTAINTY_ENVIRONMENT);
    assert_true(cores.cores[2].since_unix_seconds.value == 1000);
    assert_true(cores.cores[2].idle_seconds.value == 60);
    // on chip 1 process 10 or 11 it must be, for both have it open
    assert_int_equal(cores.cores[3].holder_count, 2);
    assert_int_equal(cores.cores[3].certainty, CERTAINTY_CHIP);
    assert_int_equal(cores.cores[4].holder_count, 0); // busy, and nobody is known
    assert_true(cores.cores[4].unseen);
    host_free(host);
}

// The driver counts physical cores in another order; device 0 of a recorded Trainium2.
static const unsigned row[8] = {4, 5, 6, 7, 2, 3, 0, 1};

static struct host *physical_host(unsigned lnc, bool with_map)
{
    struct host *host = build_host("trn2.3xlarge", 1);
    struct core_place *places = ARENA_ARRAY(host->arena, 8, struct core_place);
    host->hardware.lnc = fact_u64(lnc, FROM_TABLE);
    host->numbering = NUMBERING_PHYSICAL;
    for (unsigned i = 0; i < 8; i++) {
        places[i] = (struct core_place){.chip = 0, .physical = row[i]};
        host->cores[i].numbering = NUMBERING_PHYSICAL;
    }
    host->core_map = with_map ? core_map_make(places, 8) : (struct core_map){.count = 0};
    return host;
}

static void physical_cores_are_joined(void **state)
{
    (void)state;
    struct host *host = physical_host(2, true);
    build_process(host, 10, "a", 4, 1); // physical 4 is the first half of logical 0
    build_process(host, 11, "b", 0, 2); // physical 0, 1 are logical 3
    struct free_cores cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "H..H");
    assert_int_equal(cores.cores[0].holders[0], 0);
    assert_int_equal(cores.cores[3].holders[0], 1);
    cores = free_cores_of(host, 1); // as a job with LNC=1 counts them
    assert_string_equal(states(&cores), "H.....HH");
    host->cores[6].owners_known = false;
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "H?.H");
    host_free(host);
}

// Without the map a chip that is all free or all held tells the same in any order.
static void without_the_map_only_whole_chips(void **state)
{
    (void)state;
    struct core_run run;
    char why[256];
    struct host *host = physical_host(2, false);
    struct free_cores cores = free_cores_of(host, 0);
    assert_true(cores.numbered);
    assert_string_equal(states(&cores), "....");
    assert_true(free_cores_choose(&cores, 4, &run, why, sizeof(why)));
    struct process *process = build_process(host, 10, "a", 4, 1);
    process->certainty = CERTAINTY_EXACT;
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "????");
    assert_int_equal(cores.mixed_chips, 1);
    assert_int_equal(cores.cores[2].holder_count, 1); // it is one of these
    assert_int_equal(cores.cores[2].certainty, CERTAINTY_CHIP);
    assert_false(free_cores_choose(&cores, 1, &run, why, sizeof(why)));
    assert_string_equal(why, "requested 1, free 0; of 4 more it is not known: 1 chip is partly "
                             "held, and the order of cores in it is not known");
    build_process(host, 11, "b", 0, 4);
    build_process(host, 12, "c", 5, 3);
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "HHHH");
    assert_int_equal(cores.mixed_chips, 0);
    host_free(host);
}

// neuron-monitor counts in physical order: what a job calls 0 and 1 it calls 2 and 3 there.
static void monitor_cores_are_joined(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 2);
    struct core_place *places = ARENA_ARRAY(host->arena, 8, struct core_place);
    for (unsigned i = 0; i < 8; i++)
        places[i] = (struct core_place){.chip = 0, .physical = row[i]};
    for (unsigned i = 0; i < 4; i++)
        host->cores[i].numbering = NUMBERING_MONITOR;
    host->core_map = core_map_make(places, 8);
    build_process(host, 10, "a", 2, 1);
    struct free_cores cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "H...");
    cores = free_cores_of(host, 1);
    assert_string_equal(states(&cores), "HH......");
    host->core_map.count = 0;
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "????");
    host_free(host);
}

static void logical_cores_are_those_of_the_job(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.3xlarge", 2);
    for (unsigned i = 0; i < 4; i++)
        host->cores[i].numbering = NUMBERING_LOGICAL;
    host->numbering = NUMBERING_LOGICAL;
    host->core_map.count = 0; // not needed
    build_process(host, 10, "a", 1, 1);
    struct free_cores cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), ".H..");
    cores = free_cores_of(host, 1);
    assert_string_equal(states(&cores), "..HH....");
    host_free(host);
}

// What the driver answered: held by someone that nobody sees, and free where readers cannot tell.
static void the_drivers_marks(void **state)
{
    (void)state;
    struct host *host = physical_host(2, false);
    build_process(host, 10, "a", 4, 1);
    host->chips[0].marks_asked = 0xff;
    host->chips[0].marks_held = 0x08; // the second half of logical 1
    struct free_cores cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), ".H..");
    assert_int_equal(cores.mixed_chips, 0);
    assert_int_equal(cores.cores[1].holder_count, 1);
    host->chips[0].marks_asked = 0x0f; // of the others it did not tell
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), ".H??");
    host_free(host);

    host = build_host("inf2.xlarge", 0);
    host->chips[0].marks_asked = 3;
    host->chips[0].marks_held = 1;
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "H.");
    assert_true(cores.cores[0].unseen);
    build_process(host, 10, "a", 1, 1); // its memory is there, marked or not
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "HH");
    host_free(host);
}

// A job that has just started: its chip is open, its cores are reserved, no memory is on them yet,
// and neuron-monitor still calls them nobody's.
static void an_open_chip_is_not_free(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.24xlarge", 0);
    struct process *process = build_process(host, 10, "a", 2, 2);
    struct free_cores cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "..HH........");
    for (unsigned i = 2; i < 4; i++)
        host->cores[i].owner_count = 0;
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "..??........");
    assert_int_equal(cores.cores[2].holder_count, 1);
    process->certainty = CERTAINTY_ENVIRONMENT; // it names others
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "............");
    process->certainty = CERTAINTY_CHIP;
    host->chips[1].marks_asked = 3; // the driver knows better
    host->chips[1].marks_held = 1;
    cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "..H.........");
    host_free(host);
}

static void chips_without_cores_are_unknown(void **state)
{
    (void)state;
    struct host *host = build_host("trn1.32xlarge", 0);
    host->core_count = 0;
    for (unsigned i = 0; i < host->chip_count; i++)
        host->chips[i].core_count = 0;
    struct free_cores cores = free_cores_of(host, 0);
    assert_int_equal(cores.count, 32);
    assert_int_equal(free_cores_count(&cores, FREE_UNKNOWN), 32);
    host_free(host);
}

static void what_cannot_be_numbered(void **state)
{
    (void)state;
    struct core_run run;
    char why[256];
    struct host *host = build_host("trn2.48xlarge", 0);
    build_process(host, 10, "a", 0, 2);
    host->hardware.lnc = (struct fact_u64){0};
    struct free_cores cores = free_cores_of(host, 0);
    assert_false(cores.numbered);
    assert_int_equal(cores.count, 64); // as their reader counts them
    assert_int_equal(cores.cores[1].state, FREE_HELD);
    assert_false(free_cores_choose(&cores, 1, &run, why, sizeof(why)));
    assert_non_null(strstr(why, "one or two physical cores"));
    assert_int_equal(free_cores_longest(&cores).count, 0);
    host->hardware.generation = NULL;
    assert_non_null(strstr(free_cores_of(host, 2).trouble, "kind of chip"));
    host_free(host);
    host = host_new();
    assert_non_null(strstr(free_cores_of(host, 0).trouble, "no chip"));
    host_free(host);
}

// Field cases F-24, F-25: nodes may be renamed, and chips may be given with gaps.
static void chips_in_a_container(void **state)
{
    (void)state;
    struct host *host = build_host("inf2.24xlarge", 0);
    host->chip_count = 2;
    host->chips[0].index = 2;
    host->chips[1].index = 4;
    struct free_cores cores = free_cores_of(host, 0);
    assert_false(cores.numbered);
    assert_non_null(strstr(cores.trouble, "gaps"));
    host->chips[0].node = "neuron1"; // and the other way round
    host->chips[1].node = "neuron0";
    build_process(host, 10, "a", 0, 1); // on the first chip: a job's chip 1
    cores = free_cores_of(host, 0);
    assert_true(cores.numbered);
    assert_string_equal(states(&cores), "..H.");
    assert_int_equal(cores.cores[2].chip, 0);
    static const char *const bad[] = {"neuron0", "neuron9", "neuron", "neuron1x", "renamed"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        host->chips[0].node = bad[i];
        assert_false(free_cores_of(host, 0).numbered);
    }
    host_free(host);
}

// F-25: chips under names without a gap that are not adjacent on the host.
static void no_run_goes_over_a_gap(void **state)
{
    (void)state;
    struct core_run run;
    struct core_set set;
    char why[256];
    struct host *host = build_host("inf2.24xlarge", 0);
    static const unsigned devices[] = {2, 3, 5, 6, 7};
    static const char *const nodes[] = {"neuron0", "neuron1", "neuron2", "neuron3", "neuron4"};
    host->chip_count = 5;
    for (unsigned i = 0; i < 5; i++) {
        host->chips[i].index = devices[i];
        host->chips[i].node = nodes[i];
    }
    struct free_cores cores = free_cores_of(host, 0);
    assert_string_equal(states(&cores), "..........");
    assert_int_equal(free_cores_run(&cores, 0).count, 4);
    assert_int_equal(free_cores_run(&cores, 4).first, 4);
    assert_int_equal(free_cores_longest(&cores).first, 4);
    assert_int_equal(free_cores_longest(&cores).count, 6);
    assert_true(free_cores_choose(&cores, 6, &run, why, sizeof(why)));
    assert_int_equal(run.first, 4);
    assert_true(free_cores_choose(&cores, 3, &run, why, sizeof(why)));
    assert_int_equal(run.first, 0);
    assert_false(free_cores_choose(&cores, 7, &run, why, sizeof(why)));
    assert_string_equal(why, "requested 7, free 10; the longest run is 6: NC 4-9; no run goes over "
                             "a gap: devices 3 and 5 are not adjacent");
    cores.cores[8].state = FREE_HELD;
    assert_false(free_cores_choose(&cores, 9, &run, why, sizeof(why))); // not for the gap
    assert_string_equal(why, "requested 9, free 9; the longest run is 4: NC 0-3");
    assert_true(core_set_parse(&set, "0-9", NULL));
    assert_int_equal(free_cores_gap(&cores, &set), 4);
    assert_true(core_set_parse(&set, "4-9", NULL));
    assert_int_equal(free_cores_gap(&cores, &set), 0);
    assert_true(core_set_parse(&set, "0-2,4-9", NULL)); // that is another trouble
    assert_int_equal(free_cores_gap(&cores, &set), 0);
    host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_counted),
        cmocka_unit_test(whole_chips_first),
        cmocka_unit_test(parts_of_chips),
        cmocka_unit_test(parts_of_chips_with_lnc),
        cmocka_unit_test(unknown_is_not_free),
        cmocka_unit_test(every_choice_is_free),
        cmocka_unit_test(reasons),
        cmocka_unit_test(runs),
        cmocka_unit_test(holders_are_named),
        cmocka_unit_test(physical_cores_are_joined),
        cmocka_unit_test(without_the_map_only_whole_chips),
        cmocka_unit_test(monitor_cores_are_joined),
        cmocka_unit_test(logical_cores_are_those_of_the_job),
        cmocka_unit_test(the_drivers_marks),
        cmocka_unit_test(an_open_chip_is_not_free),
        cmocka_unit_test(chips_without_cores_are_unknown),
        cmocka_unit_test(what_cannot_be_numbered),
        cmocka_unit_test(chips_in_a_container),
        cmocka_unit_test(no_run_goes_over_a_gap),
    };
    return cmocka_run_group_tests_name("free cores", tests, NULL, NULL);
}
