#include <stdint.h>
#include <stdio.h>

static uint32_t escape(double cx, double cy) {
    double x = 0.0, y = 0.0;
    for (uint32_t n = 0; n < 200; n++) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 4.0) return n;
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
    }
    return 200;
}

int main(void) {
    uint64_t sum = 0;
    for (uint32_t row = 0; row < 700; row++)
        for (uint32_t column = 0; column < 700; column++)
            sum += escape(column / 350.0 - 1.5, row / 350.0 - 1.0);
    printf("%lu\n", (unsigned long)sum);
    return 0;
}
