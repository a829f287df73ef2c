#include <stdio.h>

typedef struct {
    double x, y, z;
} Point;

typedef struct {
    double first, second;
} Pair;

static Point plus(Point a, Point b) { return (Point){a.x + b.x, a.y + b.y, a.z + b.z}; }
static Point times(Point a, double by) { return (Point){a.x * by, a.y * by, a.z * by}; }
static double dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static Pair split(double value, double by) {
    double half = value * by;
    return (Pair){half, value - half};
}

int main(void) {
    Point at = {1.0, 0.5, -0.25}, speed = {0.1, -0.2, 0.3};
    double energy = 0.0;
    for (int i = 0; i < 10000000; i++) {
        Pair parts = split(dot(at, at), 0.25);
        speed = plus(speed, times(at, -0.001 * parts.first));
        at = plus(at, times(speed, 0.01));
        energy += parts.second * 0.000001;
    }
    printf("%.6f %.6f %.6f %.6f\n", at.x, at.y, at.z, energy);
    return 0;
}
