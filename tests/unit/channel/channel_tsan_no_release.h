// Included first when src/channel is compiled for tests/unit/channel/channel_tsan: publication
// orders nothing. ThreadSanitizer must find that what a writer did before a put races with its
// reader.
#include <stdatomic.h>

#define memory_order_release memory_order_relaxed
#define memory_order_acquire memory_order_relaxed
#define memory_order_acq_rel memory_order_relaxed
