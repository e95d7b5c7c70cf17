"""What checks find: frozen dataclasses."""

import dataclasses
from typing import Any, Mapping, Optional, Tuple


class Error(Exception):
    """A test, a model or a state is wrong, or memory ran out. The text is the library's messages."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    state: Mapping[str, Any]  # "0:r0" -> 1
    satisfies: bool  # the predicate of the condition


@dataclasses.dataclass(frozen=True)
class Finding:
    """Why a launch of a kernel is not safe. `file` and `line` are those of the source, if the module has them."""

    kind: str  # "race", "hang", "undefined", ...
    file: Optional[str]
    line: Optional[int]
    text: str  # "write of A[0] by thread 0 of block 0, with write of A[0] by thread 1 of block 0"
    rule: Optional[str]
    cure: Optional[str]
    json: Mapping[str, Any] = dataclasses.field(repr=False)

    def __str__(self) -> str:
        place = f"{self.file or 'line'}:{self.line}: " if self.line else ""
        return f"{place}{self.kind}: {self.text}"


def _access(place: Mapping[str, Any]) -> str:
    by = f"thread {place['tid']} of block {place['block']}" if "tid" in place else f"P{place.get('thread')}"
    of = f"{place['access']} of {place['location']}" if place.get("access") else place.get("text", "an access")
    return f"{of} by {by}"


def finding_of(data: Mapping[str, Any]) -> Finding:
    """The finding that the JSON of a result describes."""
    places = [place for place in data.get("places") or [] if place.get("thread") is not None]
    at = places[0].get("at") or places[0] if places else data.get("at") or data
    said = ", with ".join(dict.fromkeys(map(_access, places)))
    text = ": ".join(part for part in (said, data.get("text")) if part)
    return Finding(data["kind"], at.get("file"), at.get("line"), text, data.get("rule"), data.get("cure"), data)


@dataclasses.dataclass(frozen=True)
class Result:
    test: str
    model: str
    verdict: str  # "allowed", "forbidden", "undefined", "unknown"; of a launch "safe", "unsafe" or "unknown"
    observation: Optional[str]  # "Never", "Sometimes" or "Always"
    holds: Optional[bool]  # the condition with its quantifier
    outcomes: Optional[Tuple[Outcome, ...]]  # None where they were not listed
    expected: Optional[Mapping[str, Any]]  # the Expect= value, and if it is met
    reason: Optional[str]  # why it is undefined or unknown
    json: Mapping[str, Any] = dataclasses.field(repr=False)  # all of it: docs/json.md
    messages: str = dataclasses.field(default="", repr=False)  # warnings
    findings: Tuple[Finding, ...] = ()  # why a launch of a kernel is not safe
    text: str = dataclasses.field(default="", repr=False)  # of a launch: what the tool prints

    def __str__(self) -> str:
        return self.text or f"{self.test}: {self.verdict} under {self.model}"


@dataclasses.dataclass(frozen=True)
class Text:
    """A text answer; `json` has the same as data."""

    text: str
    json: Mapping[str, Any] = dataclasses.field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Picture:
    """A picture of an execution; notebooks show it."""

    svg: str = dataclasses.field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg


