#include <stdio.h>

static double a[160 * 160], b[160 * 160], c[160 * 160];

static void multiply(const double *a, const double *b, double *c) {
    for (int i = 0; i < 160; i++)
        for (int j = 0; j < 160; j++) {
            double sum = 0.0;
            for (int k = 0; k < 160; k++) sum += a[i * 160 + k] * b[k * 160 + j];
            c[i * 160 + j] = sum;
        }
}

int main(void) {
    for (int i = 0; i < 160; i++)
        for (int j = 0; j < 160; j++) {
            a[i * 160 + j] = ((i * 7 + j) % 13) / 13.0;
            b[i * 160 + j] = ((i + j * 5) % 11) / 11.0;
        }
    for (int round = 0; round < 30; round++) {
        multiply(a, b, c);
        a[0] = c[159 * 160 + 159] / 100.0;
    }
    printf("%.6f %.6f\n", c[3 * 160 + 5], c[159 * 160 + 159]);
    return 0;
}
