// A bridge that, once cut off, hears nobody any more.
#include "targets/bridge/bridge_session.h"

void __real_bridge_take(struct bridge_session *, const struct bridge_datagram *, size_t, instant);
void __wrap_bridge_take(struct bridge_session *session, const struct bridge_datagram *datagram,
                        size_t length_B, instant now);

void __wrap_bridge_take(struct bridge_session *session, const struct bridge_datagram *datagram,
                        size_t length_B, instant now)
{
    if (session->message.connected != 0 || session->message.reconnects == 0)
        __real_bridge_take(session, datagram, length_B, now);
}
