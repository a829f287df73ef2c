#include <stdint.h>
#include <stdio.h>

static int64_t values[200000];

static void sift(int64_t *values, uint64_t from, uint64_t end) {
    uint64_t root = from;
    while (root * 2 + 1 < end) {
        uint64_t child = root * 2 + 1;
        if (child + 1 < end && values[child] < values[child + 1]) child += 1;
        if (values[root] >= values[child]) return;
        int64_t above = values[root];
        values[root] = values[child];
        values[child] = above;
        root = child;
    }
}

static void sort(int64_t *values) {
    for (uint64_t i = 100000; i-- > 0;) sift(values, i, 200000);
    for (uint64_t end = 199999; end >= 1; end--) {
        int64_t last = values[end];
        values[end] = values[0];
        values[0] = last;
        sift(values, 0, end);
    }
}

int main(void) {
    uint64_t state = 88172645463325252u;
    int64_t check = 0;
    for (int round = 0; round < 12; round++) {
        for (uint64_t i = 0; i < 200000; i++) {
            state = state ^ (state << 13);
            state = state ^ (state / 128);
            state = state ^ (state << 17);
            values[i] = (int64_t)(state % 1000000007);
        }
        sort(values);
        check += values[0] + values[100000] + values[199999];
    }
    printf("%ld\n", (long)check);
    return 0;
}
