// SPDX-License-Identifier: Apache-2.0
// A neuron-monitor stream from a file or standard input. A regular file replays at the pace of its
// own periods; what comes through a pipe, FIFO or terminal is shown as it comes.
#include <bsd/string.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xmem.h"
#include "source/frame.h"
#include "source/report.h"
#include "source/source.h"

enum {
    READ_MOST = 256 * 1024,
    WORK_MOST =
        4 * 1024 * 1024, // bytes that one call of work() goes through, so that keys stay quick
};

// A paced replay that has fallen behind by more than this goes on from now instead of catching up.
static const double CATCH_UP_SECONDS = 1;

struct stream {
    int fd;
    bool owned; // fd is ours to close
    bool file;  // regular: always readable, has an end
    bool ended; // no more bytes
    bool finished, failed;
    char name[SOURCE_DETAIL / 2];
    char trouble[2 * SOURCE_DETAIL]; // why it failed, or how reading ended
    struct frame *frame;
    struct report *report;
    json_object *pending; // read, but not due yet
    double due;           // monotonic time for it
    double stream_time;   // seconds that the recorded reports cover so far
    double arrived;       // monotonic time of the newest report
    uint64_t reports;
};

static bool paced(const struct source *source)
{
    const struct stream *stream = source->state;
    return stream->file && !source->options->unpaced && source->options->speed > 0;
}

static bool refuse(struct trouble *trouble, const char *name, const char *why)
{
    snprintf(trouble->line, sizeof(trouble->line), "%s: %s", name, why);
    return false;
}

// Non-blocking, so that a FIFO without a writer does not hold the program up.
static bool stream_open_input(struct stream *stream, const char *input, struct trouble *trouble)
{
    struct stat info;
    const char *why = NULL;
    stream->owned = strcmp(input, "-") != 0;
    if (stream->owned)
        text_clean_to(stream->name, sizeof(stream->name), input, strlen(input));
    else
        strlcpy(stream->name, "standard input", sizeof(stream->name));
    stream->fd = stream->owned ? file_open_named(input, O_NONBLOCK, &why) : STDIN_FILENO;
    if (stream->fd >= 0 && fstat(stream->fd, &info) != 0)
        return refuse(trouble, stream->name, strerror(errno));
    if (stream->fd < 0 ? errno == EISDIR : S_ISDIR(info.st_mode))
        return refuse(trouble, stream->name, "is a directory, not a neuron-monitor stream");
    if (stream->fd < 0)
        return refuse(trouble, stream->name, why);
    stream->file = S_ISREG(info.st_mode);
    return true;
}

static bool stream_open(struct source *source, struct trouble *trouble)
{
    struct stream *stream = xcalloc(1, sizeof(*stream));
    if (!stream_open_input(stream, source->options->input, trouble)) {
        if (stream->owned && stream->fd >= 0)
            close(stream->fd);
        free(stream);
        return false;
    }
    stream->frame = frame_new(0);
    stream->report = report_new(REPORT_DEFAULT_PERIOD);
    source->state = stream;
    return true;
}

static size_t stream_fds(const struct source *source, int *fds, size_t max)
{
    const struct stream *stream = source->state;
    if (stream->ended || stream->file || max == 0)
        return 0;
    fds[0] = stream->fd;
    return 1;
}

static double stream_deadline(const struct source *source)
{
    const struct stream *stream = source->state;
    if (stream->finished || stream->failed)
        return INFINITY;
    if (stream->pending != NULL)
        return stream->due;
    if (stream->file || stream->ended || frame_pending(stream->frame))
        return 0;
    return INFINITY;
}

// Standard input is shared with other programs and stays blocking: it is asked first.
static bool readable(const struct stream *stream)
{
    struct pollfd ask = {.fd = stream->fd, .events = POLLIN};
    return stream->file || poll(&ask, 1, 0) > 0;
}

// Reads once. Returns the bytes; 0 when there is nothing now, or no more (stream->ended).
static size_t stream_read(struct stream *stream)
{
    size_t room;
    if (stream->ended || !readable(stream))
        return 0;
    char *place = frame_room(stream->frame, &room);
    ssize_t count = read(stream->fd, place, room < READ_MOST ? room : READ_MOST);
    if (count > 0) {
        frame_added(stream->frame, (size_t)count);
        return (size_t)count;
    }
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (count < 0)
        snprintf(stream->trouble, sizeof(stream->trouble), "%s: %s", stream->name, strerror(errno));
    frame_end(stream->frame);
    stream->ended = true;
    return 0;
}

// The next report in the buffer, parsed; NULL when more bytes are needed.
static json_object *stream_next(struct stream *stream)
{
    struct report_fault fault;
    size_t length;
    const char *text;
    while ((text = frame_next(stream->frame, &length)) != NULL) {
        json_object *parsed = report_parse(stream->report, text, length, &fault);
        if (parsed != NULL)
            return parsed;
        frame_refuse(stream->frame, fault.at, fault.what);
    }
    return NULL;
}

// When a report of a replay is due: after the one before by as long as it covers.
static double stream_due(const struct source *source, double now)
{
    const struct stream *stream = source->state;
    if (!paced(source) || stream->reports == 0)
        return now;
    double due = stream->due + report_pace(stream->pending) / source->options->speed;
    return due < now - CATCH_UP_SECONDS ? now : due;
}

static void stream_apply(struct stream *stream, double now)
{
    stream->stream_time += report_pace(stream->pending);
    report_apply(stream->report, stream->pending, stream->file ? stream->stream_time : now);
    stream->pending = NULL;
    stream->arrived = now;
    stream->reports++;
}

static const char *damage_text(const struct stream *stream, char *buffer, size_t size)
{
    const struct frame_damage *damage = frame_first_damage(stream->frame);
    char what[FRAME_TEXT];
    buffer[0] = '\0';
    if (damage->byte != 0)
        snprintf(buffer, size, " (byte %" PRIu64 ", line %" PRIu64 ": %s)", damage->byte,
                 damage->line, frame_damage_text(damage, what, sizeof(what)));
    return buffer;
}

static enum source_event stream_fail(struct stream *stream)
{
    char damage[FRAME_TEXT + 64];
    uint64_t bytes = stream->ended ? frame_bytes(stream->frame) : frame_hopeless(stream->frame);
    stream->failed = true;
    if (stream->trouble[0] != '\0')
        return SOURCE_FAILED;
    if (bytes == 0)
        snprintf(stream->trouble, sizeof(stream->trouble),
                 "%s: is empty: no neuron-monitor report in it", stream->name);
    else
        snprintf(stream->trouble, sizeof(stream->trouble),
                 "%s: no neuron-monitor report in the %s%" PRIu64
                 " bytes%s; is this the output of neuron-monitor?",
                 stream->name, stream->ended ? "" : "first ", bytes,
                 damage_text(stream, damage, sizeof(damage)));
    return SOURCE_FAILED;
}

// How a call of work() that found nothing more ends.
static enum source_event stream_rest(struct stream *stream)
{
    if (stream->ended && !frame_pending(stream->frame)) {
        if (stream->reports == 0)
            return stream_fail(stream);
        stream->finished = true;
        return SOURCE_FINISHED;
    }
    if (stream->reports == 0 && frame_hopeless(stream->frame) != 0)
        return stream_fail(stream);
    return SOURCE_QUIET;
}

static enum source_event stream_work(struct source *source, double now)
{
    struct stream *stream = source->state;
    uint64_t stop = frame_bytes(stream->frame) + WORK_MOST;
    bool fresh = false;
    if (stream->failed || stream->finished)
        return stream->failed ? SOURCE_FAILED : SOURCE_FINISHED;
    for (;;) {
        if (stream->pending == NULL) {
            stream->pending = stream_next(stream);
            stream->due = stream->pending != NULL ? stream_due(source, now) : stream->due;
        }
        if (stream->pending != NULL) {
            if (stream->due > now)
                return fresh ? SOURCE_NEW : SOURCE_QUIET;
            stream_apply(stream, now);
            fresh = true;
            if (source->options->every_report || source->options->unpaced || paced(source))
                return SOURCE_NEW;
        } else if (frame_bytes(stream->frame) >= stop || stream_read(stream) == 0) {
            return fresh ? SOURCE_NEW : stream_rest(stream);
        }
    }
}

static enum origin stream_origin(const struct stream *stream)
{
    return stream->file ? FROM_RECORDING : FROM_MONITOR;
}

static void stream_fill(const struct source *source, struct host *host, double now)
{
    const struct stream *stream = source->state;
    const struct frame_damage *damage = frame_last_damage(stream->frame);
    char what[FRAME_TEXT];
    // a recording's clock is its own: it stands still between two reports and after the last
    double clock = stream->file ? stream->stream_time : stream->finished ? stream->arrived : now;
    report_fill(stream->report, host, stream_origin(stream), clock);
    if (stream->file)
        host->mono_seconds = clock;
    host->finished = stream->finished;
    host->reports_read += stream->reports;
    host->reports_damaged += frame_damages(stream->frame);
    if (damage->byte != 0)
        host->input_trouble =
            arena_printf(host->arena, "%s: byte %" PRIu64 ", line %" PRIu64 ": %s", stream->name,
                         damage->byte, damage->line, frame_damage_text(damage, what, sizeof(what)));
}

static enum source_state stream_state(const struct stream *stream, double now)
{
    if (stream->failed)
        return SOURCE_LOST;
    if (stream->finished)
        return SOURCE_ENDED;
    if (stream->reports == 0)
        return SOURCE_STARTING;
    double limit = 3 * report_interval(stream->report);
    return !stream->file && now - stream->arrived > limit ? SOURCE_STALE : SOURCE_LIVE;
}

static void stream_status(const struct source *source, double now, struct source_status *status)
{
    const struct stream *stream = source->state;
    status->name = stream->file ? "recording" : "monitor";
    status->state = stream_state(stream, now);
    if (stream->reports > 0 && !stream->file) // when a recording was made is not known
        status->age_seconds = fact_f64(number_max(now - stream->arrived, 0), FROM_DERIVED);
    status->detail = stream->trouble[0] != '\0' ? stream->trouble : stream->name;
}

static void stream_close(struct source *source)
{
    struct stream *stream = source->state;
    if (stream->owned)
        close(stream->fd);
    json_object_put(stream->pending);
    report_free(stream->report);
    frame_free(stream->frame);
    free(stream);
    source->state = NULL;
}

const struct source_ops source_stream = {
    .name = "recording",
    .open = stream_open,
    .fds = stream_fds,
    .deadline = stream_deadline,
    .work = stream_work,
    .fill = stream_fill,
    .status = stream_status,
    .close = stream_close,
};
