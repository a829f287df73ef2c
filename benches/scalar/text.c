#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { char *bytes; uint64_t length, room; };
struct count { uint64_t lines, commas, digits, sum; };

static void push(struct text *into, const char *piece, uint64_t length) {
    if (into->length + length > into->room) {
        into->room = (into->length + length) * 2;
        into->bytes = realloc(into->bytes, into->room);
    }
    memcpy(into->bytes + into->length, piece, length);
    into->length += length;
}

static void line(struct text *into, uint64_t number) {
    char buffer[64];
    push(into, "row ", 4);
    int length = snprintf(buffer, sizeof buffer, "%" PRIu64 ",%" PRIu64, number, number * 7 % 1000);
    push(into, buffer, (uint64_t)length);
    if (number % 3 == 0) push(into, ",fizz", 5);
    push(into, ";", 1);
}

static void read_text(const char *text, uint64_t length, struct count *count) {
    uint64_t value = 0;
    for (uint64_t i = 0; i < length; i++) {
        char c = text[i];
        if (c >= '0' && c <= '9') {
            value = value * 10 + (uint64_t)(c - '0');
            count->digits += 1;
        } else {
            count->sum += value;
            value = 0;
            if (c == ',') count->commas += 1;
            if (c == ';') count->lines += 1;
        }
    }
}

int main(void) {
    struct count count = {0, 0, 0, 0};
    char longest[64] = "", head[64];
    for (uint64_t round = 0; round < 400; round++) {
        struct text page = {NULL, 0, 0};
        for (uint64_t number = 0; number < 1000; number++) line(&page, round * 1000 + number);
        char *text = malloc(page.length);
        memcpy(text, page.bytes, page.length);
        read_text(text, page.length, &count);
        snprintf(head, sizeof head, "%" PRIu64 ":%.20s", round, text);
        if (strlen(head) >= strlen(longest)) strcpy(longest, head);
        free(text);
        free(page.bytes);
    }
    printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", count.lines, count.commas,
           count.digits, count.sum, longest);
    return 0;
}
