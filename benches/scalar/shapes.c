#include <stdint.h>
#include <stdio.h>

struct table {
    double (*area)(const void *);
    void (*grow)(void *, double);
    double (*twice)(const void *);
};
struct circle { double radius; };
struct box { double width, height; };

static double circle_area(const void *self) {
    const struct circle *c = self;
    return 3.0 * c->radius * c->radius;
}
static void circle_grow(void *self, double by) { ((struct circle *)self)->radius += by; }
static double circle_twice(const void *self) { return circle_area(self) * 2.0; }
static double box_area(const void *self) {
    const struct box *b = self;
    return b->width * b->height;
}
static void box_grow(void *self, double by) {
    struct box *b = self;
    b->width += by;
    b->height -= by;
}
static double box_twice(const void *self) { return box_area(self) * 2.0; }

static const struct table circles = {circle_area, circle_grow, circle_twice};
static const struct table boxes = {box_area, box_grow, box_twice};

__attribute__((noinline)) static double visit(void *shape, const struct table *table, double by) {
    table->grow(shape, by);
    return table->area(shape) + table->twice(shape);
}

__attribute__((noinline)) static double sum_of(const struct circle *shapes, uint64_t count) {
    double sum = 0.0;
    for (uint64_t i = 0; i < count; i++) sum += circle_area(&shapes[i]);
    return sum;
}

struct closure { int64_t (*code)(const void *, int64_t, int64_t); const void *captures; };
static int64_t step(const void *captures, int64_t sum, int64_t i) {
    return (sum * 3 + i) & *(const int64_t *)captures;
}

__attribute__((noinline)) static int64_t fold(int64_t n, int64_t start, struct closure f) {
    int64_t sum = start;
    for (int64_t i = 0; i < n; i++) sum = f.code(f.captures, sum, i);
    return sum;
}

int main(void) {
    struct circle circle = {0.5};
    struct box box = {1.0, 3000000.0};
    double total = 0.0;
    for (int32_t i = 0; i < 6000000; i++) {
        total += visit(&circle, &circles, 0.000001);
        total += visit(&box, &boxes, 0.25);
    }
    const struct circle row[3] = {{1.0}, {2.0}, {3.0}};
    for (int32_t i = 0; i < 4000000; i++) total += sum_of(row, 3) * 0.001;
    const int64_t mask = 1023;
    int64_t check = 0;
    for (int64_t round = 0; round < 200; round++) {
        struct closure f = {step, &mask};
        check += fold(100000, round, f);
    }
    printf("%.1f %.6f %lld\n", total, circle.radius, (long long)check);
    return 0;
}
