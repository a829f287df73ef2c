#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    enum { NUMBER, PLUS, TIMES, REPEAT } tag;
    union {
        int64_t number;
        struct {
            uint32_t count;
            int64_t step;
        } repeat;
    };
} Token;

typedef struct {
    bool some;
    int64_t value;
} Option;

static Token token(uint32_t state) {
    switch (state % 4) {
    case 0: return (Token){NUMBER, .number = state % 100};
    case 1: return (Token){PLUS};
    case 2: return (Token){TIMES};
    default: return (Token){REPEAT, .repeat = {state % 3, 5}};
    }
}

static int64_t apply(int64_t value, const Token *token) {
    switch (token->tag) {
    case NUMBER: return value ^ token->number;
    case PLUS: return value + 7;
    case TIMES: return (value * 3) % 1000003;
    default:
        for (uint32_t i = 0; i < token->repeat.count; i++) value += token->repeat.step;
        return value;
    }
}

static Option checked(int64_t value) {
    return value % 11 == 0 ? (Option){false, 0} : (Option){true, value};
}

int main(void) {
    uint32_t state = 12345;
    int64_t value = 1;
    for (int i = 0; i < 20000000; i++) {
        state = state * 1664525u + 1013904223u;
        Token next = token(state >> 16);
        Option found = checked(apply(value, &next));
        value = found.some ? found.value : 1;
    }
    printf("%ld\n", (long)value);
    return 0;
}
