// The options of all commands. A row is an option, who takes it, and its help.
#include "harness/bench/bench.h"
#include "harness/cli/cli.h"
#include "harness/explore/storming.h"
#include "harness/export/export.h"
#include "harness/store/benchmark/compare_read.h"

#define OF(name) (1u << CLI_COMMAND_##name)
#define MANY (OF(campaign) | OF(doubt) | OF(storm))
#define TRIALS (OF(run) | MANY)
#define STORES (MANY | OF(night) | OF(bench))
#define MODES (TRIALS | OF(submit))
#define READS                                                                                      \
    (OF(findings) | OF(shrink) | OF(show) | OF(judge) | OF(report) | OF(view) | OF(series) |       \
     OF(export) | OF(diff))
#define OPTION(what, of, words, put, usual, helps, who, ...)                                       \
    {                                                                                              \
        .key = (what), .type = (of), .name = (words), .argument = (put), .fallback = (usual),      \
        .help = (helps), .commands = (who), __VA_ARGS__                                            \
    }
#define ATTACH_MAX_S 86400
#define DOUBT_MAX_S 3600
#define JOBS_MAX 256

const struct cli_option cli_options[] = {
    // what is run
    OPTION(CLI_SEED, CLI_COUNT, "seed", "N", "1",
           "seed of the trial; the same seed gives the same trial", OF(run), .letter = 's',
           .most = INT64_MAX),
    OPTION(CLI_SEED, CLI_COUNT, "seed", "N", "1", "seed of all trials", OF(doubt), .letter = 's',
           .most = INT64_MAX),
    OPTION(CLI_SEED, CLI_COUNT, "seed", "N", "1", "seed of the sensors' noise", OF(plant),
           .most = UINT64_MAX),
    OPTION(CLI_SEED, CLI_COUNT, "seed", "N", "1", "seed of the scenario's trial", OF(shrink),
           .letter = 's', .most = INT64_MAX),
    OPTION(CLI_RUNS, CLI_COUNT, "runs", "N", "400", "trials at most", OF(shrink), .least = 1,
           .most = 4000),
    OPTION(CLI_OUTPUT, CLI_FILE, "output", "FILE", NULL,
           "write the scenario to FILE, and run it once more (default: standard output)",
           OF(shrink), .letter = 'o'),
    OPTION(CLI_SEED, CLI_COUNT, "seed", "N", NULL,
           "with --write: the trial of this seed, which draws its faults, too", OF(storm),
           .letter = 's', .most = INT64_MAX),
    OPTION(CLI_WRITE, CLI_FILE, "write", "FILE", NULL,
           "run nothing: write the scenario of the trial --seed, for `ukemi run FILE --seed N`",
           OF(storm)),
    OPTION(CLI_TRIALS, CLI_COUNT, "trials", "N", "200", "so many trials", OF(storm), .letter = 'n',
           .least = 1, .most = STORM_TRIALS_MAX),
    OPTION(CLI_BUDGET, CLI_TEXT, "budget", "TIME", NULL,
           "start no trial after so long, as 90s, 30m or 2h; without --trials there is no other "
           "limit",
           OF(storm)),
    OPTION(CLI_FIRST, CLI_FLAG, "first", NULL, NULL, "stop at the first trial that fails",
           OF(storm)),
    OPTION(CLI_SERIES, CLI_COUNT, "series", "N", "1",
           "which trials: another number, and all have other seeds", OF(storm), .most = INT64_MAX),
    OPTION(CLI_TRIAL, CLI_COUNT, "trial", "N", NULL, "run a stored trial of a campaign again",
           OF(run), .least = 1, .most = INT64_MAX),
    OPTION(CLI_LIST, CLI_FLAG, "list", NULL, NULL, "list the doubts, and run nothing", OF(doubt)),
    OPTION(CLI_ONLY, CLI_TEXT, "only", "DOUBT", NULL,
           "only doubts of this name; * and ? stand for any letters, and for one", OF(doubt)),
    OPTION(CLI_AT, CLI_NUMBER, "at", "SECONDS", NULL,
           "when doubts begin (default: when all processes are ready)", OF(doubt),
           .to = DOUBT_MAX_S),
    OPTION(CLI_SCENARIO, CLI_NAMES, "scenario", "NAME[=LABEL]", NULL,
           "measure this scenario, stored under LABEL; may be repeated", OF(bench),
           .benches = BENCH_SCENARIOS),
    OPTION(CLI_TARGET, CLI_TEXT, "target", "TARGET", NULL,
           "measure this target, in the scenario that its chain names", OF(bench),
           .benches = BENCH_CHAINS),
    OPTION(CLI_CHAIN, CLI_TEXT, "chain", "CHAIN", NULL,
           "measure this chain of the target (default: its first)", OF(bench),
           .benches = BENCH_CHAINS),
    OPTION(CLI_ROW, CLI_TEXTS, "row", "TEXT", NULL,
           "only rows whose title contains TEXT; may be repeated", OF(bench),
           .benches = BENCH_ROWS),
    OPTION(CLI_BESIDE, CLI_TEXT, "beside", "NAME2", NULL,
           "a second program, run in turn with the first, as campaign NAME2", OF(bench),
           .benches = BENCH_PROGRAMS),
    OPTION(CLI_RUNS, CLI_COUNT, "runs", "N", NULL, "runs of each configuration, in turn", OF(bench),
           .least = 1, .most = BENCH_RUNS_MAX),
    OPTION(CLI_DURATION, CLI_TEXT, "duration", "SECONDS", NULL,
           "duration of a run, at most the scenario's own", OF(bench), .benches = BENCH_DURATION),
    // how
    OPTION(CLI_WALL, CLI_FLAG, "wall", NULL, NULL, "in real time instead of on the virtual clock",
           MODES),
    OPTION(CLI_CHECK_DETERMINISM, CLI_FLAG, "check-determinism", NULL, NULL,
           "run it twice and compare the histories; with --trial, also compare with the stored one",
           OF(run)),
    OPTION(CLI_JOBS, CLI_COUNT, "jobs", "N", NULL,
           "trials at once (default: one per core; with --wall one core is left free)",
           MANY | OF(shrink) | OF(night), .letter = 'j', .most = JOBS_MAX),
    OPTION(CLI_BUDGET, CLI_TEXT, "budget", "TIME", NULL,
           "how long the night may take, as 90s, 30m or 8h (default: as its file says)", OF(night)),
    OPTION(CLI_JOBS, CLI_COUNT, "jobs", "N", "1", "trials at once in a task, a CPU each",
           OF(submit), .letter = 'j', .least = 1, .most = JOBS_MAX),
    OPTION(
        CLI_RESUME, CLI_FLAG, "resume", NULL, NULL,
        "continue what was interrupted, if it is the same still: stored trials are not run again",
        MANY),
    OPTION(CLI_SHARD, CLI_TEXT, "shard", "I/N", NULL,
           "only part I of N, from 0 on, into a database of its own; stored trials are not run "
           "again",
           OF(campaign) | OF(storm)),
    OPTION(CLI_OVERLAP, CLI_TEXT, "overlap", "SHARE", NULL,
           "with --shard: also this share of the next part, as 1%; `ukemi merge` compares",
           OF(campaign)),
    OPTION(CLI_OVERLAP, CLI_TEXT, "overlap", "SHARE", NULL,
           "run this share of the trials in two tasks, as 1%; `ukemi merge` compares", OF(submit)),
    OPTION(CLI_SLURM, CLI_FLAG, "slurm", NULL, NULL, "to Slurm, by sbatch", OF(submit)),
    OPTION(CLI_TASKS, CLI_COUNT, "tasks", "N", NULL,
           "parts, a task each (default 8, or as many as there are trials)", OF(submit), .least = 1,
           .most = SHARDS_MAX),
    OPTION(CLI_PARTITION, CLI_TEXT, "partition", "NAME", NULL,
           "the partition, or several with commas (default: Slurm's)", OF(submit)),
    OPTION(CLI_PARTS, CLI_FOLDER, "parts", "FOLDER", NULL,
           "where script, logs and databases go, which all nodes see (default NAME.parts)",
           OF(submit)),
    OPTION(CLI_WRITE_ONLY, CLI_FLAG, "write-only", NULL, NULL,
           "print the batch script, and submit nothing", OF(submit)),
    OPTION(CLI_MISSING, CLI_FLAG, "missing", NULL, NULL,
           "run nothing: print which trials are missing, and how to get them", OF(campaign)),
    OPTION(CLI_FINISH, CLI_FLAG, "finish", NULL, NULL,
           "of merged parts, if all are there: choose the examples and write the report",
           OF(campaign)),
    OPTION(CLI_NO_REPORT, CLI_FLAG, "no-report", NULL, NULL, "write no report",
           OF(campaign) | OF(storm)),
    OPTION(CLI_ADD, CLI_FLAG, "add", NULL, NULL,
           "also campaigns that INTO, or the first of FROM, does not have", OF(merge)),
    OPTION(CLI_QUIET, CLI_FLAG, "quiet", NULL, NULL, "print no progress", MANY | OF(night)),
    OPTION(
        CLI_CORE, CLI_CORES, "core", "WHICH", "auto",
        "the trial's core: auto (a free one), none (all), or one of a list, as in 0,2-3 (default: "
        "none with --wall, else auto)",
        OF(run)),
    OPTION(CLI_CORE, CLI_CORES, "core", "WHICH", "auto",
           "cores of the trials: auto (free ones), none (any), or a list, as in 0,2-3",
           MANY | OF(shrink) | OF(night)),
    OPTION(
        CLI_CAN, CLI_MEDIUM, "can", "MEDIUM", "auto",
        "what CAN frames travel through: socketcan (the kernel's interfaces), embedded, or auto: "
        "socketcan where there is any",
        TRIALS, .least = LINK_SOCKETCAN),
    OPTION(CLI_INTERFACES, CLI_TEXT, "can", "A,B", NULL,
           "interfaces of the robot's first and second bus; virtual or real", OF(plant)),
    OPTION(CLI_ETHERNET, CLI_MEDIUM, "ethernet", "MEDIUM", "auto",
           "what Ethernet frames travel through: veth (the kernel's interfaces, in real time), "
           "embedded, "
           "or auto: veth with --wall where cells may have it",
           TRIALS, .least = LINK_VETH),
    OPTION(CLI_VIRTUAL, CLI_FLAG, "virtual", NULL, NULL,
           "the planned times on the virtual clock; one run, not stored", OF(bench),
           .benches = BENCH_VIRTUAL),
    OPTION(CLI_NO_COST, CLI_FLAG, "no-cost", NULL, NULL, "do not measure the cost of watching",
           OF(bench), .benches = BENCH_COST),
    OPTION(CLI_UNHOMED, CLI_FLAG, "unhomed", NULL, NULL,
           "axes count from their present position until they are homed", OF(plant)),
    OPTION(CLI_BRIEF_ENCODERS, CLI_FLAG, "brief-encoders", NULL, NULL,
           "boards with one channel reply to encoder requests with 4 bytes, not 8", OF(plant)),
    OPTION(
        CLI_NO_WALL, CLI_FLAG, "no-wall", NULL, NULL,
        "programs have the lab's own rights and see all files: only for targets that you trust as "
        "yourself (doc/explanation/wall.md)",
        MODES | OF(shrink) | OF(night)),
    OPTION(CLI_NO_WALL, CLI_FLAG, "no-wall", NULL, NULL,
           "oracle programs have the lab's own rights and see all files", OF(judge)),
    OPTION(CLI_ATTACH, CLI_TEXT, "attach", "PROCESS", NULL,
           "pause for a debugger of this process: time stands still for all, and no time limit "
           "ends the "
           "trial; Enter continues (doc/how-to/debugging.md)",
           OF(run)),
    OPTION(CLI_AT, CLI_NUMBER, "at", "SECONDS", NULL,
           "when to pause, on the trial's clock (default 0)", OF(run), .to = ATTACH_MAX_S),
    // which of what is there
    OPTION(CLI_ALL, CLI_FLAG, "all", NULL, NULL,
           "all lines that processes printed, and nothing else", OF(show)),
    OPTION(CLI_SEARCH, CLI_TEXT, "search", "REGEX", NULL, "only lines that match, as with grep -E",
           OF(show)),
    OPTION(CLI_PROCESS, CLI_TEXT, "process", "NAME", NULL, "only lines of this process", OF(show)),
    OPTION(CLI_LAST, CLI_COUNT, "last", "N", NULL,
           "compare B with the N earlier benchmarks of its name", OF(diff), .least = 1,
           .most = COMPARE_CAMPAIGNS_MAX),
    OPTION(CLI_SQUARES, CLI_TEXT, "squares", "BEFORE,AFTER", NULL,
           "compare one square with another, of one benchmark or of A and B", OF(diff)),
    OPTION(CLI_METRIC, CLI_TEXT, "metric", "PATTERN", NULL,
           "only metrics that match, as in a shell: '*p99*', '100 Hz*: missed'", OF(diff)),
    OPTION(CLI_METRIC, CLI_TEXT, "metric", "PATTERN", NULL,
           "only histograms that match, as in a shell", OF(export)),
    OPTION(CLI_TOGETHER, CLI_FLAG, "together", NULL, NULL,
           "take all squares of a metric as one, by geometric means of each run", OF(diff)),
    OPTION(CLI_RELEVANT, CLI_NUMBER, "relevant", "PERCENT", "5",
           "a smaller difference does not count", OF(diff), .to = 1000),
    OPTION(CLI_ALPHA, CLI_NUMBER, "alpha", "SHARE", "0.01",
           "chance of any false alarm among all metrics", OF(diff), .from = 1e-6, .to = 0.5),
    OPTION(CLI_CHANGED, CLI_FLAG, "changed", NULL, NULL, "list only what differs", OF(diff)),
    OPTION(CLI_UNCORRECTED, CLI_FLAG, "uncorrected", NULL, NULL,
           "as measured, even if one is corrected for coordinated omission", OF(export)),
    // how it is written, and where
    OPTION(
        CLI_FORMAT, CLI_CHOICE, "format", "junit|tap|github", NULL,
        "write the trials one by one: as JUnit's XML (a suite per square, a case per trial), TAP "
        "version 14 (a test point per trial), or annotations of GitHub Actions for what did not "
        "pass",
        OF(report)),
    OPTION(
        CLI_FORMAT, CLI_CHOICE, "format", "candump|pcapng|dbc|hgrm|cyclictest|film|trace",
        "candump",
        "candump: a log of can-utils (canplayer, log2asc ...); pcapng: for Wireshark and tshark; "
        "dbc: "
        "the robot's messages and signals, for CAN decoders; hgrm: a histogram as HdrHistogram's "
        "percentile text, in us; cyclictest: histograms as cyclictest -h prints them, a column "
        "each; "
        "film: the robot as it moved, with time and faults, an animated WebP; trace: processes, "
        "messages, frames and faults over time, for Perfetto, Chrome and speedscope",
        OF(export)),
    OPTION(
        CLI_FORMAT, CLI_CHOICE, "format", "text|tsv", "text",
        "a table, or a line per metric with tabs between its fields, which the first line names; a "
        "change is a share, or has the unit",
        OF(diff)),
    OPTION(CLI_LANGUAGE, CLI_CHOICE, "language", "c|c++|python|sockets", "c",
           "language of the controller; with sockets both programs are plain Python that knows "
           "nothing "
           "of the lab",
           OF(new)),
    OPTION(CLI_EPOCH, CLI_COUNT, "epoch", "SECONDS", "0",
           "when the trial started, in seconds since 1970", OF(export), .most = EXPORT_EPOCH_MAX_S),
    OPTION(CLI_KEEP_NIGHTS, CLI_COUNT, "keep-nights", "N", "30",
           "the last N runs of each campaign keep all their histories", OF(prune), .least = 1,
           .most = 100000),
    OPTION(CLI_KEEP_FAILURES, CLI_FLAG, "keep-failures", NULL, NULL,
           "histories of trials that did not pass stay, however old", OF(prune)),
    OPTION(CLI_SIZE, CLI_TEXT, "size", "SIZE", NULL,
           "beyond so much, as 500M or 2G, further ones go, the oldest first", OF(prune)),
    OPTION(CLI_KEEP, CLI_FILE, "keep", "FILE", NULL, "write the history to FILE (MCAP)", OF(run)),
    OPTION(CLI_OUTPUT, CLI_FOLDER, "output", "FOLDER", CLI_REPORT,
           "where the report goes; of several scenarios a folder of it each", MANY, .letter = 'o',
           .was = "report"),
    OPTION(CLI_OUTPUT, CLI_FOLDER, "output", "FOLDER", NULL,
           "where the page and the campaigns' reports go (default " CLI_REPORT "/NAME)", OF(night),
           .letter = 'o'),
    OPTION(CLI_OUTPUT, CLI_FOLDER, "output", "FOLDER", NULL, "where the page and its plots go",
           OF(bench), .benches = BENCH_PAGE, .letter = 'o', .was = "report"),
    OPTION(
        CLI_OUTPUT, CLI_FOLDER, "output", "PATH", NULL,
        "the folder of the pages (default " CLI_REPORT "; of a benchmark " CLI_REPORT
        "/NAME). With "
        "--format the file, which is written completely or not at all (default: standard output)",
        OF(report), .letter = 'o', .was = "to"),
    OPTION(CLI_OUTPUT, CLI_FILE, "output", "FILE", NULL,
           "the file to write (default trial-TRIAL.html, view.html)", OF(view), .letter = 'o'),
    OPTION(CLI_OUTPUT, CLI_FILE, "output", "FILE", NULL,
           "write to FILE, completely or not at all (default: standard output)", OF(export),
           .letter = 'o'),
    OPTION(CLI_DB, CLI_FILE, "db", "PATH", CLI_DATABASE,
           "the database; it is made if there is none", STORES),
    OPTION(CLI_DB, CLI_FILE, "db", "PATH", CLI_DATABASE,
           "the database of the whole, in the commands that are printed", OF(submit)),
    OPTION(CLI_DB, CLI_FILE, "db", "PATH", CLI_DATABASE, "the database", READS | OF(prune)),
    OPTION(CLI_DB, CLI_FILE, "db", "PATH", CLI_DATABASE, "the database that holds the trial",
           OF(run)),
    OPTION(CLI_ALLOW_SKIP, CLI_FLAG, "allow-skip", NULL, NULL,
           "exit with 0 although nothing was judged: the verdict is SKIP",
           OF(run) | OF(campaign) | OF(storm) | OF(night) | OF(judge)),
    OPTION(CLI_ALLOW_SKIP, CLI_FLAG, "allow-skip", NULL, NULL,
           "pass over a scenario that this machine or clock skips", OF(doubt)),
    OPTION(CLI_ALLOW_SKIP, CLI_FLAG, "allow-skip", NULL, NULL,
           "with --format: no failing test says that nothing was judged", OF(report)),
    OPTION(CLI_ALLOW_SKIP, CLI_FLAG, "allow-skip", NULL, NULL,
           "exit with 0 although this machine can measure nothing of it", OF(bench)),
    {.name = NULL},
};
