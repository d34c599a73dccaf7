// The distance is Damerau and Levenshtein's, restricted as optimal string alignment: no letter is
// changed twice. A row of the table is kept for the word's present letter and the two before it.
#include "base/nearest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned nearest_distance(const char *one, const char *other)
{
    const size_t rows = strlen(one), columns = strlen(other);
    unsigned table[3][NEAREST_LENGTH_MAX + 1];
    if (rows > NEAREST_LENGTH_MAX || columns > NEAREST_LENGTH_MAX)
        return UINT_MAX;
    for (unsigned j = 0; j <= columns; j++)
        table[0][j] = j;
    for (unsigned i = 1; i <= rows; i++) {
        unsigned *row = table[i % 3];
        const unsigned *above = table[(i + 2) % 3], *before = table[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= columns; j++) {
            row[j] =
                least(least(above[j], row[j - 1]) + 1, above[j - 1] + (one[i - 1] != other[j - 1]));
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return table[rows % 3][columns];
}

void nearest_try(struct nearest *nearest, const char *name)
{
    const size_t length = strlen(nearest->word);
    const unsigned distance = nearest_distance(nearest->word, name);
    if (distance > (length < 6 ? 1 : length / 3) || distance >= length)
        return;
    if (nearest->name == NULL || distance < nearest->distance) {
        nearest->name = name;
        nearest->distance = distance;
    }
}

const char *nearest_hint(const struct nearest *nearest, char hint[NEAREST_HINT_MAX])
{
    hint[0] = '\0';
    if (nearest->name != NULL)
        snprintf(hint, NEAREST_HINT_MAX, " (did you mean %.*s?)", NEAREST_LENGTH_MAX,
                 nearest->name);
    return hint;
}
