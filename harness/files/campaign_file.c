// Loads campaign files: a matrix of trials from columns (scenarios) and rows (components that are
// struck, or faults).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/catalogue.h"
#include "base/text.h"
#include "harness/files/fault_file.h"
#include "harness/files/scenario.h"
#include "harness/files/target_of.h"
#include "harness/files/yaml_source.h"

#define TRIALS_MAX 100000
#define COLUMNS_MAX 8
#define SEED_MAX INT64_MAX // what the database holds

struct column_file {
    char *title, *scenario;
    unsigned trials;
    struct trigger_file *at;
    double *restart_after_s;
};

struct row_file {
    char *component, *title, *claim;
    struct fault_file *fault;
    bool *must_stand;
    unsigned must_stand_count;
    char **expected;
    unsigned expected_count;
};

struct campaign_file {
    char *name, *claim, *target;
    uint64_t seed;
    double *recheck_share;
    struct fault_file *fault;
    struct column_file *columns;
    unsigned columns_count;
    struct row_file *rows;
    unsigned rows_count;
};

static const cyaml_schema_field_t column_fields[] = {
    CYAML_FIELD_STRING_PTR("title", CYAML_FLAG_POINTER, struct column_file, title, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("scenario", CYAML_FLAG_POINTER, struct column_file, scenario, 1,
                           PATH_MAX_LENGTH - 1),
    CYAML_FIELD_UINT("trials", CYAML_FLAG_DEFAULT, struct column_file, trials),
    CYAML_FIELD_MAPPING_PTR("at", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct column_file, at,
                            trigger_file_fields),
    CYAML_FIELD_FLOAT_PTR("restart_after_s", CYAML_FLAG_OPTIONAL, struct column_file,
                          restart_after_s),
    CYAML_FIELD_END};
static const cyaml_schema_value_t column_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct column_file, column_fields)};

static const cyaml_schema_value_t expected_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 0, NAME_MAX_LENGTH - 1)};

static const cyaml_schema_value_t must_stand_schema = {CYAML_VALUE_BOOL(CYAML_FLAG_DEFAULT, bool)};

static const cyaml_schema_field_t row_fields[] = {
    CYAML_FIELD_STRING_PTR("component", CYAML_FLAG_POINTER, struct row_file, component, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("title", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct row_file,
                           title, 1, NAME_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("claim", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct row_file,
                           claim, 1, PATH_MAX_LENGTH - 1),
    CYAML_FIELD_MAPPING_PTR("fault", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct row_file,
                            fault, fault_file_fields),
    CYAML_FIELD_SEQUENCE("must_stand", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct row_file,
                         must_stand, &must_stand_schema, 0, COLUMNS_MAX),
    CYAML_FIELD_SEQUENCE("expected", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct row_file,
                         expected, &expected_schema, 0, COLUMNS_MAX),
    CYAML_FIELD_END};
static const cyaml_schema_value_t row_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct row_file, row_fields)};

static const cyaml_schema_field_t campaign_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct campaign_file, name, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("claim", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct campaign_file,
                           claim, 1, PATH_MAX_LENGTH - 1),
    CYAML_FIELD_STRING_PTR("target", CYAML_FLAG_POINTER, struct campaign_file, target, 1,
                           NAME_MAX_LENGTH - 1),
    CYAML_FIELD_UINT("seed", CYAML_FLAG_DEFAULT, struct campaign_file, seed),
    CYAML_FIELD_FLOAT_PTR("recheck_share", CYAML_FLAG_OPTIONAL, struct campaign_file,
                          recheck_share),
    CYAML_FIELD_MAPPING_PTR("fault", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct campaign_file,
                            fault, fault_file_fields),
    CYAML_FIELD_SEQUENCE("columns", CYAML_FLAG_POINTER, struct campaign_file, columns,
                         &column_schema, 1, COLUMNS_MAX),
    CYAML_FIELD_SEQUENCE("rows", CYAML_FLAG_POINTER, struct campaign_file, rows, &row_schema, 1,
                         CELLS_MAX),
    CYAML_FIELD_END};
static const cyaml_schema_value_t campaign_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct campaign_file, campaign_fields)};

struct loading { // what the steps below share
    struct yaml_source *source;
    const char *path;
    const struct campaign_file *file;
    struct target *target;
    struct catalogue *catalogue;
    struct campaign *campaign;
};

// The path of a scenario, which a campaign names relative to its own folder.
static void scenario_path(const struct loading *loading, const char *relative, char *path,
                          size_t size)
{
    const char *slash = strrchr(loading->path, '/');
    const bool whole = relative[0] == '/';
    const int length = slash == NULL || whole ? 0 : (int)(slash - loading->path) + 1;
    snprintf(path, size, "%.*s%s", length, loading->path, relative);
}

// Puts a fault, striking the row's component at the column's instant, in place of the scenario's own faults. `where` it stands in
// the file: the row's own, or the campaign's.
static void fill_fault(struct loading *loading, const struct fault_file *template,
                       const char *where, unsigned row, unsigned column, struct scenario *scenario)
{
    char key[64];
    const struct column_file *at_column = &loading->file->columns[column];
    struct fault_request *request = &scenario->fault[0];
    *request = (struct fault_request){0};
    scenario->fault_count = 1;
    fault_fill(loading->source, where, template, loading->catalogue, request);
    if (at_column->restart_after_s != NULL) {
        snprintf(key, sizeof key, "columns[%u].restart_after_s", column);
        restart_fill(loading->source, key, *at_column->restart_after_s, request);
    }
    snprintf(key, sizeof key, "rows[%u].component", row);
    struck_check(loading->source, key, loading->file->rows[row].component,
                 catalogue_find(loading->catalogue, template->kind), loading->target);
    yaml_copy(loading->source, key, loading->file->rows[row].component, request->component,
              sizeof request->component);
    const struct trigger_file *at = at_column->at != NULL ? at_column->at : template->at;
    if (at_column->at != NULL)
        snprintf(key, sizeof key, "columns[%u].at", column);
    else
        snprintf(key, sizeof key, "%s.at", where);
    if (at == NULL)
        yaml_complain(loading->source, key,
                      "missing; say when the fault strikes, here or under fault");
    else
        trigger_fill(loading->source, key, at, scenario->duration_s, &request->at);
}

// What the row changes in the column's scenario.
static void fill_row(struct loading *loading, unsigned row, unsigned column,
                     struct scenario *scenario)
{
    char where[64];
    const struct row_file *at_row = &loading->file->rows[row];
    snprintf(where, sizeof where, "rows[%u].fault", row);
    if (at_row->fault != NULL)
        fill_fault(loading, at_row->fault, where, row, column, scenario);
    else if (loading->file->fault != NULL)
        fill_fault(loading, loading->file->fault, "fault", row, column, scenario);
    if (at_row->claim != NULL)
        text_copy(scenario->claim, sizeof scenario->claim, at_row->claim);
    if (at_row->must_stand == NULL)
        return;
    snprintf(where, sizeof where, "rows[%u].must_stand", row);
    if (at_row->must_stand_count != loading->file->columns_count)
        yaml_complain(loading->source, where, "%u values for %u columns; give one for each",
                      at_row->must_stand_count, loading->file->columns_count);
    else
        scenario->must_stand = at_row->must_stand[column];
}

static enum status fill_cell(struct loading *loading, unsigned row, unsigned column)
{
    char path[2 * PATH_MAX_LENGTH], key[64];
    const struct column_file *at_column = &loading->file->columns[column];
    const struct row_file *at_row = &loading->file->rows[row];
    struct campaign *campaign = loading->campaign;
    struct campaign_cell *cell = &campaign->cell[campaign->cell_count++];
    text_copy(cell->row, sizeof cell->row,
              at_row->title != NULL ? at_row->title : at_row->component);
    text_copy(cell->column, sizeof cell->column, at_column->title);
    if (column < at_row->expected_count)
        text_copy(cell->expected, sizeof cell->expected, at_row->expected[column]);
    cell->trials = at_column->trials;
    snprintf(key, sizeof key, "columns[%u].trials", column);
    yaml_check_range(loading->source, key, cell->trials, 1, TRIALS_MAX);
    scenario_path(loading, at_column->scenario, path, sizeof path);
    enum status status = scenario_load(path, loading->target, &cell->scenario);
    if (status != STATUS_OK) {
        snprintf(key, sizeof key, "columns[%u].scenario", column);
        yaml_complain(loading->source, key, "%s: cannot be used, see above", path);
        return status;
    }
    fill_row(loading, row, column, cell->scenario);
    return STATUS_OK;
}

static enum status fill_cells(struct loading *loading)
{
    const struct campaign_file *file = loading->file;
    if (file->rows_count * file->columns_count > CELLS_MAX) {
        yaml_complain(loading->source, "rows", "%u x %u cells: too many; a campaign holds %d",
                      file->rows_count, file->columns_count, CELLS_MAX);
        return STATUS_INVALID;
    }
    for (unsigned row = 0; row < file->rows_count; row++)
        for (unsigned column = 0; column < file->columns_count; column++) {
            enum status status = fill_cell(loading, row, column);
            if (status == STATUS_OK) // what is wrong here may be wrong in each
                status = yaml_status(loading->source);
            if (status != STATUS_OK)
                return status;
        }
    return yaml_status(loading->source);
}

static enum status fill(struct loading *loading)
{
    const struct campaign_file *file = loading->file;
    struct campaign *campaign = loading->campaign;
    text_copy(campaign->name, sizeof campaign->name, file->name);
    text_copy(campaign->claim, sizeof campaign->claim, file->claim != NULL ? file->claim : "");
    yaml_copy(loading->source, "", loading->path, campaign->file, sizeof campaign->file);
    campaign->seed = file->seed;
    if (file->seed > SEED_MAX)
        yaml_complain(loading->source, "seed", "%llu: too large; use at most %llu",
                      (unsigned long long)file->seed, (unsigned long long)SEED_MAX);
    campaign->recheck_share = file->recheck_share != NULL ? *file->recheck_share : 0;
    yaml_check_range(loading->source, "recheck_share", campaign->recheck_share, 0, 1);
    enum status status = target_of(loading->source, file->target, &loading->target);
    if (status == STATUS_OK)
        status = catalogue_load(&loading->catalogue);
    return status == STATUS_OK ? fill_cells(loading) : status;
}

enum status campaign_load(const char *path, struct campaign **campaign)
{
    *campaign = NULL;
    void *data;
    struct loading loading = {.path = path};
    enum status status = yaml_open(path, &campaign_schema, &loading.source, &data);
    if (status != STATUS_OK)
        return status;
    loading.file = data;
    loading.campaign = calloc(1, sizeof *loading.campaign);
    status = loading.campaign == NULL ? STATUS_NO_MEMORY : fill(&loading);
    yaml_close(loading.source);
    catalogue_free(loading.catalogue);
    target_free(loading.target);
    if (status == STATUS_OK)
        *campaign = loading.campaign;
    else
        campaign_free(loading.campaign);
    return status;
}

void campaign_free(struct campaign *campaign)
{
    if (campaign == NULL)
        return;
    for (unsigned i = 0; i < campaign->cell_count; i++)
        scenario_free(campaign->cell[i].scenario);
    free(campaign);
}
