// SPDX-License-Identifier: Apache-2.0
// Shapes of links, from the lists that driver and neuron-ls give, compared as sets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "build_host.h"
#include "build_links.h"
#include "host/topology.h"

static void is_shape(const char *type, const char *text, enum links links, enum topology topology)
{
    struct host *host = build_host(type, 0);
    build_links(host, text);
    assert_int_equal(links_classify(host), links);
    assert_int_equal(links_topology(links_classify(host)), topology);
    host_free(host);
}

static void lists_of_the_driver(void **state)
{
    (void)state;
    is_shape("trn1.32xlarge", trn1_links, LINKS_TORUS_4X4, TOPOLOGY_TORUS_4X4);
    is_shape("trn2.48xlarge", trn2_links, LINKS_TORUS_4X4, TOPOLOGY_TORUS_4X4);
    is_shape("trn2.48xlarge", trn1_links, LINKS_TORUS_4X4, TOPOLOGY_TORUS_4X4); // only the order
    is_shape("inf2.48xlarge", inf2_links, LINKS_RING, TOPOLOGY_RING);
    is_shape("inf2.24xlarge", inf2_chain, LINKS_CHAIN, TOPOLOGY_CHAIN);
    is_shape("trn1.2xlarge", "-", LINKS_SINGLE, TOPOLOGY_SINGLE);
    is_shape("trn1.2xlarge", "", LINKS_SINGLE, TOPOLOGY_SINGLE);
    is_shape("trn3-gen2", "1,2,3 0,2,3 3,1,0 2,1,0", LINKS_ALL, TOPOLOGY_SWITCHED);
    is_shape("inf1.6xlarge", "1 0,2 1,3 2", LINKS_CHAIN, TOPOLOGY_CHAIN);
    is_shape("inf1.6xlarge", "3,1 0,2 1,3 2,0", LINKS_RING, TOPOLOGY_RING);
}

// Unknown is no empty ring; an empty list is no unknown one.
static void unknown_and_none_are_two_things(void **state)
{
    (void)state;
    is_shape("trn2.48xlarge", "", LINKS_UNKNOWN, TOPOLOGY_UNKNOWN);
    is_shape("inf2.48xlarge", "11,1 0,2 1,3", LINKS_UNKNOWN, TOPOLOGY_UNKNOWN);
    is_shape("trn3-gen2", "- - - -", LINKS_NONE, TOPOLOGY_UNKNOWN);
}

static void a_wrong_link_is_no_known_shape(void **state)
{
    (void)state;
    struct host *host = build_host("trn2.48xlarge", 0);
    build_links(host, trn2_links);
    host->chips[5].connected[2] = 10;
    assert_int_equal(links_classify(host), LINKS_OTHER);
    build_links(host, trn2_links);
    host->chips[15].connected_count = 3; // one is missing
    assert_int_equal(links_classify(host), LINKS_OTHER);
    build_links(host, trn2_links);
    host->chips[7].index = 8; // numbers that do not run from 0
    assert_int_equal(links_classify(host), LINKS_OTHER);
    host_free(host);
    is_shape("inf2.48xlarge", "11,1 0,2 1,3 2,4 3,5 4,6 5,7 6,8 7,9 8,10 9,11 10", LINKS_OTHER,
             TOPOLOGY_UNKNOWN);
    is_shape("trn1.2xlarge", "12,1,9,14", LINKS_OTHER, TOPOLOGY_UNKNOWN); // one chip of a pod
}

static void words(void **state)
{
    (void)state;
    assert_string_equal(topology_word(TOPOLOGY_TORUS_4X4), "4x4 torus");
    assert_string_equal(topology_word(TOPOLOGY_UNKNOWN), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_the_driver),
        cmocka_unit_test(unknown_and_none_are_two_things),
        cmocka_unit_test(a_wrong_link_is_no_known_shape),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
