// SPDX-License-Identifier: Apache-2.0
// Asks whether a core is reserved: two cores are wanted out of a range of one. The driver must
// refuse that, and on the way says how many are free in the range.
#include "source/device_marks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "source/device_abi.h"

enum answer { ANSWER_FREE, ANSWER_HELD, ANSWER_NONE, ANSWER_MARKED };

// A driver that grants this is not the one that is known: what it marked is given back before
// anything else is done. It gives back only what this process has marked.
static void give_back(int fd, struct device_core_marks *call, char *error, size_t size)
{
    call->cores[0] |= UINT64_C(1) << call->first;
    int result = ioctl(fd, DEVICE_UNMARK_CORES, call);
    snprintf(error, size, "core marks: the driver marked a core instead of refusing; %s",
             result == 0 ? "it was given back" : "closing the device gives it back");
}

static enum answer ask_core(int fd, unsigned core, char *error, size_t size)
{
    struct device_core_marks call = {.wanted = 2, .first = core, .last = core};
    // what is not overwritten is no answer
    call.available = UINT32_MAX;
    errno = 0;
    int result = ioctl(fd, DEVICE_MARK_CORES, &call);
    int number = errno;
    if (result != -1) { // also where it did not fail but could not write its answer
        give_back(fd, &call, error, size);
        return ANSWER_MARKED;
    }
    if (result == -1 && number == EBUSY && call.available <= 1)
        return call.available == 1 ? ANSWER_FREE : ANSWER_HELD;
    if (error[0] == '\0' && number != EBUSY)
        snprintf(error, size, "core marks: %s", strerror(number));
    else if (error[0] == '\0')
        snprintf(error, size, "core marks: %u of 1 free is no answer", (unsigned)call.available);
    return ANSWER_NONE;
}

bool device_marks_ask(int fd, unsigned cores, struct device_marks *marks, char *error, size_t size)
{
    *marks = (struct device_marks){0};
    for (unsigned core = 0; core < cores && core < 32; core++) {
        enum answer answer = ask_core(fd, core, error, size);
        if (answer == ANSWER_NONE || answer == ANSWER_MARKED)
            return answer == ANSWER_NONE; // the next one would be answered no better
        marks->asked |= UINT32_C(1) << core;
        marks->held |= (uint32_t)(answer == ANSWER_HELD) << core;
    }
    return true;
}
