"""Polynomials of least greatest weighted error, by Remez's exchange, and their constants as hexadecimal floats."""

from mpmath import mp, mpf

mp.dps = 60


def fit(f, powers, low, high, weight=lambda x: 1):
    """Coefficients c of sum(c_j x^powers_j) with the least greatest |weight(x) (sum - f(x))| on [low, high], and that error."""
    count = len(powers) + 1
    low, high = mpf(low), mpf(high)
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * k / (30 * count)) for k in range(30 * count + 1)]
    values = [f(x) for x in grid]
    weights = [weight(x) for x in grid]
    reference = [30 * k * count // (count - 1) for k in range(count)]
    for _ in range(30):
        rows = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for i, k in enumerate(reference):
            for j, power in enumerate(powers):
                rows[i, j] = weights[k] * grid[k] ** power
            rows[i, count - 1] = (-1) ** i
            right[i] = weights[k] * values[k]
        solution = mp.lu_solve(rows, right)
        coefficients = list(solution[: count - 1])
        errors = [w * (evaluate(coefficients, powers, x) - y) for x, y, w in zip(grid, values, weights)]
        extremes = alternating(errors, count)
        worst = max(abs(e) for e in errors)
        if extremes is None or worst <= abs(solution[count - 1]) * mpf("1.001"):
            break
        reference = extremes
    return coefficients, worst


def alternating(errors, count):
    """Where the error is greatest between its changes of sign: `count` places in a row, or None if there are fewer."""
    places = []
    for k, error in enumerate(errors):
        if places and (errors[places[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[places[-1]]):
                places[-1] = k
        else:
            places.append(k)
    while len(places) > count:
        places.pop(0 if abs(errors[places[0]]) < abs(errors[places[-1]]) else -1)
    return places if len(places) == count else None


def evaluate(coefficients, powers, x):
    return sum(c * x**p for c, p in zip(coefficients, powers))


def rounded(x, digits):
    """x with so many binary digits."""
    if x == 0:
        return mpf(0)
    exponent = int(mp.floor(mp.log(abs(x), 2))) + 1 - digits
    return mp.ldexp(mp.nint(mp.ldexp(x, -exponent)), exponent)


def parts(x, digits):
    """x as a sum of roundings to so many digits each."""
    result = []
    for count in digits:
        result.append(rounded(x, count))
        x -= result[-1]
    return result


def text(x, digits):
    """x, of so many digits, as a C++ literal."""
    head, exponent = float(x).hex().split("p")
    return head.rstrip("0").rstrip(".") + "p" + exponent + ("f" if digits == 24 else "")


def show(name, coefficients, digits, error=None):
    note = "" if error is None else f"  // error 2^{mp.nstr(mp.log(error, 2), 4)}"
    print(f"{name}:{note}")
    print("    " + ", ".join(text(rounded(c, digits), digits) for c in coefficients))
