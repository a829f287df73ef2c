#include <stdint.h>
#include <stdio.h>

static uint64_t place(uint32_t all, uint32_t columns, uint32_t left, uint32_t right) {
    if (columns == all) return 1;
    uint32_t open = all & ~(columns | left | right);
    uint64_t found = 0;
    while (open != 0) {
        uint32_t bit = open & (0 - open);
        open = open ^ bit;
        found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}

int main(void) {
    printf("%lu %lu\n", (unsigned long)place(4095, 0, 0, 0), (unsigned long)place(8191, 0, 0, 0));
    return 0;
}
