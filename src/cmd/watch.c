// SPDX-License-Identifier: Apache-2.0
// What runs when no command is named: the screen on a terminal, else text or JSON.
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/screen.h"
#include "cmd/status.h"

int cmd_watch(struct settings *settings, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    struct session session;
    bool screen = !settings->json && !settings->once && isatty(STDOUT_FILENO);
    settings->source.unpaced = !screen;
    settings->source.every_report = !screen && settings->source.input != NULL && !settings->once &&
                                    (settings->json || settings->iterations > 1);
    int status = session_open(&session, settings);
    if (status != STATUS_OK)
        return status;
    status = screen ? screen_run(&session) : output_run(&session);
    session_close(&session);
    return status;
}
