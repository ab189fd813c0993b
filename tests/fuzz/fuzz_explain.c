// SPDX-License-Identifier: Apache-2.0
// Fuzzes the recogniser of errors: what it finds must not depend on how the bytes were cut, all
// text must be clean, and the sums of the counts must be right; then it is explained and printed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "print/explain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool what)
{
    if (!what)
        abort();
}

static void must_be_clean(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    must(length < size);
    for (size_t i = 0; i < length; i++)
        must((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
}

// LOG is kept from one input to the next: an input must leave nothing behind for the next one.
static void read_in_pieces(struct joblog *log, const char *text, size_t size, size_t piece)
{
    joblog_reset(log);
    for (size_t at = 0; at < size; at += piece)
        joblog_feed(log, text + at, size - at < piece ? size - at : piece);
    joblog_end(log);
}

static void check_group(const struct error_group *group)
{
    must(group->count > 0 && group->first_line > 0 && group->last_line >= group->first_line);
    must(group->pid_count <= GROUP_PIDS && group->place_count <= GROUP_PLACES);
    must_be_clean(group->first_time, sizeof(group->first_time));
    for (size_t i = 0; i < group->value_count; i++)
        must_be_clean(group->values[i].text, sizeof(group->values[i].text));
    for (size_t i = 0; group->table != NULL && i < group->table->count; i++)
        must_be_clean(group->table->parts[i].name, sizeof(group->table->parts[i].name));
}

static void check_job(const struct log_job *job)
{
    must_be_clean(job->runtime, sizeof(job->runtime));
    must_be_clean(job->failure, sizeof(job->failure));
    must_be_clean(job->visible_cores, sizeof(job->visible_cores));
    must_be_clean(job->kernel, sizeof(job->kernel));
}

static void check_log(const struct joblog *log, size_t size)
{
    must(joblog_input(log)->bytes == size);
    must_be_clean(joblog_input(log)->unknown_text, sizeof(joblog_input(log)->unknown_text));
    for (size_t i = 0; i < joblog_group_count(log); i++)
        check_group(joblog_group(log, i));
    for (size_t i = 0; i < joblog_job_count(log); i++)
        check_job(joblog_job(log, i));
}

static void same(const struct joblog *a, const struct joblog *b)
{
    must(joblog_input(a)->lines == joblog_input(b)->lines);
    must(joblog_input(a)->unknown == joblog_input(b)->unknown);
    must(joblog_job_count(a) == joblog_job_count(b));
    must(joblog_group_count(a) == joblog_group_count(b));
    for (size_t i = 0; i < joblog_group_count(a); i++) {
        const struct error_group *x = joblog_group(a, i), *y = joblog_group(b, i);
        must(x->message == y->message && x->count == y->count && x->role == y->role);
        must(x->value_count == y->value_count && x->parts_absorbed == y->parts_absorbed);
    }
}

// What is printed holds no control character, and no line is wider than the page.
static void check_page(const struct joblog *log)
{
    struct arena *arena = arena_new();
    struct explain_host host = {0};
    struct explain_print options = {.print = {.ascii = true}, .name = "x", .offline = true};
    struct explanation explanation = explain_run(arena, log, &host);
    char *text = NULL;
    size_t size = 0, column = 0;
    FILE *out = open_memstream(&text, &size);
    must(out != NULL);
    print_explain_text(out, log, &explanation, &host, &options);
    fflush(out);
    for (size_t i = 0; i < size; i++) {
        column = text[i] == '\n' ? 0 : column + 1;
        must(column <= 80 && (text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~')));
    }
    print_explain_json(out, log, &explanation, &host, &options);
    fclose(out);
    free(text);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct joblog *whole, *pieces;
    char *text = malloc(size > 0 ? size : 1); // of exactly this size: a read past its end is found
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    if (whole == NULL) {
        whole = joblog_new();
        pieces = joblog_new();
    }
    read_in_pieces(whole, text, size, size > 0 ? size : 1);
    read_in_pieces(pieces, text, size, 7);
    check_log(whole, size);
    same(whole, pieces);
    check_page(whole);
    free(text);
    return 0;
}
