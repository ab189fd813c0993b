// SPDX-License-Identifier: Apache-2.0
// What the values of an error tell without looking at any host: which side is the older one, which
// feature bits are missing, what filled the memory, what a status number means.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "check/explain_parts.h"
#include "host/releases.h"
#include "host/units.h"
#include "joblog/status.h"
#include "neff/features.h"

// Drivers that have exactly this window, by the table of releases.
static void said_window(struct telling *telling, uint64_t min, uint64_t max)
{
    const struct releases *releases = releases_builtin();
    const struct compat_window *first = NULL, *last = NULL;
    for (size_t i = 0; i < releases->window_count; i++) {
        const struct compat_window *window = &releases->windows[i];
        if (window->min != min || window->max != max)
            continue;
        if (first == NULL)
            first = window;
        if (window->neuroncore == first->neuroncore)
            last = window;
    }
    if (first == NULL)
        return;
    if (strcmp(first->driver, last->driver) == 0)
        tell_said(telling, "that is the range of driver %s", first->driver);
    else
        tell_said(telling, "that is the range of drivers %s to %s", first->driver, last->driver);
}

static void said_compat(struct telling *telling)
{
    uint64_t id, min, max;
    if (!tell_number(telling, CAPTURE_COMPAT_MIN, &min) ||
        !tell_number(telling, CAPTURE_COMPAT_MAX, &max))
        return;
    bool known = tell_number(telling, CAPTURE_COMPAT_ID, &id);
    if (known && min == max)
        telling->out->summary = arena_printf(telling->arena,
                                             "Driver and runtime do not fit: runtime id %" PRIu64
                                             ", the driver takes %" PRIu64 " only",
                                             id, min);
    if (known && id > max) {
        tell_said(telling,
                  "%" PRIu64 " is above %" PRIu64 ": the driver is too old for this runtime", id,
                  max);
        telling->out->remedy =
            "Upgrade the driver (aws-neuronx-dkms) on the host, end every process "
            "that has a device open, then: sudo rmmod neuron && sudo modprobe "
            "neuron.";
    } else if (known && id < min) {
        tell_said(telling,
                  "%" PRIu64 " is below %" PRIu64 ": the runtime is too old for this driver", id,
                  min);
        telling->out->remedy =
            "Upgrade aws-neuronx-runtime-lib and aws-neuronx-collectives, in the "
            "container where the job runs in one.";
    }
    said_window(telling, min, max);
}

// "DGE (bit 12), bit 40".
static void bits_text(char *text, size_t size, uint64_t bits)
{
    size_t length = 0;
    text[0] = '\0';
    for (unsigned bit = 0; bit < NEFF_FEATURE_BITS && length < size; bit++) {
        const char *name = neff_feature_name(bit);
        if ((bits >> bit & 1) == 0)
            continue;
        const char *comma = length > 0 ? ", " : "";
        if (name != NULL)
            length +=
                (size_t)snprintf(text + length, size - length, "%s%s (bit %u)", comma, name, bit);
        else
            length += (size_t)snprintf(text + length, size - length, "%sbit %u", comma, bit);
    }
}

static void said_features(struct telling *telling)
{
    uint64_t needed, supported;
    char bits[SET_TEXT * 4];
    if (!tell_number(telling, CAPTURE_FEATURES, &needed) ||
        !tell_number(telling, CAPTURE_SUPPORTED, &supported))
        return;
    uint64_t missing = needed & ~supported;
    telling->out->missing = missing;
    bits_text(bits, sizeof(bits), missing);
    tell_said(telling, "needed 0x%" PRIx64 ", the runtime knows 0x%" PRIx64, needed, supported);
    if (missing != 0)
        tell_said(telling, "missing 0x%" PRIx64 ": %s: the NEFF is newer than the runtime", missing,
                  bits);
}

static void said_status(struct telling *telling)
{
    uint64_t number;
    if (!tell_number(telling, CAPTURE_STATUS, &number))
        return;
    const struct nrt_status *row = nrt_status_get(number);
    const struct value *name = group_value(telling->group, CAPTURE_STATUS_NAME);
    if (row == NULL || row->name == NULL) {
        telling->out->meaning = row == NULL ? "No runtime is known to return this number."
                                            : "This number is not used by the runtime.";
        telling->out->remedy = "Look at the lines before it.";
        return;
    }
    if (name != NULL && strcmp(name->text, row->name) != 0)
        tell_said(telling,
                  "the text says %s with %" PRIu64 "; by the runtime's header %" PRIu64 " is %s",
                  name->text, number, number, row->name);
    telling->out->meaning = row->meaning;
    telling->out->remedy = row->remedy;
}

// Largest part first.
static void said_table(struct telling *telling)
{
    const struct memory_table *table = telling->group->table;
    char sum[UNIT_TEXT], total[UNIT_TEXT];
    if (table == NULL || table->count == 0) {
        if (strcmp(telling->group->message->id, "device-memory-full") == 0)
            tell_said(telling, "the table of what filled it is not in the output");
        return;
    }
    unit_bytes(sum, sizeof(sum), fact_u64(table_sum(table), FROM_DERIVED));
    unit_bytes(total, sizeof(total), fact_u64(table->total.bytes, FROM_DERIVED));
    if (!table->has_total)
        tell_said(telling, "%s were in use; the line with the total is missing", sum);
    else if (table_adds_up(table))
        tell_said(telling, "%s were in use", total);
    else
        tell_said(telling,
                  "%s were in use, but the parts make %s: lines are missing, or of several "
                  "processes",
                  total, sum);
}

static void said_pool(struct telling *telling)
{
    uint64_t total, occupied, needed, available, small;
    if (!tell_number(telling, CAPTURE_POOL_TOTAL, &total) ||
        !tell_number(telling, CAPTURE_POOL_OCCUPIED, &occupied) ||
        !tell_number(telling, CAPTURE_POOL_NEEDED, &needed) ||
        !tell_number(telling, CAPTURE_POOL_AVAILABLE, &available))
        return;
    tell_said(telling,
              "bytes: total %" PRIu64 ", occupied %" PRIu64 ", needed %" PRIu64
              ", available %" PRIu64,
              total, occupied, needed, available);
    if (tell_number(telling, CAPTURE_POOL_SMALL, &small))
        tell_said(telling, "available in the small pool: %" PRIu64, small);
}

// Hardware errors by a word in their type (field case F-20); the first row that fits counts.
static const struct {
    const char *word, *meaning, *remedy;
} HARDWARE[] = {
    {"UNREPAIRABLE", "Device memory has an error that cannot be repaired.",
     "Replace the instance: terminate it, or stop and start it."},
    {"REPAIRABLE", "Device memory has an error that can be repaired by remapping.",
     "Reload the driver or reboot: that repairs it."},
    {"SRAM", "On-chip memory has an error that ECC could not correct.",
     "Replace the instance: terminate it, or stop and start it."},
    {"HBM", "Device memory has an error that ECC could not correct.",
     "Replace the instance: terminate it, or stop and start it."},
    {"DMA", "A DMA engine has aborted.",
     "Replace the instance: terminate it, or stop and start it."},
    {"COLLECTIVES", "The core hangs in a collective operation: the cause is often another worker.",
     "Look for the first error on the other workers, then start all of them again."},
    {"HANG", "The core hangs in a computation.",
     "Start the job again; if it hangs at the same place, look at the model, else at the chip."},
    {"", "The runtime reports a hardware error through the kernel log.",
     "Do what the line advises."},
};

static void said_hardware(struct telling *telling)
{
    const struct value *type = group_value(telling->group, CAPTURE_HW_TYPE);
    const struct value *serial = group_value(telling->group, CAPTURE_SERIAL);
    const struct value *instance = group_value(telling->group, CAPTURE_INSTANCE);
    if (type == NULL)
        return;
    for (size_t i = 0;; i++) {
        if (strstr(type->text, HARDWARE[i].word) == NULL)
            continue;
        telling->out->meaning = HARDWARE[i].meaning;
        telling->out->remedy = HARDWARE[i].remedy;
        break;
    }
    if (instance != NULL)
        tell_said(telling, "instance %s%s%s", instance->text,
                  serial != NULL ? ", serial number " : "", serial != NULL ? serial->text : "");
}

// The versions that the process told about itself.
static void said_job(struct telling *telling)
{
    for (size_t i = 0; i < telling->group->pid_count; i++) {
        const struct log_job *job = joblog_job_of(telling->log, telling->group->pids[i]);
        if (job == NULL || (job->runtime[0] == '\0' && job->driver[0] == '\0'))
            continue;
        tell_said(telling, "PID %" PRIu64 " ran runtime %s%s%s", job->pid,
                  job->runtime[0] != '\0' ? job->runtime : "-",
                  job->driver[0] != '\0' ? " on driver " : "", job->driver);
        return;
    }
}

void tell_values(struct telling *telling)
{
    said_compat(telling);
    said_features(telling);
    said_status(telling);
    said_table(telling);
    said_pool(telling);
    said_hardware(telling);
    said_job(telling);
    if (telling->group->mixed)
        tell_said(telling, "there were many kinds of this error; the values are of one of them");
}
