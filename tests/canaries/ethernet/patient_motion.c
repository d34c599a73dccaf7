// A motion PC of hrp3p-corba that waits for each reply as long as it takes.
#include "giop/orb.h"

enum giop_outcome __real_giop_call_await(struct giop_object *object, int64_t until_ns,
                                         struct cdr *results);
enum giop_outcome __wrap_giop_call_await(struct giop_object *object, int64_t until_ns,
                                         struct cdr *results);

enum giop_outcome __wrap_giop_call_await(struct giop_object *object, int64_t until_ns,
                                         struct cdr *results)
{
    (void)until_ns;
    return __real_giop_call_await(object, INT64_MAX, results);
}
