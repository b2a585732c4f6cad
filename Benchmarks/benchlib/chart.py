# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A chart with two logarithmic axes as SVG, in plain text: one line for each work, one dot for each measured point."""
import dataclasses
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 860, 440
LEFT, RIGHT, TOP, BOTTOM = 78, 245, 46, 52
# Told apart by most eyes, on white and on black; the dashes help the others.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#c2549a", "#b07d00", "#3a9ad9", "#7f7f7f", "#8a5fd0", "#c0392b", "#5f8f2f")
DASHES = ("", "7 3", "2 3", "9 3 2 3")
# One grey that can be read on white and on black: a page's theme and the system's need not be the same.
STYLE = """<style>
text { font: 12px system-ui, sans-serif; fill: #767676 } .title { font-size: 15px; font-weight: 600 } .small { font-size: 11px }
.axis { stroke: #808080 } .grid { stroke: #808080; stroke-opacity: .25 }
</style>"""
STEPS = tuple(digit * 10.0 ** power for power in range(-7, 7) for digit in (1, 2, 5))


@dataclasses.dataclass
class Line:
    """One work: by x, the median and the quartiles around it. `again` holds the medians of a second run."""
    name: str
    points: "dict[float, tuple[float, float, float]]"
    again: "dict[float, float]" = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Chart:
    title: str
    x_name: str
    y_unit: str
    lines: "list[Line]"

    def svg(self) -> str:
        xs = sorted({x for line in self.lines for x in line.points})
        ys = [y for line in self.lines for point in line.points.values() for y in point if y > 0]
        ys += [y for line in self.lines for y in line.again.values() if y > 0]
        self.x_ends = (xs[0], xs[-1] if xs[-1] > xs[0] else xs[0] * 10)
        self.y_ends = (max(step for step in STEPS if step <= min(ys)), min(step for step in STEPS if step > max(ys)))
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
                 f"<title>{escape(self.title)}</title>", STYLE, f'<text class="title" x="{LEFT}" y="22">{escape(self.title)}</text>']
        parts += self.grid(xs)
        for number, line in enumerate(self.lines):
            parts += self.drawn(line, COLOURS[number % len(COLOURS)], DASHES[number % 4])
        parts += self.labels()
        return "\n".join([*parts, "</svg>"]) + "\n"

    def x(self, value: float) -> float:
        low, high = self.x_ends
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(value / low) / math.log(high / low)

    def y(self, value: float) -> float:
        low, high = self.y_ends
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log(max(value, low) / low) / math.log(high / low)

    def grid(self, xs: "list[float]") -> "list[str]":
        right, bottom, parts = WIDTH - RIGHT, HEIGHT - BOTTOM, []
        for step in STEPS:
            if not self.y_ends[0] <= step <= self.y_ends[1]:
                continue
            at = self.y(step)
            parts.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}"/>')
            parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{escape(said(step, self.y_unit))}</text>')
        for value in xs:
            at = self.x(value)
            parts.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{bottom}"/>')
            parts.append(f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle">{value:,.0f}</text>')
        parts.append(f'<path class="axis" fill="none" d="M{LEFT} {TOP}V{bottom}H{right}"/>')
        parts.append(f'<text class="small" x="{(LEFT + right) / 2}" y="{bottom + 38}" text-anchor="middle">{escape(self.x_name)}</text>')
        return parts

    def drawn(self, line: Line, colour: str, dash: str) -> "list[str]":
        points = sorted(line.points.items())
        path = " ".join(f"{self.x(x):.1f},{self.y(middle):.1f}" for x, (_, middle, _) in points)
        parts = [f'<polyline fill="none" stroke="{colour}" stroke-width="1.8" stroke-dasharray="{dash}" points="{path}"/>']
        for x, (low, middle, high) in points:
            at = self.x(x)
            parts.append(f'<line stroke="{colour}" stroke-opacity=".5" x1="{at:.1f}" x2="{at:.1f}" y1="{self.y(low):.1f}" y2="{self.y(high):.1f}"/>')
            parts.append(f'<circle fill="{colour}" r="3" cx="{at:.1f}" cy="{self.y(middle):.1f}"/>')
        for x, middle in sorted(line.again.items()):
            parts.append(f'<circle fill="none" stroke="{colour}" r="4.5" cx="{self.x(x):.1f}" cy="{self.y(middle):.1f}"/>')
        return parts

    def labels(self) -> "list[str]":
        """Names beside the ends of their lines, pushed apart where they would lie on each other."""
        ends = []
        for number, line in enumerate(self.lines):
            last = max(line.points)
            ends.append([self.y(line.points[last][1]), line.name, COLOURS[number % len(COLOURS)], self.x(last)])
        ends.sort(key=lambda end: end[0])
        places, below = [], float(TOP)
        for height, *_ in ends:
            below = max(height, below)
            places.append(below)
            below += 15
        for number in range(len(places) - 1, -1, -1):  # what has left the picture below comes back up
            most = HEIGHT - BOTTOM - 15 * (len(places) - 1 - number)
            places[number] = min(places[number], most)
        parts = []
        for place, (height, name, colour, begin) in zip(places, ends):
            parts.append(f'<path fill="none" stroke="{colour}" stroke-opacity=".6" d="M{begin + 6:.1f} {height:.1f}L{WIDTH - RIGHT + 16} {place:.1f}"/>')
            parts.append(f'<text x="{WIDTH - RIGHT + 20}" y="{place + 4:.1f}">{escape(name)}</text>')
        return parts


def said(value: float, unit: str) -> str:
    """An axis' figure with its unit."""
    if unit != "s":
        return f"{value:g} {unit}"
    if value >= 1:
        return f"{value:g} s"
    return f"{value * 1e3:g} ms" if value >= 0.001 else f"{value * 1e6:g} µs"
