// Canary: a fault program that does nothing and claims to have killed: the supervisor's own look
// must catch it.
#include <stdio.h>

int main(void)
{
    puts("proven=1 evidence=killed by signal 9");
    return 0;
}
