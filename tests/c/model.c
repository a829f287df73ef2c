/* Calls the functions of model.nr; what it prints is compared. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int32_t add(int32_t a, int32_t b);
bool is_even(uint8_t n);
uint32_t next(uint32_t c);
void bump(int64_t *n, const int64_t *by);
double units__double(double x);
int64_t Point__twice(int64_t n);
void greet(int32_t n);
void scaled(const float *m, float by, float *value);
void doubled(double *m);
int32_t total(const int32_t *m);
int loss(const double *w, const double *x, double target, int32_t n, double *value);
int loss_value_and_grad(const double *w, const double *x, double target, int32_t n, double *value,
                        double *grad_w, void *work);
size_t loss_workspace_bytes(void);
const char *neuro_trap_text(int number);

int main(void) {
    printf("%d %d %d %c\n", add(2, 40), is_even(4), is_even(7), (char)next('a'));
    int64_t n = 5, by = 7;
    bump(&n, &by);
    printf("%ld %g %ld\n", (long)n, units__double(1.25), (long)Point__twice(21));
    fflush(stdout);
    greet(3);
    const float m[6] = {1, 2, 3, 4, 5, 6};
    float s[6];
    scaled(m, 0.5f, s);
    double d[2] = {1, 2};
    doubled(d);
    const int32_t t[2] = {20, 22};
    printf("%g %g, %g %g, %d\n", s[0], s[5], d[0], d[1], total(t));
    const double w[3] = {1, 2, 3}, x[3] = {1, 0.5, 2};
    double value = 0, grad[3] = {0};
    int trap = loss(w, x, 1.0, 5, &value);
    printf("%d %g\n", trap, value);
    trap = loss_value_and_grad(w, x, 1.0, 5, &value, grad, NULL);
    printf("%d %g, %g %g %g, %zu\n", trap, value, grad[0], grad[1], grad[2], loss_workspace_bytes());
    /* A panic ends the call, as often as it comes. */
    for (int i = 0; i < 1000; i++) {
        trap = loss_value_and_grad(w, x, 1.0, 0, &value, grad, NULL);
    }
    printf("%s, %s\n", neuro_trap_text(trap), neuro_trap_text(loss(w, x, 0.0, -1, &value)));
    trap = loss_value_and_grad(w, x, 0.0, 5, &value, grad, NULL);
    printf("%d %g\n", trap, value);
    fflush(stdout);
    /* Where there is no trap to return, the process ends. */
    return add(2147483647, 1);
}
