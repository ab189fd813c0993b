// SPDX-License-Identifier: Apache-2.0
// What was looked for on a host with nothing to read (driver reference, section 1; field cases F-13
// to F-15). Opens no device node.
#include "source/absence.h"

#include <bsd/string.h>
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "source/below.h"
#include "source/which.h"

// PCI device ids of vendor 0x1d0f that are Neuron chips (driver reference, section 1).
static const struct {
    unsigned id;
    const char *chip;
} NEURON_IDS[] = {
    {0x7064, "Inferentia"}, {0x7065, "Inferentia"}, {0x7066, "Inferentia"},
    {0x7067, "Inferentia"}, {0x7164, "Trainium"},   {0x7264, "Inferentia2"},
    {0x7364, "Trainium2"},  {0x7564, "Trainium3"},  {0x7565, "Trainium3"},
};

#define PCI_DEVICES "/sys/bus/pci/devices"
enum { SHORT_FILE = 128 };

static DIR *open_below(const char *root, const char *path)
{
    char whole[PATH_MAX];
    snprintf(whole, sizeof(whole), "%s%s", root, path);
    return opendir(whole);
}

// The chip of a PCI FUNCTION (its folder's name), NULL when it is no Neuron chip.
static const char *neuron_chip(const char *root, const char *function)
{
    char path[PATH_MAX], vendor[SHORT_FILE], device[SHORT_FILE];
    snprintf(path, sizeof(path), PCI_DEVICES "/%s/vendor", function);
    if (!below_line(root, path, vendor, sizeof(vendor)) || strcmp(vendor, "0x1d0f") != 0)
        return NULL;
    snprintf(path, sizeof(path), PCI_DEVICES "/%s/device", function);
    below_line(root, path, device, sizeof(device));
    unsigned id = (unsigned)strtoul(device, NULL, 16);
    for (size_t i = 0; i < sizeof(NEURON_IDS) / sizeof(NEURON_IDS[0]); i++)
        if (NEURON_IDS[i].id == id)
            return NEURON_IDS[i].chip;
    return NULL;
}

bool absence_pci(const char *root, unsigned *functions, unsigned *inf1, const char **chip)
{
    DIR *dir = open_below(root, PCI_DEVICES);
    *functions = *inf1 = 0;
    *chip = NULL;
    if (dir == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *found = neuron_chip(root, entry->d_name);
        if (found == NULL)
            continue;
        *chip = found;
        ++*functions;
        *inf1 += strcmp(found, "Inferentia") == 0;
    }
    closedir(dir);
    return true;
}

// Returns the chip, NULL: none.
static const char *look_pci(struct absence_look *look, const char *root)
{
    const char *chip;
    unsigned count, inf1;
    bool readable = absence_pci(root, &count, &inf1, &chip);
    look->what = "Neuron PCI functions";
    look->found = count > 0;
    look->unreadable = !readable;
    if (look->found)
        snprintf(look->seen, sizeof(look->seen), "%u of %s", count, chip);
    else
        snprintf(look->seen, sizeof(look->seen), "%s %s/sys/bus/pci/devices",
                 readable ? "none in" : "cannot read", root);
    if (!look->found)
        strlcpy(look->remedy, "use an inf1, inf2, trn1, trn2 or trn3 instance",
                sizeof(look->remedy));
    return chip;
}

static void look_module(struct absence_look *look, const char *root)
{
    char path[PATH_MAX], version[SHORT_FILE];
    snprintf(path, sizeof(path), "%s/sys/module/neuron", root);
    struct stat info;
    look->what = "driver";
    look->found = stat(path, &info) == 0;
    below_line(path, "/version", version, sizeof(version));
    if (look->found)
        snprintf(look->seen, sizeof(look->seen), "module neuron %s is loaded",
                 version[0] ? version : "(version unknown)");
    else
        snprintf(look->seen, sizeof(look->seen), "no %.*s: the module is not loaded",
                 ABSENCE_TEXT / 2, path);
    if (!look->found)
        strlcpy(
            look->remedy,
            "install aws-neuronx-dkms on the host (not in a container), then: sudo modprobe neuron",
            sizeof(look->remedy));
}

static bool is_directory(DIR *dir, const char *name)
{
    struct stat info;
    return fstatat(dirfd(dir), name, &info, 0) == 0 && S_ISDIR(info.st_mode);
}

// Counts entries "neuronN" of a directory; with ODD only those that are directories, and there the
// others.
static unsigned count_neuron(DIR *dir, unsigned *odd)
{
    unsigned count = 0;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        if (strncmp(entry->d_name, "neuron", 6) != 0 || !isdigit((unsigned char)entry->d_name[6]))
            continue;
        if (odd != NULL && !is_directory(dir, entry->d_name))
            ++*odd;
        else
            count++;
    }
    return count;
}

static void look_counted(struct absence_look *look, const char *root, const char *path,
                         const char *what, const char *remedy, unsigned *odd)
{
    DIR *dir = open_below(root, path);
    unsigned count = count_neuron(dir, odd);
    look->what = what;
    look->found = count > 0;
    look->unreadable = dir == NULL;
    if (count > 0)
        snprintf(look->seen, sizeof(look->seen), "%u in %s%s", count, root, path);
    else if (odd != NULL && *odd > 0)
        snprintf(look->seen, sizeof(look->seen), "%u in %s%s, but no director%s", *odd, root, path,
                 *odd == 1 ? "y" : "ies");
    else
        snprintf(look->seen, sizeof(look->seen), "%s %s%s", dir == NULL ? "cannot read" : "none in",
                 root, path);
    if (count == 0)
        strlcpy(look->remedy, remedy, sizeof(look->remedy));
    if (dir != NULL)
        closedir(dir);
}

static void look_tools(struct absence_look *look, const char *root)
{
    char path[PATH_MAX];
    look->what = "neuron-monitor";
    look->found = which_neuron_tool("neuron-monitor", root, path, sizeof(path));
    if (look->found) {
        snprintf(look->seen, sizeof(look->seen), "%.*s", ABSENCE_TEXT - 1, path);
        return;
    }
    snprintf(look->seen, sizeof(look->seen), "neither on PATH nor in %s/opt/aws/neuron/bin", root);
    strlcpy(look->remedy, "install aws-neuronx-tools", sizeof(look->remedy));
}

// One line a cause, in the order of field case F-14.
static const char *verdict(const struct absence_look *looks, unsigned odd)
{
    if (!looks[LOOK_DEVICES].found && odd > 0)
        return "what stands for the driver's devices below /sys is no directory";
    if (!looks[LOOK_PCI].found && !looks[LOOK_MODULE].found && !looks[LOOK_NODES].found)
        return "this is not a Neuron instance (no Neuron PCI function)";
    if (!looks[LOOK_MODULE].found)
        return "the Neuron driver is not loaded";
    if (!looks[LOOK_NODES].found)
        return "no Neuron device is mapped here (driver loaded, no /dev/neuron*)";
    return "the driver is there, but neuron-monitor was not found";
}

void absence_look(struct absence *absence, const char *root)
{
    unsigned odd = 0;
    memset(absence, 0, sizeof(*absence));
    const char *chip = look_pci(&absence->looks[LOOK_PCI], root);
    bool inf1 = chip != NULL && strcmp(chip, "Inferentia") == 0;
    look_module(&absence->looks[LOOK_MODULE], root);
    look_counted(&absence->looks[LOOK_DEVICES], root, "/sys/class/neuron_device",
                 "driver's devices",
                 inf1 ? "load the driver; on Inf1 the last driver series is 2.24"
                      : "load the driver: sudo modprobe neuron",
                 &odd);
    look_counted(&absence->looks[LOOK_NODES], root, "/dev", "device nodes",
                 "in a container: start it with --device=/dev/neuron0 (one for each chip)", NULL);
    look_tools(&absence->looks[LOOK_TOOLS], root);
    strlcpy(absence->verdict, verdict(absence->looks, odd), sizeof(absence->verdict));
}
