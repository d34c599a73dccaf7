// Loads campaign files: a matrix of trials from columns (scenarios) and rows (components that are
// struck, or faults).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/fault/catalogue.h"
#include "base/text.h"
#include "harness/files/campaign_file.h"
#include "harness/files/fault/fault_file.h"
#include "harness/files/fault/fault_watch.h"
#include "harness/files/places.h"
#include "harness/files/scenario.h"
#include "harness/files/square_claim.h"
#include "harness/files/target/target_of.h"
#include "harness/packs/list.h"

#define TRIALS_MAX 100000
#define COLUMNS_MAX 8

struct column {
    char title[NAME_MAX_LENGTH], scenario[PATH_MAX_LENGTH], claim[PATH_MAX_LENGTH];
    unsigned trials;
    struct trigger at;
    double restart_after_s;
};

struct row {
    char component[NAME_MAX_LENGTH], title[NAME_MAX_LENGTH], claim[PATH_MAX_LENGTH];
    struct fault_request fault;
    unsigned must_stand_count, expected_count, claims_count;
    bool must_stand[COLUMNS_MAX];
    char expected[COLUMNS_MAX][NAME_MAX_LENGTH];
    char claims[COLUMNS_MAX][PATH_MAX_LENGTH];
};

struct matrix { // as the file has it
    struct campaign campaign;
    char target[NAME_MAX_LENGTH];
    struct fault_request fault;
    unsigned column_count, row_count;
    struct column column[COLUMNS_MAX];
    struct row row[SQUARES_MAX];
};

static const struct file_row column_rows[] = {
    {"title", VALUE_TEXT, true, FIELD(struct column, title), .unique = true,
     .help = "of the column"},
    {"scenario", VALUE_TEXT, true, FIELD(struct column, scenario),
     .help = "its file, relative to the campaign's folder"},
    {"claim", VALUE_TEXT, false, FIELD(struct column, claim),
     .help = "of its squares, if their rows state none"},
    {"trials", VALUE_WHOLE, true, FIELD(struct column, trials), .min = 1, .max = TRIALS_MAX,
     .help = "of each square of the column"},
    {"at", VALUE_MAP, false, FIELD(struct column, at), .rows = trigger_rows, .elsewhere = true,
     .help = "when the fault strikes, instead of the fault's own"},
    {"restart_after_s", VALUE_NUMBER, false, FIELD(struct column, restart_after_s),
     .max = FAULT_DURATION_MAX_S, .help = "instead of the fault's own"},
    {.key = NULL}};

static const struct file_row row_rows[] = {
    {"component", VALUE_TEXT, true, FIELD(struct row, component), .help = "what is struck"},
    {"title", VALUE_TEXT, false, FIELD(struct row, title),
     .help = "the row's name, if it is not the component"},
    {"claim", VALUE_TEXT, false, FIELD(struct row, claim),
     .help = "of its squares. Without any, a square whose fault or `must_stand` is not its "
             "scenario's has a claim made of what is judged there; any other has the scenario's"},
    {"claims", VALUE_TEXT, false, LIST(struct row, claims, claims_count), .blank = true,
     .most = COLUMNS_MAX, .help = "of single squares, one text per column; `\"\"`: the row's"},
    {"fault", VALUE_MAP, false, FIELD(struct row, fault), .rows = fault_rows, .elsewhere = true,
     .help = "the row's own fault, instead of the campaign's"},
    {"must_stand", VALUE_TRUTH, false, LIST(struct row, must_stand, must_stand_count),
     .most = COLUMNS_MAX, .help = "instead of the scenario's; one value per column"},
    {"expected", VALUE_TEXT, false, LIST(struct row, expected, expected_count), .blank = true,
     .most = COLUMNS_MAX, .help = "what the paper says, one text per column"},
    {.key = NULL}};

const struct file_row campaign_rows[] = {
    FORMAT_ROW(1),
    {"name", VALUE_TEXT, true, FIELD(struct matrix, campaign.name), .help = "of the campaign"},
    {"claim", VALUE_TEXT, false, FIELD(struct matrix, campaign.claim),
     .help = "what its trials show, in one sentence; `ukemi list campaigns` prints it"},
    {"target", VALUE_NAME, true, FIELD(struct matrix, target), .help = "its name"},
    {"seed", VALUE_WHOLE, true, FIELD(struct matrix, campaign.seed),
     .help = "trials draw their own seeds from this one"},
    {"recheck_share", VALUE_NUMBER, false, FIELD(struct matrix, campaign.recheck_share), .max = 1,
     .absent = "0",
     .help =
         "share of the trials that are run twice; a different history the second time is an ERROR"},
    {"fault", VALUE_MAP, false, FIELD(struct matrix, fault), .rows = fault_rows, .elsewhere = true,
     .help = "replaces the scenarios' faults: as in a scenario, without `component`"},
    {"columns", VALUE_MAP, true, LIST(struct matrix, column, column_count), .least = 1,
     .most = COLUMNS_MAX, .rows = column_rows, .help = "scenarios"},
    {"rows", VALUE_MAP, true, LIST(struct matrix, row, row_count), .least = 1, .most = SQUARES_MAX,
     .rows = row_rows, .help = "components that are struck, or faults"},
    {.key = NULL}};

struct loading { // what the steps below share
    struct yaml_source *source;
    const struct matrix *file;
    struct target *target;
    struct campaign *campaign;
};

// The path of a scenario, which a campaign names relative to its own folder.
static void scenario_path(const struct loading *loading, const char *relative, char *path,
                          size_t size)
{
    const char *slash = strrchr(loading->campaign->file, '/');
    const bool whole = relative[0] == '/';
    const int length = slash == NULL || whole ? 0 : (int)(slash - loading->campaign->file) + 1;
    if (!whole || !places_moved(relative, path, size))
        snprintf(path, size, "%.*s%s", length, loading->campaign->file, relative);
}

// Puts a fault, striking the row's component at the column's instant, in place of the scenario's
// own faults. `where` it stands in the file: the row's own, or the campaign's.
static void fill_fault(struct loading *loading, const struct fault_request *fault,
                       const char *where, unsigned row, unsigned column, struct scenario *scenario)
{
    struct yaml_source *source = loading->source;
    const struct yaml_key restart = yaml_key("columns[%u].restart_after_s", column);
    const struct yaml_key component = yaml_key("rows[%u].component", row);
    struct yaml_key at = yaml_key("columns[%u].at", column);
    const bool own_at = yaml_has(source, at.text);
    struct fault_request *request = &scenario->fault[0];
    for (; scenario->replaced_count < scenario->fault_count; scenario->replaced_count++)
        text_copy(scenario->replaced[scenario->replaced_count], NAME_MAX_LENGTH,
                  scenario->fault[scenario->replaced_count].kind);
    *request = *fault;
    scenario->fault_count = 1;
    fault_check(source, where, loading->campaign->catalogue, request);
    if (yaml_has(source, restart.text))
        request->restart_after_s = loading->file->column[column].restart_after_s;
    text_copy(request->component, sizeof request->component, loading->file->row[row].component);
    struck_check(source, component.text, request->component,
                 catalogue_find(loading->campaign->catalogue, request->kind), loading->target);
    fault_names_check(source, where, catalogue_find(loading->campaign->catalogue, request->kind),
                      request, loading->target);
    if (own_at)
        request->at = loading->file->column[column].at;
    else
        at = yaml_key("%s.at", where);
    if (!yaml_has(source, at.text))
        yaml_complain(source, at.text, "missing; say when the fault strikes, here or under fault");
    else
        trigger_check(source, at.text, scenario->duration_s, loading->target, &request->at);
}

// The claim that the file states nearest to the square, or one made of what is judged there; the
// scenario's, if that is judged as there.
static void fill_claim(struct loading *loading, unsigned row, unsigned column, bool changed,
                       struct scenario *scenario)
{
    const struct row *own = &loading->file->row[row];
    const char *stated[] = {own->claims[column], own->claim, loading->file->column[column].claim};
    for (size_t i = 0; i < sizeof stated / sizeof stated[0]; i++)
        if (stated[i][0] != '\0') {
            text_copy(scenario->claim, sizeof scenario->claim, stated[i]);
            return;
        }
    if (changed)
        square_claim(loading->target, scenario);
}

// What the row changes in the column's scenario.
static void fill_row(struct loading *loading, unsigned row, unsigned column,
                     struct scenario *scenario)
{
    const struct row *own = &loading->file->row[row];
    const struct yaml_key fault = yaml_key("rows[%u].fault", row);
    const bool stood = scenario->must_stand, own_fault = yaml_has(loading->source, fault.text),
               struck = own_fault || yaml_has(loading->source, "fault");
    if (own_fault)
        fill_fault(loading, &own->fault, fault.text, row, column, scenario);
    else if (struck)
        fill_fault(loading, &loading->file->fault, "fault", row, column, scenario);
    if (own->must_stand_count == loading->file->column_count)
        scenario->must_stand = own->must_stand[column];
    else if (own->must_stand_count > 0)
        yaml_complain(loading->source, yaml_key("rows[%u].must_stand", row).text,
                      "%u values for %u columns; give one for each", own->must_stand_count,
                      loading->file->column_count);
    if (own->claims_count > 0 && own->claims_count != loading->file->column_count)
        yaml_complain(loading->source, yaml_key("rows[%u].claims", row).text,
                      "%u texts for %u columns; give one for each", own->claims_count,
                      loading->file->column_count);
    fill_claim(loading, row, column, struck || scenario->must_stand != stood, scenario);
}

// Where the first fault of a square stands.
static struct yaml_key where_struck(const struct loading *loading, unsigned row, unsigned column)
{
    const struct yaml_key of_column = yaml_key("columns[%u].at", column),
                          of_row = yaml_key("rows[%u].fault", row);
    if (yaml_has(loading->source, of_column.text))
        return of_column;
    if (yaml_has(loading->source, of_row.text))
        return of_row;
    return yaml_has(loading->source, "fault") ? yaml_key("fault")
                                              : yaml_key("columns[%u].scenario", column);
}

// Whether what faults do is looked at, and what promises count from can happen, in this square.
static void check_watch(const struct loading *loading, unsigned row, unsigned column,
                        const struct scenario *scenario)
{
    char why[256];
    for (unsigned i = 0; i < scenario->fault_count; i++)
        if (!fault_watched(scenario, i, why, sizeof why))
            yaml_complain(loading->source, where_struck(loading, row, column).text, "%s", why);
    for (unsigned i = 0; i < scenario->promise_count; i++)
        if (!scenario->promise[i].of_target &&
            !promise_anchored(scenario, loading->target, &scenario->promise[i], why, sizeof why))
            yaml_complain(loading->source, where_struck(loading, row, column).text,
                          "%s: promise %s", scenario->name, why);
}

static enum status fill_square(struct loading *loading, unsigned row, unsigned column)
{
    char path[2 * PATH_MAX_LENGTH];
    const struct column *own_column = &loading->file->column[column];
    const struct row *own_row = &loading->file->row[row];
    struct campaign *campaign = loading->campaign;
    struct campaign_square *square = &campaign->square[campaign->square_count++];
    text_copy(square->row, sizeof square->row,
              own_row->title[0] != '\0' ? own_row->title : own_row->component);
    text_copy(square->column, sizeof square->column, own_column->title);
    text_copy(square->expected, sizeof square->expected, own_row->expected[column]);
    square->trials = own_column->trials;
    scenario_path(loading, own_column->scenario, path, sizeof path);
    enum status status =
        scenario_load_with(path, loading->target, campaign->catalogue, &square->scenario);
    if (status != STATUS_OK) {
        yaml_complain(loading->source, yaml_key("columns[%u].scenario", column).text,
                      "%s: cannot be used, see above", path);
        return status;
    }
    fill_row(loading, row, column, square->scenario);
    if (yaml_status(loading->source) == STATUS_OK)
        check_watch(loading, row, column, square->scenario);
    return STATUS_OK;
}

static enum status fill_squares(struct loading *loading)
{
    const struct matrix *file = loading->file;
    if (file->row_count * file->column_count > SQUARES_MAX) {
        yaml_complain(loading->source, "rows",
                      "%u x %u squares: too many; a campaign holds %d, so split it",
                      file->row_count, file->column_count, SQUARES_MAX);
        return STATUS_INVALID;
    }
    for (unsigned row = 0; row < file->row_count; row++)
        for (unsigned column = 0; column < file->column_count; column++) {
            enum status status = fill_square(loading, row, column);
            if (status == STATUS_OK) // what is wrong here may be wrong in each
                status = yaml_status(loading->source);
            if (status != STATUS_OK)
                return status;
        }
    return yaml_status(loading->source);
}

static bool has_fault(const struct campaign *campaign)
{
    for (unsigned i = 0; i < campaign->square_count; i++)
        if (campaign->square[i].scenario->fault_count > 0)
            return true;
    return false;
}

// The page of its report: a pack's, which is about what faults did, or that of all campaigns.
static void choose_page(const struct target *target, struct campaign *campaign)
{
#define PACK_PAGE(pack, page) {pack, page},
    static const char *const pages[][2] = {PACK_PAGES(PACK_PAGE)};
#undef PACK_PAGE
    text_copy(campaign->page, sizeof campaign->page, CAMPAIGN_PAGE);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        for (unsigned p = 0; p < target->pack_count; p++)
            if (strcmp(target->pack[p], pages[i][0]) == 0 && has_fault(campaign))
                text_copy(campaign->page, sizeof campaign->page, pages[i][1]);
}

static enum status fill(struct yaml_source *source, void *file, void *context)
{
    struct campaign *campaign = context;
    struct loading loading = {.source = source, .file = file, .campaign = campaign};
    *campaign = loading.file->campaign;
    yaml_copy_path(source, campaign->file);
    enum status status = target_of(source, loading.file->target, &loading.target);
    if (status == STATUS_OK)
        status = catalogue_load(&campaign->catalogue);
    if (status == STATUS_OK)
        status = fill_squares(&loading);
    if (status == STATUS_OK)
        choose_page(loading.target, campaign);
    target_free(loading.target);
    return status;
}

enum status campaign_load(const char *path, struct campaign **campaign)
{
    void *file = NULL;
    struct campaign *new = calloc(1, sizeof *new);
    const enum status status =
        new == NULL ? STATUS_NO_MEMORY
                    : file_load(path, campaign_rows, sizeof(struct matrix), fill, new, &file);
    free(file);
    if (status != STATUS_OK)
        campaign_free(new);
    *campaign = status == STATUS_OK ? new : NULL;
    return status;
}

void campaign_free(struct campaign *campaign)
{
    if (campaign == NULL)
        return;
    for (unsigned i = 0; i < campaign->square_count; i++)
        scenario_free(campaign->square[i].scenario);
    catalogue_free(campaign->catalogue);
    free(campaign);
}
