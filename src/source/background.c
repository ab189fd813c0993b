// SPDX-License-Identifier: Apache-2.0
// Threads beside the one that owns terminal and readers.
#include "source/background.h"

#include <pthread.h>
#include <signal.h>

bool background_start(void *(*run)(void *), void *argument, size_t stack)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before); // signals are for the thread of the terminal
    bool started = pthread_create(&thread, &attributes, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}
