#include <stdint.h>
#include <stdio.h>

static uint32_t steps(uint64_t start) {
    uint64_t n = start;
    uint32_t count = 0;
    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        count += 1;
    }
    return count;
}

int main(void) {
    uint32_t best = 0;
    uint64_t at = 0;
    for (uint64_t start = 1; start < 1500000; start++) {
        uint32_t count = steps(start);
        if (count > best) {
            best = count;
            at = start;
        }
    }
    printf("%lu %u\n", (unsigned long)at, best);
    return 0;
}
