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
void Point__new(double x, double *x_to, float *y_to, uint8_t *tag_to);
double Point__size(double x, float y, uint8_t tag);
void Point__grow(double *x, float *y, uint8_t *tag, double by);
void Point__both(double x, float y, uint8_t tag, double x2, float y2, uint8_t tag2, double *first,
                 double *second);
double Model__score(const double *w, double x, float y, uint8_t tag, const char *name,
                    uint64_t name_length, const int16_t *ids, const double *row, uint64_t length);
int64_t Model__taken(const double *w, double x, float y, uint8_t tag, const char *name,
                     uint64_t name_length, const int16_t *ids, int64_t n);
uint64_t letters(const char *text, uint64_t text_length, uint32_t letter);
int64_t sum(const int32_t *row, uint64_t length);
uint64_t length(const char *text, uint64_t text_length);
void label(int32_t n, const char **text, uint64_t *text_length);
void neuro_text_drop(const char *text);
void turned(const double *m, double *to);
void shift(int32_t *row);
void split(int32_t n, int32_t *first, uint8_t *second, float *third);
void greet(int32_t n);
void scaled(const float *m, float by, float *value);
void doubled(double *m);
int32_t total(const int32_t *m);
int loss(const double *w, const double *x, double target, int32_t n, double *value);
int loss_value_and_grad(const double *w, const double *x, double target, int32_t n, double *value,
                        double *grad_w, void *work);
size_t loss_workspace_bytes(void);
const char *neuro_trap_text(int number);

/* Structs, tuples, arrays, slices and text go part by part. */
static void parts(void) {
    double x = 0, first = 0, second = 0;
    float y = 0;
    uint8_t tag = 0;
    Point__new(1.5, &x, &y, &tag);
    printf("%g %g %d %g\n", x, y, tag, Point__size(x, y, tag));
    Point__grow(&x, &y, &tag, 2);
    Point__both(x, y, tag, 9, 0, 0, &first, &second);
    printf("%g %d %g %g\n", x, tag, first, second);
    const double w[2] = {1, 10}, row[3] = {1, 2, 3}, m[4] = {1, 2, 3, 4};
    const int16_t ids[3] = {4, 5, 6};
    printf("%g %ld\n", Model__score(w, 0.5, 0, 0, "name", 4, ids, row, 3),
           (long)Model__taken(w, 0, 0, 0, "ab", 2, ids, 100));
    int32_t numbers[4] = {1, 2, 3, -10}, n = 0;
    printf("%lu %ld %lu\n", (unsigned long)letters("banana", 6, 'a'), (long)sum(numbers, 4),
           (unsigned long)length("abc", 3));
    const char *text = NULL;
    uint64_t text_length = 0;
    label(7, &text, &text_length);
    printf("%.*s\n", (int)text_length, text);
    neuro_text_drop(text);
    double to[4];
    uint8_t bytes[2];
    float floats[2];
    turned(m, to);
    shift(numbers);
    split(6, &n, bytes, floats);
    printf("%g %g, %d, %d %d %g\n", to[0], to[3], numbers[1], n, bytes[1], floats[0]);
    fflush(stdout);
}

int main(void) {
    parts();
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
