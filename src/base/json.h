// JSON that may stand in a page's <script>. Errors are the stream's.
#pragma once

#include <stddef.h>
#include <stdio.h>

// A text of strangers, which need not be whole within its `size` bytes, in quotes: what does not
// show itself becomes '?' (base/text.h).
void json_text(FILE *out, const char *text, size_t size);
// With nine digits; null if it is not finite.
void json_number(FILE *out, double value);
// Bytes without quotes (RFC 4648).
void json_base64(FILE *out, const void *data, size_t size);
