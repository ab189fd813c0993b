// SPDX-License-Identifier: Apache-2.0
// Who a process belongs to: its container and service by /proc/PID/cgroup, and the launchers of
// distributed jobs by their command lines.
#include <ctype.h>
#include <stdio.h>

#include "base/text.h"
#include "source/proc_parse.h"
#include "source/proc_text.h"

enum { ID_DIGITS = 64, ID_SHOWN = 12, TASK_DIGITS = 32 };

static size_t hex_run(struct piece piece)
{
    size_t run = 0;
    while (run < piece.length && isxdigit((unsigned char)piece.start[run]))
        run++;
    return run;
}

// An id of 64 digits stands alone or between other characters in every runtime's form: "ID",
// "docker-ID.scope", "cri-containerd-ID.scope", "crio-ID", "libpod-ID.scope",
// "podUID.slice:cri-containerd:ID".
static bool long_id(struct piece component, char *buffer, size_t size, int digits)
{
    for (size_t i = 0; i < component.length;) {
        struct piece rest = piece_from(component, i);
        size_t run = hex_run(rest);
        bool begins = i == 0 || !isalnum((unsigned char)component.start[i - 1]);
        bool ends = run == rest.length || !isalnum((unsigned char)rest.start[run]);
        if (run == ID_DIGITS && begins && ends) {
            snprintf(buffer, size, "%.*s", digits, rest.start);
            return true;
        }
        i += run > 0 ? run : 1;
    }
    return false;
}

// ECS on Fargate: 32 digits of the task, "-", and a number for the container.
static bool task_id(struct piece component, char *buffer, size_t size)
{
    uint64_t number;
    if (hex_run(component) != TASK_DIGITS || component.length <= TASK_DIGITS + 1 ||
        component.start[TASK_DIGITS] != '-' ||
        !piece_number(piece_from(component, TASK_DIGITS + 1), &number))
        return false;
    snprintf(buffer, size, "%.*s", (int)ID_SHOWN, component.start);
    return true;
}

// Containers that have a name instead: "lxc.payload.NAME", "machine-NAME.scope".
static bool named(struct piece component, char *buffer, size_t size)
{
    static const char lxc[] = "lxc.payload.", machine[] = "machine-", scope[] = ".scope";
    struct piece name = {NULL, 0};
    if (piece_starts(component, lxc)) {
        name = piece_from(component, sizeof(lxc) - 1);
    } else if (piece_starts(component, machine) && piece_ends(component, scope)) {
        name = piece_from(component, sizeof(machine) - 1);
        name.length -= name.length >= sizeof(scope) - 1 ? sizeof(scope) - 1 : name.length;
    }
    if (name.length == 0)
        return false;
    text_clean_to(buffer, size, name.start, name.length);
    return true;
}

// conmon watches a container from outside.
static bool is_conmon(struct piece component)
{
    return piece_starts(component, "crio-conmon-") || piece_starts(component, "libpod-conmon-");
}

static bool shown_of(struct piece component, char *buffer, size_t size)
{
    return long_id(component, buffer, size, ID_SHOWN) || task_id(component, buffer, size) ||
           named(component, buffer, size);
}

static bool id_of(struct piece component, char *buffer, size_t size)
{
    return long_id(component, buffer, size, ID_DIGITS);
}

// "4:memory:/path" or "0::/path".
static struct piece path_of(struct piece line)
{
    struct piece field;
    piece_next(&line, ':', &field);
    piece_next(&line, ':', &field);
    return line;
}

// What TAKE finds last in the first line that has any: the innermost of nested ones is the last.
static bool innermost(const char *text, size_t length, char *buffer, size_t size,
                      bool (*take)(struct piece component, char *buffer, size_t size))
{
    struct piece rest = {text, length}, line, component;
    bool found = false;
    while (!found && piece_next(&rest, '\n', &line)) {
        struct piece path = path_of(line);
        while (piece_next(&path, '/', &component))
            found = (!is_conmon(component) && take(component, buffer, size)) || found;
    }
    return found;
}

bool proc_parse_container(const char *text, size_t length, char *buffer, size_t size)
{
    return innermost(text, length, buffer, size, shown_of);
}

bool proc_parse_container_id(const char *text, size_t length, char id[PROC_ID])
{
    return innermost(text, length, id, PROC_ID, id_of);
}

bool proc_parse_unit(const char *text, size_t length, char *buffer, size_t size)
{
    static const char *const keepers[] = {"user@", "docker.", "containerd.", "kubelet.", "crio.",
                                          "ssh.",  "sshd.",   "cron.",       "crond.",   "init."};
    struct piece rest = {text, length}, line, component, unit = {NULL, 0};
    while (unit.length == 0 && piece_next(&rest, '\n', &line)) {
        struct piece path = path_of(line);
        while (piece_next(&path, '/', &component))
            if (piece_ends(component, ".service"))
                unit = component;
    }
    for (size_t i = 0; i < sizeof(keepers) / sizeof(keepers[0]); i++)
        if (piece_starts(unit, keepers[i]))
            return false;
    if (unit.length > 0)
        text_clean_to(buffer, size, unit.start, unit.length);
    return unit.length > 0;
}

// Programs that start the processes of a distributed job. WORD: name of the program or script;
// MODULE: what follows python's -m.
static const struct launcher {
    const char *name, *word, *module;
} LAUNCHERS[] = {
    {"torchrun", "torchrun", "torch.distributed.run"},
    {"torchrun", NULL, "torch.distributed.launch"},
    {"deepspeed", "deepspeed", "deepspeed.launcher.launch"},
    {"deepspeed", NULL, "deepspeed.launcher.runner"},
    {"accelerate", "accelerate", "accelerate.commands.launch"},
    {"accelerate", "accelerate-launch", "accelerate.commands.accelerate_cli"},
    {"xla_spawn", "xla_spawn.py", "torch_xla.distributed.xla_spawn"},
    {"xla_dist", "xla_dist.py", "torch_xla.distributed.xla_dist"},
    {"neuron_parallel_compile", "neuron_parallel_compile", NULL},
    {"mpirun", "mpirun", NULL},
    {"mpirun", "mpirun.real", NULL},
    {"mpirun", "orterun", NULL},
    {"mpirun", "prterun", NULL},
    {"mpiexec", "mpiexec", NULL},
    {"mpiexec", "mpiexec.hydra", NULL},
    {"mpirun", "orted", NULL},
    {"mpirun", "prted", NULL},
    {"mpiexec", "hydra_pmi_proxy", NULL},
    {"srun", "srun", NULL},
    {"slurmstepd", "slurmstepd", NULL},
    {"ray", "raylet", NULL},
};

static const char *launcher_by_word(struct piece word)
{
    struct piece name = piece_base(word);
    for (size_t i = 0; i < sizeof(LAUNCHERS) / sizeof(LAUNCHERS[0]); i++)
        if (LAUNCHERS[i].word != NULL && piece_is(name, LAUNCHERS[i].word))
            return LAUNCHERS[i].name;
    return NULL;
}

static const char *launcher_by_module(struct piece module)
{
    for (size_t i = 0; i < sizeof(LAUNCHERS) / sizeof(LAUNCHERS[0]); i++)
        if (LAUNCHERS[i].module != NULL && piece_is(module, LAUNCHERS[i].module))
            return LAUNCHERS[i].name;
    return NULL;
}

// The name of a daemon that has renamed itself: "slurmstepd: [1234.0]".
static struct piece first_word(struct piece argument)
{
    struct piece word = argument;
    for (size_t i = 0; i < argument.length; i++)
        if (argument.start[i] == ' ' || argument.start[i] == ':') {
            word.length = i;
            break;
        }
    return word;
}

const char *proc_parse_launcher(const char *text, size_t length)
{
    struct piece rest = {text, length}, argument;
    if (!piece_next(&rest, '\0', &argument))
        return NULL;
    const char *name = launcher_by_word(first_word(argument));
    if (name != NULL || !piece_starts(piece_base(argument), "python"))
        return name;
    while (piece_next(&rest, '\0', &argument)) {
        if (piece_is(argument, "-m"))
            return piece_next(&rest, '\0', &argument) ? launcher_by_module(argument) : NULL;
        if (piece_is(argument, "-c"))
            return NULL;
        if (argument.length == 0 || argument.start[0] != '-')
            return launcher_by_word(argument);
        if (piece_is(argument, "-W") || piece_is(argument, "-X"))
            piece_next(&rest, '\0', &argument); // these take a word of their own
    }
    return NULL;
}

bool proc_parse_python(const char *text, size_t length)
{
    struct piece rest = {text, length}, argument;
    return piece_next(&rest, '\0', &argument) && piece_starts(piece_base(argument), "python");
}

bool proc_parse_pool_worker(const char *text, size_t length)
{
    struct piece rest = {text, length}, argument;
    if (!proc_parse_python(text, length))
        return false;
    while (piece_next(&rest, '\0', &argument))
        if (piece_is(argument, "--multiprocessing-fork") ||
            piece_starts(argument, "from multiprocessing."))
            return true;
    return false;
}
