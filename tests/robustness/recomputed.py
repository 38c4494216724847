# SPDX-License-Identifier: GPL-3.0-only
"""What the statements of a run must be, computed again from its files: statistics, times of a trace, and how a printed number is read."""
import dataclasses
import gzip
import json
import math
import re
import statistics

UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "%": 0.01, "x": 1, "": 1}
SCALED = ("ns", "µs", "ms", "s", "KiB", "MiB", "GiB")  # three significant digits, without zeros at the end
LARGEST_WITHOUT_INTERVAL = 4  # repeats
NOISE_BAND = 0.02


@dataclasses.dataclass
class Statement:
    """One row of the table: what is said, where, and what it must be by the files. A text must be equal, a number so to its last printed digit."""
    name: str
    where: str
    said: object
    value: object

    def fault(self):
        """A sentence, or nothing if it is true."""
        if self.said is None and self.value is not None:
            return f"{self.name} ({self.where}): not said; must be {self.value}"
        if isinstance(self.value, (int, float)) and isinstance(self.said, str):
            number, half = read_number(self.said) or (math.nan, 0)
            true = abs(number - self.value) <= half * (1 + 1e-6) + 1e-12 * abs(self.value)
        elif isinstance(self.value, float):
            true = math.isclose(self.said, self.value, rel_tol=1e-9, abs_tol=1e-12)
        else:
            true = self.said == self.value
        return None if true else f"{self.name} ({self.where}): said {self.said!r}, must be {self.value!r}"


def read_number(text):
    """"+1.19 ms" -> (0.00119, half of its last digit); nothing if it is not a number."""
    match = re.fullmatch(r"([+-]?)([\d,]+)(\.\d+)?\s*([^\d\s]*)", text.strip())
    if not match or match[4] not in UNITS:
        return None
    digits = match[2].replace(",", "")
    decimals = len(match[3] or ".") - 1
    if match[4] in SCALED and float(digits + (match[3] or "")):
        decimals = max(decimals, 3 - len(digits))  # zeros at the end are left out
    unit = UNITS[match[4]]
    return float(match[1] + digits + (match[3] or "")) * unit, 0.5 * 10.0**-decimals * unit


def figures(value):
    """Three significant digits with their zeros."""
    magnitude = math.floor(math.log10(abs(float(f"{value:.2e}")))) if value else 0
    return f"{value:.{min(max(2 - magnitude, 0), 9)}f}"


def percent(share):
    return f"{100 * share:.1f} %"


def t_quantile(p, freedom):
    """Student's t by Simpson's rule over the angle whose tangent is t / sqrt(freedom)."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)

    def upper_half(angle, parts=400):
        width = angle / parts
        weights = [1 if i in (0, parts) else 4 if i % 2 else 2 for i in range(parts + 1)]
        return scale * width / 3 * sum(weight * math.cos(i * width) ** (freedom - 1) for i, weight in enumerate(weights))

    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if upper_half(middle) < p - 0.5 else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0]
    lower, _, upper = statistics.quantiles(values, n=4, method="inclusive")
    return lower, upper


@dataclasses.dataclass
class Times:
    """The repeats of a variant: seconds each."""
    seconds: list

    @property
    def mean(self):
        return statistics.fmean(self.seconds)

    @property
    def std(self):
        return statistics.stdev(self.seconds)

    @property
    def median(self):
        return statistics.median(self.seconds)

    @property
    def spread(self):
        lower, upper = quartiles(self.seconds)
        return upper - lower

    @property
    def outliers(self):
        lower, upper = quartiles(self.seconds)
        return [i for i, value in enumerate(self.seconds) if value < lower - 3 * self.spread or value > upper + 3 * self.spread]

    @property
    def interval(self):
        """Of the mean, 95 %; nothing for too few repeats."""
        n = len(self.seconds)
        if n <= LARGEST_WITHOUT_INTERVAL:
            return None
        half = t_quantile(0.975, n - 1) * self.std / math.sqrt(n)
        return self.mean - half, self.mean + half


class SpeedUp:
    """Of times over a baseline's: geometric means, and Welch's 95 % interval of the logarithms. With a second baseline and times: over their speed-up."""

    def __init__(self, *sides):
        logs = [[math.log(value) for value in side.seconds] for side in sides]
        signs = (1, -1, -1, 1)
        self.counts = [len(side) for side in logs]
        self.ratio = math.exp(sum(sign * statistics.fmean(side) for sign, side in zip(signs, logs)))
        self.interval = None
        self.word = "too few repeats"
        if min(self.counts) <= LARGEST_WITHOUT_INTERVAL:
            return
        errors = [statistics.variance(side) / len(side) for side in logs]
        freedom = sum(errors) ** 2 / sum(error**2 / (n - 1) for error, n in zip(errors, self.counts))
        half = t_quantile(0.975, freedom) * math.sqrt(sum(errors))
        self.interval = self.ratio * math.exp(-half), self.ratio * math.exp(half)
        self.smallest = max(NOISE_BAND, math.exp(half + t_quantile(0.8, freedom) * math.sqrt(sum(errors))) - 1)
        self.word = self._word()

    def _word(self):
        low, high = self.interval
        if low <= 1 <= high:
            return "no clear difference"
        if abs(self.ratio - 1) <= NOISE_BAND:
            return "within noise band"
        return "faster" if self.ratio > 1 else "slower"

    @property
    def times(self):
        """As many times faster or slower, and the ends of the interval in this order."""
        if self.word == "slower":
            return 1 / self.ratio, 1 / self.interval[1], 1 / self.interval[0]
        return self.ratio, *self.interval

    def ends(self):
        return f"{figures(self.times[1])} to {figures(self.times[2])}"

    def cell(self):
        """As tables print it."""
        if self.interval is None:
            return self.word
        if self.word == "faster":
            return f"{figures(self.ratio)}x ({self.ends()})"
        return (f"{figures(self.times[0])}x " if self.word == "slower" else "") + f"{self.word} ({self.ends()})"

    def sentence(self, name, baseline):
        """How a headline begins."""
        if self.word in ("faster", "slower"):
            return f"{name} is {figures(self.times[0])}x {self.word} than {baseline} (95 % CI {self.ends()}x; "
        between = "No clear difference between" if self.word == "no clear difference" else "The difference between"
        rest = "" if self.word == "no clear difference" else " is within the noise band"
        return f"{between} {name} and {baseline}{rest} (95 % CI of the speed-up {self.ends()}x; "

    def least(self):
        """The smallest difference that so many repeats show, as an unclear comparison prints it."""
        percents = 100 * self.smallest
        if percents >= 100:
            return figures(1 + self.smallest) + "x"
        return f"{percents:.0f} %" if percents >= 9.95 else f"{float(f'{percents:.2g}'):g} %"


def union(ranges):
    """The length of what they cover together."""
    covered, end = 0, -math.inf
    for first, last in sorted(ranges):
        covered += max(0, last - max(first, end))
        end = max(end, last)
    return covered


@dataclasses.dataclass
class Action:
    lane: int
    begin: int  # ns
    end: int
    cpu: object  # us, or nothing
    args: dict

    @property
    def length(self):
        return self.end - self.begin

    @property
    def key(self):
        return tuple(self.args[word] for word in ("step", "stage", "phase", "micro_batch") if word in self.args)


class TraceFile:
    """The actions and steps of the trace of a variant: Chrome JSON, times in integer nanoseconds."""

    def __init__(self, path):
        with gzip.open(path) as file:
            self.events = json.load(file)["traceEvents"]
        spans = [event for event in self.events if event["ph"] == "X"]

        def ends(event):
            begin = round(1000 * event["ts"])
            return begin, begin + round(1000 * event["dur"])

        self.steps = [ends(event) for event in spans if event.get("cat") == "step"]
        self.actions = [Action(event["pid"], *ends(event), event["args"].get("cpu_us"), event["args"]) for event in spans if event.get("cat") == "lanelab"]
        self.lanes = sorted({action.lane for action in self.actions})  # those with work

    @property
    def window(self):
        """Of all steps, which do not overlap with the experiments of this test; s."""
        return sum(end - begin for begin, end in self.steps) * 1e-9

    def busy(self, lane):
        return sum(union([(max(a.begin, begin), min(a.end, end)) for a in self.actions if a.lane == lane and a.end > begin and a.begin < end])
                   for begin, end in self.steps) * 1e-9

    def on_core(self, lane):
        return sum(action.cpu for action in self.actions if action.lane == lane and action.cpu is not None) * 1e-6

    def mean_length(self, stage, phases):
        lengths = [a.length for a in self.actions if a.args["stage"] == stage and a.args["phase"] in phases]
        return statistics.fmean(lengths) * 1e-9 if lengths else 0.0

    @property
    def origin(self):
        """When anything begins, ns: where the axis of the timeline is 0."""
        return min(round(1000 * event["ts"]) for event in self.events if event["ph"] == "X")

    def longest_gap(self):
        """Its length, s, and its lane."""
        return max((length * 1e-9, lane) for lane in self.lanes for length in self.gaps(lane))

    def gaps(self, lane):
        """Lengths of the idle times within the steps, ns."""
        for begin, end in self.steps:
            at = begin
            for action in sorted((a for a in self.actions if a.lane == lane and a.end > begin and a.begin < end), key=lambda a: a.begin):
                yield max(0, action.begin - at)
                at = max(at, action.end)
            yield max(0, end - at)
