// Included first when src/channel is compiled for tests/unit/channel/channel_tsan: a slot's number
// is stored without atomicity. ThreadSanitizer must find that.
#include <stdatomic.h>

#ifdef __clang__
#define ATOMIC_STORE __c11_atomic_store
#else
#define ATOMIC_STORE __atomic_store_n
#endif
#undef atomic_store_explicit
#define atomic_store_explicit(object, value, order)                                                \
    (__builtin_strcmp(#object, "&slot->number") == 0                                               \
         ? (void)(*(volatile uint64_t *)(object) = (uint64_t)(value))                              \
         : (void)ATOMIC_STORE((object), (value), (order)))
