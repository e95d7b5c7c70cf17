"""Statements by which blocks wait for one another: the words that one sets and others poll."""

from statements import Access, Barrier, Body

FENCES = ("gpu",) * 6 + ("sys", "cta", None)


class Signal:
    """One thread of some blocks sets a word, or adds to it; some of others poll it, and tell their block by a barrier.
    chain: each block waits for the one before it; first: all wait for the first one; all: each waits for every other
    one's word; count: for the number of all in one word."""

    def __init__(self, k, words):
        rng = k.rng
        self.shape, self.first = rng.choice(("chain", "first", "all", "count", "count")), words
        self.meets, self.enters = rng.random() < 0.9, rng.random() < 0.9
        self.before, self.after = rng.choice(FENCES), rng.choice(FENCES)
        self.scope = rng.choice(("gpu",) * 8 + ("sys", "cta"))
        atomic = self.shape == "count"
        self.set = rng.choice(("red", "atom") if atomic else ("st",) * 4 + ("atom",))
        self.give = rng.choice(("relaxed", "relaxed", "release") + (() if atomic else ("volatile",)))
        if self.give == "volatile":
            self.set = "st"
        self.take = rng.choice(("relaxed", "relaxed", "acquire", "volatile", "atom"))
        self.number = rng.randrange(k.blocks)  # of the word, where all poll one
        self.every = self.take != "atom" and rng.random() < 0.2  # all threads poll
        self.setter = rng.choice((0, 0, k.threads - 1))
        self.between = []  # two polls: accesses, some times
        if rng.random() < 0.2 and k.loops < 5:
            k.loops += 1
            loop = k.loops - 1
            accesses = [Access(k, [loop]) for _ in range(rng.randrange(1, 3))]
            self.between.append(Body(accesses, rng.choice((1, 2, 3)), loop))
        self.middle = [Access(k, []) for _ in range(rng.randrange(0, 2))] if self.shape == "chain" else []

    def word(self, index, _):
        return self.first + index

    def words(self, k):
        return 1 if self.shape in ("count", "first") else k.blocks

    def sets(self, t, b):
        return t == self.setter and (self.shape != "first" or b == self.number)

    def polled(self, k, t, b):
        """The word that the thread polls, and the value for which it waits; None: it polls none."""
        if self.shape == "all":
            return (t, 1) if t < k.blocks and t != b else None
        if not self.every and t != 0:
            return None
        if self.shape == "chain":
            return (b - 1, 1) if b else None
        if self.shape == "first":
            return (0, 1) if b != self.number else None
        return 0, k.blocks

    def tell(self, k, t, b, env):
        if self.meets:
            yield "barrier", 0, k.threads, True
        if self.sets(t, b):
            if self.before:
                yield "fence", self.before
            yield "set", self, self.word(b if self.shape in ("chain", "all") else 0, env)

    def wait(self, k, t, b, env):
        polled = self.polled(k, t, b)
        if polled:
            for s in self.between:
                yield from s.run(k, t, b, {})
            yield "poll", self, self.word(polled[0], env), polled[1]
            if self.after:
                yield "fence", self.after
        if self.enters:
            yield "barrier", 0, k.threads, True

    def run(self, k, t, b, env):
        if self.shape == "chain":
            yield from self.wait(k, t, b, env)
            for s in self.middle:
                yield from s.run(k, t, b, env)
            yield from self.tell(k, t, b, env)
        else:
            yield from self.tell(k, t, b, env)
            yield from self.wait(k, t, b, env)

    def emit(self, k, out):
        if self.shape == "chain":
            self.emit_wait(k, out)
            for s in self.middle:
                s.emit(k, out)
            self.emit_tell(k, out)
        else:
            self.emit_tell(k, out)
            self.emit_wait(k, out)

    def strong(self, order):
        return ".volatile.global" if order == "volatile" else f".{order}.{self.scope}.global"

    def put_number(self, _, __):
        """What is added to the word."""
        return "1"

    def put_test(self, k, out):
        """Whether the poll goes on."""
        out.append(f"setp.ne.u32 %p, %q, {k.blocks if self.shape == 'count' else 1};")

    def emit_tell(self, k, out):
        end = k.label()
        out.append("bar.sync 0;" if self.meets else "")
        out.append(f"setp.ne.u32 %p, %t, {self.setter}; @%p bra {end};")
        if self.shape == "first":
            out.append(f"setp.ne.u32 %p, %b, {self.number}; @%p bra {end};")
        out.append(f"fence.acq_rel.{self.before};" if self.before else "")
        by_block = f"mul.wide.u32 %a, %b, 4; add.u64 %a, %a, %n;" if self.words(k) > 1 else "mov.u64 %a, %n;"
        at = f"[%a+{4 * self.first}]"
        number = self.put_number(k, out)
        kind = f"add.u32 {at}, {number}" if self.set == "red" else \
            f"add.u32 %old, {at}, {number}" if self.shape == "count" else \
            f"exch.b32 %q, {at}, 1" if self.set == "atom" else f"u32 {at}, 1"
        out.append(by_block + f" {self.set}{self.strong(self.give)}.{kind}; {end}:")

    def emit_wait(self, k, out):
        again, end = k.label(), k.label()
        if self.shape == "all":
            out.append(f"setp.ge.u32 %p, %t, {k.blocks}; @%p bra {end}; setp.eq.u32 %p, %t, %b; @%p bra {end};")
        elif not self.every:
            out.append(f"setp.ne.u32 %p, %t, 0; @%p bra {end};")
        if self.shape == "chain":
            out.append(f"setp.eq.u32 %p, %b, 0; @%p bra {end};")
        if self.shape == "first":
            out.append(f"setp.eq.u32 %p, %b, {self.number}; @%p bra {end};")
        out.append(f"{again}:")
        for s in self.between:
            s.emit(k, out)
        index = {"all": "%t", "chain": "%b"}.get(self.shape)
        out.append(f"mul.wide.u32 %a, {index}, 4; add.u64 %a, %a, %n;" if index else "mov.u64 %a, %n;")
        at = f"[%a+{4 * self.first - 4 * (self.shape == 'chain')}]"
        poll = f"atom.relaxed.{self.scope}.global.or.b32 %q, {at}, 0;" if self.take == "atom" else \
            f"ld{self.strong(self.take)}.u32 %q, {at};"
        out.append(poll)
        self.put_test(k, out)
        out.append(f"@%p bra {again};")
        out.append(f"fence.acq_rel.{self.after};" if self.after else "")
        out.append(f"{end}: " + ("bar.sync 0;" if self.enters else ""))


def signals(k):
    """One or two, with accesses of all threads behind each."""
    out = []
    for _ in range(k.rng.choice((1, 1, 2))):
        out.append(Signal(k, k.signals))
        k.signals += out[-1].words(k)
        out += [Access(k, []) for _ in range(k.rng.randrange(1, 3))]
        if k.rng.random() < 0.3:
            out.insert(len(out) - 1, Barrier(k))
    return out
