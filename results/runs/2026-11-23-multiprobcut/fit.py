"""Linear regression of deep scores on shallow ones: fit.py FILE of gather.py.

Prints for pairs of depths the number of positions, a, b and sigma of v = a v' + b + e, and r^2.
"""

import math
import sys

rows = [[int(word) for word in line.split()[1:]] for line in open(sys.argv[1])]
for deep in range(1, 5):
    for shallow in range(deep):
        points = [(row[shallow], row[deep]) for row in rows if len(row) > deep]
        n = len(points)
        mean_x = sum(x for x, _ in points) / n
        mean_y = sum(y for _, y in points) / n
        xx = sum((x - mean_x) ** 2 for x, _ in points)
        xy = sum((x - mean_x) * (y - mean_y) for x, y in points)
        yy = sum((y - mean_y) ** 2 for _, y in points)
        a = xy / xx
        b = mean_y - a * mean_x
        rest = sum((y - a * x - b) ** 2 for x, y in points)
        sigma, r2 = math.sqrt(rest / (n - 2)), 1 - rest / yy
        print(f"{shallow} -> {deep}: n {n}, a {a:.3f}, b {b:.0f}, sigma {sigma:.0f}, r2 {r2:.3f}")
