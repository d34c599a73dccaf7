// Linked into every program of the tests; see harness/files/places.c.
extern const char places_built_from[];
const char places_built_from[] = BUILT_FROM;
