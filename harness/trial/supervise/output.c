#include "harness/trial/supervise/output.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/invariant.h"
#include "harness/history/history.h"

#define CHUNK_B 4096
#define CHUNKS_MAX 64 // more waits for the next time

static atomic_bool has_come, no_signal;

// ---- being told ---------------------------------------------------------------------------------

static void tell(int signal)
{
    (void)signal;
    atomic_store_explicit(&has_come, true, memory_order_relaxed);
}

bool output_has_come(void)
{
    if (!atomic_load_explicit(&has_come, memory_order_relaxed))
        return atomic_load_explicit(&no_signal, memory_order_relaxed);
    atomic_store_explicit(&has_come, false, memory_order_relaxed);
    return true;
}

void output_listen(bool on)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGIO);
    (void)sigprocmask(on ? SIG_UNBLOCK : SIG_BLOCK, &signals, NULL);
}

// The kernel signals at the write itself, before whoever writes can give its turn back.
static void ask_to_be_told(int file)
{
    const struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART};
    output_listen(false);
    if (sigaction(SIGIO, &action, NULL) != 0 || fcntl(file, F_SETOWN, getpid()) != 0 ||
        fcntl(file, F_SETFL, O_NONBLOCK | O_ASYNC) != 0)
        atomic_store(&no_signal, true);
}

// ---- reading ------------------------------------------------------------------------------------

void output_open(struct output *output, int file)
{
    expects(file >= 0 && output->file < 0); // that of the life before is closed
    output->file = file;
    output->written_B = output->words_used = output->line_used = 0;
    output->words[0] = '\0';
    if (output->line == NULL)
        output->line = malloc(OUTPUT_LINE_MAX);
    ask_to_be_told(file);
}

static void keep_words(struct output *output, const char *text, size_t length)
{
    const size_t room = sizeof output->words - 1;
    if (length > room) {
        text += length - room;
        length = room;
    }
    if (output->words_used + length > room) {
        size_t drop = output->words_used + length - room;
        memmove(output->words, output->words + drop, output->words_used - drop);
        output->words_used -= drop;
    }
    memcpy(output->words + output->words_used, text, length);
    output->words_used += length;
    output->words[output->words_used] = '\0';
    ensures(output->words_used < sizeof output->words);
}

static void end_line(struct output *output, output_take *take, void *context)
{
    expects(output->line_used < OUTPUT_LINE_MAX);
    output->line[output->line_used] = '\0';
    take(context, output->line, output->line_used);
    output->line_used = 0;
}

static void keep_lines(struct output *output, const char *text, size_t length, output_take *take,
                       void *context)
{
    for (size_t i = 0; i < length && output->line != NULL; i++) {
        if (text[i] == '\n') {
            end_line(output, take, context);
            continue;
        }
        if (output->line_used == OUTPUT_LINE_MAX - 1)
            end_line(output, take, context);
        output->line[output->line_used++] = (char)(text[i] == '\0' ? '?' : text[i]);
    }
}

void output_read(struct output *output, output_take *take, void *context)
{
    char chunk[CHUNK_B];
    for (int i = 0; output->file >= 0 && i < CHUNKS_MAX; i++) {
        const ssize_t got = read(output->file, chunk, sizeof chunk);
        if (got <= 0)
            return;
        keep_words(output, chunk, (size_t)got);
        keep_lines(output, chunk, (size_t)got, take, context);
        output->written_B += (size_t)got;
    }
}

void output_close(struct output *output, output_take *take, void *context)
{
    output_read(output, take, context);
    if (output->line_used > 0)
        end_line(output, take, context);
    if (output->file >= 0)
        close(output->file);
    output->file = -1;
}

void output_free(struct output *output)
{
    free(output->line);
    output->line = NULL;
}
