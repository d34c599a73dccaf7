// A process that has nothing to do with the lab and writes down every signal it gets, but for those
// that cannot be caught.
//
//   cell_bystander FILE        a line for each signal: its number and its sender
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int record = -1;

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    dprintf(record, "signal %d from %d\n", number, (int)info->si_pid);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (int number = 1; number < NSIG; number++) // SIGKILL, SIGSTOP and the C library's refuse
        (void)sigaction(number, &action, NULL);
    record = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (record < 0)
        return 3;
    for (;;)
        pause();
}
