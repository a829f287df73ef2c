#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static bool marked[1000000];

static uint32_t count(bool *marked) {
    uint32_t primes = 0;
    for (uint64_t i = 0; i < 1000000; i++) marked[i] = false;
    for (uint64_t i = 2; i < 1000000; i++) {
        if (!marked[i]) {
            primes += 1;
            for (uint64_t at = i * i; at < 1000000; at += i) marked[at] = true;
        }
    }
    return primes;
}

int main(void) {
    uint32_t total = 0;
    for (int round = 0; round < 40; round++) total += count(marked);
    printf("%u\n", total);
    return 0;
}
