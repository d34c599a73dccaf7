// Cyclone DDS: one reliable topic of byte sequences, newest first, in the world's own network.
#include "tests/bench/channels/mechanism.h"

#if __has_include(<dds/dds.h>)
#include <dds/dds.h>

// As its idlc makes them of: module bench { @final @topic struct frame { sequence<octet> data; };
// };
struct bytes {
    uint32_t maximum, length;
    uint8_t *data;
    bool release;
};
struct sample {
    struct bytes data;
};
static const uint32_t operations[] = {DDS_OP_ADR | DDS_OP_TYPE_SEQ | DDS_OP_SUBTYPE_1BY,
                                      offsetof(struct sample, data), DDS_OP_RTS};
static const dds_topic_descriptor_t descriptor = {.m_size = sizeof(struct sample),
                                                  .m_align = _Alignof(struct sample),
                                                  .m_typename = "bench::frame",
                                                  .m_nops = 2,
                                                  .m_ops = operations,
                                                  .m_meta = ""};

struct end {
    dds_entity_t endpoint; // reader or writer
    dds_entity_t waitset;  // of a reader
    void *sample;          // lent to a reader, NULL: none
};

static dds_entity_t check(dds_return_t result, const char *what)
{
    if (result < 0)
        bench_fail("dds: %s: %s", what, dds_strretcode(-result));
    return result;
}

static dds_entity_t open_topic(dds_entity_t *participant, dds_qos_t **qos)
{
    *participant = check(dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL), "participant");
    *qos = dds_create_qos();
    dds_qset_reliability(*qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_history(*qos, DDS_HISTORY_KEEP_LAST, 1);
    return check(dds_create_topic(*participant, &descriptor, "bench", NULL, NULL), "topic");
}

static void *open_writer(unsigned readers)
{
    (void)readers;
    struct end *end = bench_new(sizeof *end);
    dds_entity_t participant;
    dds_qos_t *qos;
    dds_entity_t topic = open_topic(&participant, &qos);
    end->endpoint = check(dds_create_writer(participant, topic, qos, NULL), "writer");
    return end;
}

static void *open_reader(unsigned reader)
{
    (void)reader;
    struct end *end = bench_new(sizeof *end);
    dds_entity_t participant;
    dds_qos_t *qos;
    dds_entity_t topic = open_topic(&participant, &qos);
    end->endpoint = check(dds_create_reader(participant, topic, qos, NULL), "reader");
    end->waitset = check(dds_create_waitset(participant), "waitset");
    dds_entity_t condition =
        check(dds_create_readcondition(end->endpoint, DDS_ANY_STATE), "condition");
    check(dds_waitset_attach(end->waitset, condition, 0), "attach");
    return end;
}

static void send_frame(void *writer, const void *frame, size_t size_B)
{
    const struct end *end = writer;
    const struct sample sample = {.data = {.maximum = (uint32_t)size_B,
                                           .length = (uint32_t)size_B,
                                           .data = (uint8_t *)frame}};
    check(dds_write(end->endpoint, &sample), "write");
}

static const void *receive(void *reader, size_t *size_B)
{
    struct end *end = reader;
    for (;;) {
        if (end->sample != NULL)
            check(dds_return_loan(end->endpoint, &end->sample, 1), "return");
        end->sample = NULL;
        dds_sample_info_t info;
        if (check(dds_take(end->endpoint, &end->sample, &info, 1, 1), "take") > 0 &&
            info.valid_data) {
            const struct sample *sample = end->sample;
            *size_B = sample->data.length;
            return sample->data.data;
        }
        check(dds_waitset_wait(end->waitset, NULL, 0, DDS_INFINITY), "wait");
    }
}

const struct mechanism mechanism_dds = PEER("Cyclone DDS");
#else
const struct mechanism mechanism_dds = PEER_WITHOUT("Cyclone DDS", "cyclonedds-dev");
#endif
