// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The vault authors
#define _GNU_SOURCE
#include "CSystemShims.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int vs_hold_prompt_signals(sigset_t *before) {
    const int wanted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT};
    sigset_t held;
    sigemptyset(&held);
    for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
        struct sigaction now;
        // Held, an ignored one would arrive anyway: nohup and a shell's background jobs rely on it not to.
        if (sigaction(wanted[index], NULL, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&held, wanted[index]);
    }
    if (sigprocmask(SIG_BLOCK, &held, before) != 0) return -1;
    int descriptor = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
    if (descriptor < 0) sigprocmask(SIG_SETMASK, before, NULL);
    return descriptor;
}

void vs_release_prompt_signals(int descriptor, const sigset_t *before) {
    if (descriptor < 0) return;
    close(descriptor);
    sigprocmask(SIG_SETMASK, before, NULL);
}

void vs_act_on_signal(int number, const sigset_t *before) {
    sigset_t only, held;
    sigemptyset(&only);
    sigaddset(&only, number);
    // Who held it back before us gets it as something that waits.
    if (!sigismember(before, number)) sigprocmask(SIG_UNBLOCK, &only, &held);
    raise(number);
    if (!sigismember(before, number)) sigprocmask(SIG_SETMASK, &held, NULL);
}

void vs_forget_continuing(void) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, SIGCONT);
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(&only, NULL, &at_once) == SIGCONT) {}
}

int vs_signal_process(int process, int number) { return (int)syscall(SYS_pidfd_send_signal, process, number, NULL, 0); }
