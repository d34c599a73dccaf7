// Whom a night tells of itself: mail by sendmail, and a program of the user's.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_night.h"
#include "harness/history/whole_file.h"

#define TEXT_MAX_B ((size_t)1 << 20)
#define SUBJECT_MAX 160

// The first word of the mail's subject is what the reader acts on.
static void make_subject(const struct cli_night *night, const struct night_outcome *o,
                         char subject[SUBJECT_MAX])
{
    const unsigned fresh = o->new_failures + o->new_errors;
    snprintf(subject, SUBJECT_MAX, "ukemi %s: %u new, %u gone, %u known", night->file->name, fresh,
             o->gone, o->known + o->flaky);
}

static bool set_environment(const struct cli_night *night, const struct night_outcome *o, int code)
{
    char page[2 * PATH_MAX_LENGTH], *folder = realpath(night->output, NULL);
    const struct {
        const char *name;
        unsigned value;
    } numbers[] = {{"UKEMI_NIGHT_NEW", o->new_failures + o->new_errors},
                   {"UKEMI_NIGHT_GONE", o->gone},
                   {"UKEMI_NIGHT_KNOWN", o->known},
                   {"UKEMI_NIGHT_FLAKY", o->flaky},
                   {"UKEMI_NIGHT_STATUS", (unsigned)code}};
    if (folder == NULL)
        return false;
    snprintf(page, sizeof page, "%s/index.html", folder);
    free(folder);
    bool good = setenv("UKEMI_NIGHT", night->file->name, 1) == 0 &&
                setenv("UKEMI_NIGHT_PAGE", page, 1) == 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && good; i++) {
        char value[16];
        snprintf(value, sizeof value, "%u", numbers[i].value);
        good = setenv(numbers[i].name, value, 1) == 0;
    }
    return good;
}

// Starts a program whose standard input is the pipe's end that *input is the other of.
static int start(char *const *words, pid_t *pid, int *input)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    const int code = posix_spawnp(pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (code != 0)
        close(ends[1]);
    *input = ends[1];
    return code;
}

// Gives it the text. False: it cannot be run, or ended with another status than 0; said of `what`.
static bool feed(char *const *words, const char *what, const char *head, const char *text)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    pid_t pid;
    int input = -1, ended = -1;
    const int code = start(words, &pid, &input);
    if (code != 0) {
        log_error("%s: %s: cannot be run: %s; correct the night's file, or install it", what,
                  words[0], strerror(code));
        return false;
    }
    sigaction(SIGPIPE, &ignore, &before); // it need not read
    FILE *out = fdopen(input, "w");
    if (out != NULL) {
        fprintf(out, "%s%s", head, text);
        (void)fclose(out); // what it did with it is its exit status
    }
    sigaction(SIGPIPE, &before, NULL);
    while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return true;
    log_error("%s: %s: ended with %s %d; see what it says", what, words[0],
              WIFEXITED(ended) ? "exit status" : "signal",
              WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended));
    return false;
}

// Where a system has it, though the path of a service may lack the folder.
static const char *find_sendmail(void)
{
    static const char *const places[] = {"/usr/sbin/sendmail", "/usr/lib/sendmail"};
    const char *own = getenv("UKEMI_SENDMAIL");
    if (own != NULL && own[0] != '\0')
        return own;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return NULL;
}

static bool send_mail(const struct cli_night *night, const char *subject, const char *text)
{
    char head[SUBJECT_MAX + NIGHT_MAIL_MAX * (NAME_MAX_LENGTH + 2) + 128], to[NAME_MAX_LENGTH + 4];
    char *words[NIGHT_MAIL_MAX + 4] = {(char *)find_sendmail(), "-i", "--"};
    unsigned count = 3;
    if (words[0] == NULL) {
        log_info("%s: mail: there is no sendmail on this machine; the page is in %s",
                 night->file->file, night->output);
        return true; // it is sent where it can be
    }
    size_t length = (size_t)snprintf(head, sizeof head, "Subject: %s\nTo: ", subject);
    for (unsigned i = 0; i < night->file->mail_count; i++) {
        snprintf(to, sizeof to, "%s%s", i > 0 ? ", " : "", night->file->mail[i]);
        length += (size_t)snprintf(head + length, sizeof head - length, "%s", to);
        words[count++] = night->file->mail[i];
    }
    snprintf(head + length, sizeof head - length,
             "\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n");
    return feed(words, "mail", head, text);
}

bool cli_night_tell(const struct cli_night *night, const struct night_outcome *o, int code)
{
    char subject[SUBJECT_MAX], path[2 * PATH_MAX_LENGTH], *text = NULL;
    char *const hook[] = {night->file->hook, NULL};
    size_t size_B;
    const bool changed = o->new_failures + o->new_errors + o->gone > 0 || code != EXIT_PASS;
    if (night->file->tell == NIGHT_TELL_CHANGES && !changed)
        return true;
    if (night->file->mail_count == 0 && hook[0][0] == '\0')
        return true;
    make_subject(night, o, subject);
    snprintf(path, sizeof path, "%s/night.txt", night->output);
    if (whole_file_read(path, TEXT_MAX_B, &text, &size_B) != STATUS_OK ||
        !set_environment(night, o, code)) {
        log_error("%s: cannot be read: %s; nobody is told", path, strerror(errno));
        free(text);
        return false;
    }
    bool good = night->file->mail_count == 0 || send_mail(night, subject, text);
    if (hook[0][0] != '\0')
        good = feed(hook, "hook", "", text) && good;
    free(text);
    return good;
}
