// SPDX-License-Identifier: Apache-2.0
// neuron-monitor's configuration file.
#include "source/monitor_config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"

static const char before_period[] = "{\"period\":\"";
static const char after_period[] = "\","
                                   "\"neuron_runtimes\":[{\"tag_filter\":\".*\",\"metrics\":["
                                   "{\"type\":\"neuroncore_counters\"},"
                                   "{\"type\":\"memory_used\"},"
                                   "{\"type\":\"neuron_runtime_vcpu_usage\"},"
                                   "{\"type\":\"execution_stats\"}]}],"
                                   "\"system_metrics\":["
                                   "{\"type\":\"vcpu_usage\"},"
                                   "{\"type\":\"memory_info\"},"
                                   "{\"type\":\"neuron_hw_counters\"}]}\n";

char *monitor_period(double seconds, char buffer[MONITOR_PERIOD])
{
    long milliseconds = number_round(number_max(seconds, 0.001) * 1000);
    if (milliseconds % 1000 == 0)
        snprintf(buffer, MONITOR_PERIOD, "%lds", milliseconds / 1000);
    else
        snprintf(buffer, MONITOR_PERIOD, "%ldms", milliseconds);
    return buffer;
}

static int config_text(double seconds, char *text, size_t size)
{
    char period[MONITOR_PERIOD];
    return snprintf(text, size, "%s%s%s", before_period, monitor_period(seconds, period),
                    after_period);
}

int monitor_config_open(double seconds)
{
#ifdef MFD_CLOEXEC
    char text[1024];
    int length = config_text(seconds, text, sizeof(text));
    if (access("/proc/self/fd", X_OK) != 0) // where the child finds it
        return -1;
    int fd = memfd_create("neutop-monitor", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fchmod(fd, 0600) == 0 && write(fd, text, (size_t)length) == length)
        return fd;
    close(fd);
#else
    (void)seconds;
#endif
    return -1;
}

bool monitor_config_write(double seconds, char path[MONITOR_CONFIG_PATH])
{
    const char *folder = getenv("TMPDIR");
    char text[1024];
    if (folder == NULL || folder[0] != '/' || strlen(folder) > MONITOR_CONFIG_PATH / 2)
        folder = "/tmp";
    snprintf(path, MONITOR_CONFIG_PATH, "%s/neutop-monitor.XXXXXX", folder);
    int length = config_text(seconds, text, sizeof(text));
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        path[0] = '\0';
        return false;
    }
    ssize_t written = write(fd, text, (size_t)length);
    int why = written >= 0 ? ENOSPC : errno;
    close(fd);
    if (written == length)
        return true;
    unlink(path);
    path[0] = '\0';
    errno = why;
    return false;
}
