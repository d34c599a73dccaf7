// Canary: a fault program that is asked to strike and does nothing; it says so, as a probe that
// looked would.
#include <stdio.h>

int main(void)
{
    puts("proven=0 evidence=process still runs");
    return 0;
}
