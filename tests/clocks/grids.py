"""Meetings of all blocks, several times: each adds to a word and polls it, as grid.sync() and own barriers do."""

from signals import Signal
from statements import Access, Barrier, Body


class Grid(Signal):
    """turning: the first block's number makes the word's sign change when all have come; else the word only grows."""

    def __init__(self, k, words, loop):
        super().__init__(k, words)
        self.shape, self.loop, self.turning = "count", loop, k.rng.random() < 0.5
        self.set, self.every = "atom" if self.turning else k.rng.choice(("red", "atom")), False
        self.setter, self.between = 0, []
        if self.give == "volatile":
            self.give = "relaxed"

    def word(self, _, env):
        """In the simulation, each meeting has a word of its own."""
        return self.first, env[self.loop]

    def put_number(self, k, out):
        if self.turning:
            out.append(f"setp.eq.u32 %p, %b, 0; selp.b32 %m, {(1 << 31) - k.blocks + 1}, 1, %p;")
        return "%m" if self.turning else "1"

    def put_test(self, k, out):
        if self.turning:
            out.append("xor.b32 %q, %q, %old; and.b32 %q, %q, 0x80000000; setp.eq.u32 %p, %q, 0;")
        else:
            out.append(f"mad.lo.u32 %m, %l{self.loop}, {k.blocks}, {k.blocks}; setp.lt.u32 %p, %q, %m;")


def grids(k):
    """Two or three meetings in a loop, or one behind another, with accesses of all threads between."""
    k.loops += 1
    loop = k.loops - 1
    meeting = Grid(k, k.signals, loop)
    k.signals += 1
    body = [Access(k, [loop]) for _ in range(k.rng.randrange(0, 3))] + [meeting]
    body += [Access(k, [loop]) for _ in range(k.rng.randrange(1, 3))]
    if k.rng.random() < 0.3:
        body.insert(k.rng.randrange(len(body)), Barrier(k))
    return [Body(body, k.rng.choice((1, 2, 2, 3)), loop)]
