#include "harness/view/view.h"

#include <string.h>

#include "harness/files/target/target.h"
#include "base/json.h"
#include "harness/view/view_private.h"

static void put_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\":", name);
    json_text(out, text == NULL ? "" : text, SIZE_MAX);
    fputs(",\n", out);
}

static enum status put_data(const struct viewing *view)
{
    const struct view_request *request = view->request;
    FILE *out = view->out;
    fputs("{\n", out);
    put_member(out, "title", request->title);
    put_member(out, "claim", request->claim);
    put_member(out, "again", request->again);
    put_member(out, "lacks", request->lacks == NULL ? "" : request->lacks);
    put_member(out, "hash", request->hash);
    put_member(out, "target", request->target->name);
    fputs("\"end\":", out);
    json_number(out, (double)view->end_ns * 1e-9);
    fputs(",\n", out);
    enum status status = view_put_events(view);
    if (status == STATUS_OK)
        status = view_put_signals(view);
    fputs(",\n", out);
    if (status == STATUS_OK)
        status = view_put_body(view);
    fputs("\n}", out);
    return status;
}

// Writes the page up to a mark; returns what follows it.
static const char *put_to(const char *page, const char *mark, FILE *out)
{
    const char *at = strstr(page, mark);
    if (at == NULL)
        return page;
    (void)fwrite(page, 1, (size_t)(at - page), out);
    return at + strlen(mark);
}

enum status view_write(const struct view_request *request, FILE *out)
{
    const struct viewing view = {request, history_end_ns(request->history), out};
    const char *rest = put_to(view_page, "{{style}}", out);
    fputs(view_style, out);
    rest = put_to(rest, "{{data}}", out);
    const enum status status = put_data(&view);
    rest = put_to(rest, "{{script}}", out);
    fputs(view_script, out);
    fputs(rest, out);
    return status;
}
