#include <math.h>
#include <stdio.h>

typedef struct {
    double x, y, z, vx, vy, vz, mass;
} Body;

static Body body(double x, double y, double z, double mass) {
    return (Body){x, y, z, y * 0.1, -x * 0.1, 0.01, mass};
}

static void advance(Body *bodies, double dt) {
    for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 5; j++) {
            double dx = bodies[i].x - bodies[j].x;
            double dy = bodies[i].y - bodies[j].y;
            double dz = bodies[i].z - bodies[j].z;
            double square = dx * dx + dy * dy + dz * dz + 0.01;
            double pull = dt / (square * sqrt(square));
            double a = bodies[j].mass * pull, b = bodies[i].mass * pull;
            bodies[i].vx -= dx * a;
            bodies[i].vy -= dy * a;
            bodies[i].vz -= dz * a;
            bodies[j].vx += dx * b;
            bodies[j].vy += dy * b;
            bodies[j].vz += dz * b;
        }
    }
    for (int i = 0; i < 5; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

int main(void) {
    Body bodies[5] = {
        body(0.0, 0.0, 0.0, 10.0),     body(4.8, -1.1, 0.1, 0.04),    body(8.3, 4.1, -0.4, 0.01),
        body(12.8, -15.1, -0.2, 0.002), body(15.3, -25.9, 0.2, 0.002),
    };
    for (int step = 0; step < 1500000; step++) advance(bodies, 0.001);
    printf("%.6f %.6f %.6f\n", bodies[0].x, bodies[1].y, bodies[4].z);
    return 0;
}
