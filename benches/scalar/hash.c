#include <stdint.h>
#include <stdio.h>

static uint64_t keys[65536];
static uint32_t counts[65536];

static uint64_t hash(const uint8_t *bytes) {
    uint64_t state = 14695981039346656037u;
    for (uint64_t i = 0; i < 64; i++) state = (state ^ bytes[i]) * 1099511628211u;
    return state;
}

static uint64_t slot(const uint64_t *keys, uint64_t key) {
    uint64_t at = key & 65535;
    while (keys[at] != 0 && keys[at] != key) at = (at + 1) & 65535;
    return at;
}

int main(void) {
    uint8_t bytes[64];
    for (int i = 0; i < 64; i++) bytes[i] = 7;
    for (uint64_t round = 0; round < 4000000; round++) {
        bytes[round % 64] = (uint8_t)(round & 15);
        if (round % 4 == 0) {
            uint64_t key = (hash(bytes) & 32767) + 1, at = slot(keys, key);
            keys[at] = key;
            counts[at] += 1;
        }
    }
    uint32_t most = 0;
    for (uint64_t i = 0; i < 65536; i++)
        if (counts[i] > most) most = counts[i];
    printf("%u %lu\n", most, (unsigned long)hash(bytes));
    return 0;
}
