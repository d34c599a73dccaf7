#include "harness/view/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/files/target/target.h"
#include "harness/history/fault_facts.h"
#include "harness/view/apart.h"
#include "harness/view/body_states.h"
#include "plant/picture.h"

#define QUALITY 75 // of 100
#define EFFORT 1   // of 6: four times as fast as 4, for files a tenth larger
#define NOTE_MAX 200

// What draws in software translates it for this processor, which takes addresses; no more memory
// than the system gives.
static const struct apart_limits limits = {.cpu_s = 1200, .memory_B = 0};

struct filming {
    const struct view_request *request;
    const struct body_states *states;
    const struct series *faults;
    struct picture *picture;
    WebPAnimEncoder *encoder;
};

// ---- what is written on it ----------------------------------------------------------------------

static void note_faults(const struct filming *film, double time_s, char note[NOTE_MAX])
{
    note[0] = '\0';
    for (size_t i = 0; i < film->faults->count; i++) {
        const struct fault_event *event = film->faults->event[i]->data;
        if (event->kind != FAULT_APPLIED || instant_to_s(event->time) > time_s ||
            fault_over_s(film->request->history, event) < time_s)
            continue;
        text_add(note, NOTE_MAX, "%s%.*s: %.*s", note[0] == '\0' ? "" : "\n",
                 (int)sizeof event->fault, event->fault, (int)sizeof event->component,
                 event->component);
    }
}

// ---- frames -------------------------------------------------------------------------------------

static int milliseconds(double time_s)
{
    return (int)lround(time_s * 1e3);
}

static enum status add_frame(struct filming *film, size_t index, double time_s)
{
    char title[128], note[NOTE_MAX];
    struct body_state state[BODY_ROBOTS_MAX];
    WebPConfig config;
    WebPPicture frame;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&frame))
        return STATUS_SYSTEM;
    config.quality = QUALITY;
    config.method = EFFORT;
    frame.use_argb = 1;
    frame.width = FILM_WIDTH;
    frame.height = FILM_HEIGHT;
    snprintf(title, sizeof title, "%.80s   %5.2f s", film->request->title, time_s);
    note_faults(film, time_s, note);
    body_states_at(film->states, index, state);
    const uint8_t *rgb = picture_draw(film->picture, state, film->states->robots, title, note);
    const bool fine = WebPPictureImportRGB(&frame, rgb, 3 * FILM_WIDTH) &&
                      WebPAnimEncoderAdd(film->encoder, &frame, milliseconds(time_s), &config);
    WebPPictureFree(&frame);
    return fine ? STATUS_OK : STATUS_NO_MEMORY;
}

// Each frame shows the last state before its time.
static enum status add_frames(struct filming *film)
{
    const struct series *series = &film->states->series;
    const double end_s = instant_to_s(series->event[series->count - 1]->time);
    const double period_s = fmax(1.0 / FILM_FRAMES_S, end_s / (FILM_FRAMES_MAX - 1));
    enum status status = STATUS_OK;
    size_t index = 0;
    unsigned frame = 0;
    for (; frame < FILM_FRAMES_MAX && frame * period_s <= end_s && status == STATUS_OK; frame++) {
        while (index + 1 < series->count &&
               instant_to_s(series->event[index + 1]->time) <= frame * period_s)
            index++;
        status = add_frame(film, index, frame * period_s);
    }
    if (status == STATUS_OK &&
        !WebPAnimEncoderAdd(film->encoder, NULL, milliseconds(frame * period_s), NULL))
        status = STATUS_NO_MEMORY;
    return status;
}

static enum status write_frames(struct filming *film, FILE *out)
{
    WebPAnimEncoderOptions options;
    WebPData data;
    if (!WebPAnimEncoderOptionsInit(&options))
        return STATUS_SYSTEM;
    film->encoder = WebPAnimEncoderNew(FILM_WIDTH, FILM_HEIGHT, &options);
    if (film->encoder == NULL)
        return STATUS_NO_MEMORY;
    enum status status = add_frames(film);
    if (status == STATUS_OK) {
        WebPDataInit(&data);
        if (WebPAnimEncoderAssemble(film->encoder, &data))
            (void)fwrite(data.bytes, 1, data.size, out);
        else
            status = STATUS_NO_MEMORY;
        WebPDataClear(&data);
    }
    WebPAnimEncoderDelete(film->encoder);
    return status;
}

// In a process of its own.
static enum status make(void *context, FILE *out)
{
    struct filming *film = context;
    struct body *body;
    enum status status = body_states_body(film->states, &body);
    if (status != STATUS_OK)
        return status;
    status = picture_create(body, FILM_WIDTH, FILM_HEIGHT, &film->picture);
    if (status == STATUS_OK)
        status = write_frames(film, out);
    picture_free(film->picture);
    body_free(body);
    return status;
}

enum status film_write(const struct view_request *request, FILE *out)
{
    struct body_states states;
    struct series faults = {0};
    enum status status = body_states_collect(request->history, request->target, request->scenario,
                                             request->description, &states);
    if (status == STATUS_NOT_FOUND)
        log_error("target %s has no body to film, or the history does not say where it was; give "
                  "it `robot` or `body` in target.yaml",
                  request->target->name);
    if (status != STATUS_OK)
        return status;
    if (series_collect(request->history, TOPIC_FAULT, sizeof(struct fault_event), &faults)) {
        struct filming film = {.request = request, .states = &states, .faults = &faults};
        status = apart_run(make, &film, &limits, out);
        free(faults.event);
    } else {
        status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_SYSTEM)
        log_error("%s: the film broke off: the process that made it has died", states.model);
    body_states_free(&states);
    return status;
}
