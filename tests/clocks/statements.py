"""Statements of random kernels: each runs as actions of a thread, which threads.py knows, and writes its PTX."""

WARP = 32
SCOPES = ("cta", "gpu", "sys")


class Kernel:
    """What the statements of a kernel share."""

    def __init__(self, rng):
        self.rng = rng
        self.threads = rng.choice((32, 64, 64, 96, 128))
        self.blocks = rng.choice((1, 1, 1, 2, 2, 4))
        self.cluster = 2 if self.blocks > 1 and rng.random() < 0.4 else 1
        self.apart = rng.random() < 0.25  # each block has words of its own in global memory, nearly
        if self.apart:
            self.threads, self.blocks, self.cluster = rng.choice((32, 64)), rng.randrange(5, 11), 1
        self.words = rng.choice((64, 128, 256))
        self.loops = self.labels = self.copies = self.hidden = 0
        self.passed = self.slots = 0  # words through which indices go; counters in shared memory
        self.counts = []  # of mbarrier objects
        self.damaged = False  # a wait of a ring is missing: whether it hangs depends on the order
        self.last = None  # the statement by which the last block is known
        self.lock = None  # the statement of a lock that the blocks take in turn
        self.tiles, self.queue = 0, None  # of a queue, whose numbers the blocks draw from a counter
        self.drawn = []  # of each block
        self.remote = self.cluster > 1 and rng.random() < 0.5  # blocks access the shared memory of their neighbours
        self.bulk = self.index = None  # make statements with bulk copies, and accesses whose index is not a constant
        self.signals = 1  # words of the array of the counter, which is the first one

    def label(self):
        self.labels += 1
        return f"L{self.labels}"


class Place:
    """An index of words: ((a * thread + b * block + c * loop + d) changed) modulo the number of words."""

    def __init__(self, k, loops):
        rng = k.rng
        self.factor = rng.choice((0, 1, 1, 1, 1, 2, 3, 4))
        self.by_block = rng.choice((0, 0, k.threads, 1))
        self.loop = rng.choice(loops) if loops else None
        self.by_loop = rng.choice((0, 0, 1, k.threads, 2, 7)) if loops else 0
        self.offset = rng.choice((0, 0, 0, 1, 5, k.threads))
        self.change = rng.choice((None, None, None, "xor", "shr", "rem", "mirror"))
        self.by = rng.choice((1, 2, 3, 4, 8, 16, 31, 33))
        self.beyond = 4 * rng.choice((0,) * 15 + (1,))  # into the words of the next block

    def index_of(self, k, space, t, b, env, unit):
        """The index in shared memory, or in global memory."""
        index = self.index(k, t, b, env, unit)
        return index + k.words * b + self.beyond if k.apart and space == "global" else index

    def index(self, k, t, b, env, unit):
        i = self.factor * t + self.by_block * b + self.offset
        if self.loop is not None:
            i += self.by_loop * env[self.loop]
        if self.change == "xor":
            i ^= self.by
        elif self.change == "shr":
            i >>= self.by % 6
        elif self.change == "rem":
            i %= 4 * self.by
        elif self.change == "mirror":
            i = (k.threads - 1 - i) & 0xFFFFFFFF
        return i & (k.words - 1) & ~(unit - 1)

    def emit(self, k, out, base, unit):
        out.append(f"mad.lo.u32 %i, %t, {self.factor}, {self.offset}; mad.lo.u32 %i, %b, {self.by_block}, %i;")
        if self.loop is not None:
            out.append(f"mad.lo.u32 %i, %l{self.loop}, {self.by_loop}, %i;")
        changes = {"xor": f"xor.b32 %i, %i, {self.by};", "shr": f"shr.u32 %i, %i, {self.by % 6};",
                   "rem": f"rem.u32 %i, %i, {4 * self.by};", "mirror": f"sub.u32 %i, {k.threads - 1}, %i;"}
        out.append(changes.get(self.change, "") + f" and.b32 %i, %i, {(k.words - 1) & ~(unit - 1)};")
        if k.apart and base == "%g":
            out.append(f"mad.lo.u32 %i, %b, {k.words}, %i; add.u32 %i, %i, {self.beyond};")
        out.append(f"mul.wide.u32 %a, %i, 4; add.u64 %a, %a, {base};")


class Some:
    """A condition on the number of the thread; `lanes`: on its lane alone."""

    def __init__(self, k, lanes=False):
        rng = k.rng
        self.bits, self.least = rng.choice(((31, 0),) if lanes else ((31, 0), (1023, 0), (3, 0)))
        self.most = rng.randrange(1, min(self.bits, k.threads - 1) + 1)

    def holds(self, t, _):
        return t & self.bits < self.most

    def emit(self, out):
        out.append(f"and.b32 %q, %t, {self.bits}; setp.lt.u32 %p, %q, {self.most};")


class Block:
    """A condition on the number of the block: one of them, or all others."""

    def __init__(self, k, way):
        self.number, self.other, self.way = k.rng.randrange(k.blocks), k.rng.random() < 0.3, way
        self.at = k.hidden  # the number of the block goes through a word of shared memory, which nothing else accesses
        k.hidden += way is not None

    def waits(self, k):
        if self.way:
            yield "barrier", 0, k.threads, True

    def holds(self, _, b):
        return (b == self.number) != self.other

    def emit(self, out):
        reg, word = "%q" if self.way else "%b", f"[hidden+{4 * self.at}]"
        if self.way:
            out.append(f"setp.eq.u32 %p, %t, 0; @%p st.shared.u32 {word}, %b; bar.sync 0;")
        out.append({None: "", "load": f"ld.shared.u32 %q, {word};",
                    "atomic": f"atom.relaxed.cta.shared.add.u32 %q, {word}, 0;",
                    "lanes": f"ld.shared.u32 %q, {word}; shfl.sync.idx.b32 %q, %q, 3, 31, -1;"}[self.way])
        out.append(f"setp.{'ne' if self.other else 'eq'}.u32 %p, {reg}, {self.number};")


class Access:
    def __init__(self, k, loops, space=None, kind=None):
        rng = k.rng
        self.space = space or rng.choice(("shared", "shared", "global"))
        self.kind = kind or rng.choice(("ld",) * 8 + ("st",) * 8 + ("atom", "ld.relaxed", "st.relaxed"))
        self.strong = self.kind not in ("ld", "st")
        self.scope = rng.choice(SCOPES) if self.strong else None
        self.size, self.count = rng.choice(((4, 1),) * 6 + (((8, 1),) if self.strong else ((1, 1), (8, 1), (4, 4))))
        self.place = Place(k, loops)
        self.unit = max(1, self.size * self.count // 4)
        self.some = Some(k) if rng.random() < 0.25 else None
        self.remote = k.remote and self.space == "shared" and rng.random() < 0.4

    def run(self, k, t, b, env):
        if not self.some or self.some.holds(t, b):
            at = 4 * self.place.index_of(k, self.space, t, b, env, self.unit)
            for i in range(self.count):
                yield "access", self, at + i * self.size

    def emit(self, k, out):
        self.place.emit(k, out, "%s" if self.space == "shared" else "%g", self.unit)
        guard, space = "@%p " if self.some else "", self.space
        if self.remote:
            space += "::cluster"
            out.append("mov.u32 %q, %cluster_ctarank; xor.b32 %q, %q, 1; mapa.shared::cluster.u64 %a, %a, %q;")
        if self.some:
            self.some.emit(out)
        self.put(k, out, guard, space)

    def put(self, _, out, guard, space=None):
        space, reg = space or self.space, "%d" if self.size == 8 else "%v"
        value = "{" + ", ".join(reg + str(i) for i in range(4)) + "}" if self.count == 4 else reg + "0"
        type_ = (".v4" if self.count == 4 else "") + f".u{8 * self.size}"
        if self.kind == "atom":
            out.append(f"{guard}atom.relaxed.{self.scope}.{space}.add{type_} {value}, [%a], 1;")
            return
        head = f"{guard}{self.kind}{'.' + self.scope if self.strong else ''}.{space}{type_}"
        out.append(f"{head} {value}, [%a];" if self.kind.startswith("ld") else f"{head} [%a], {value};")


class Barrier:
    """Of all threads of the block; or of those of some warps, with a count; or one for which some only arrive."""

    def __init__(self, k, some=False, split=False):
        rng = k.rng
        warps = k.threads // WARP
        self.id = rng.randrange(1, 8) if some or split else 0
        self.begin = WARP * rng.randrange(0, warps) if some else 0
        self.end = WARP * rng.randrange(self.begin // WARP + 1, warps + 1) if some else k.threads
        self.arriving = WARP * rng.randrange(1, warps) if split else 0  # the first threads do not wait

    def run(self, k, t, b, env):
        if self.begin <= t < self.end:
            yield "barrier", self.id, self.end - self.begin, t >= self.arriving

    def emit(self, k, out):
        if not self.id:
            out.append("bar.sync 0;")
            return
        skip, end = k.label(), k.label()
        out.append(f"setp.lt.u32 %p, %t, {self.begin}; @%p bra {end}; setp.ge.u32 %p, %t, {self.end}; @%p bra {end};")
        out.append(f"setp.lt.u32 %p, %t, {self.arriving}; @!%p bra {skip};")
        out.append(f"bar.arrive {self.id}, {self.end - self.begin}; bra {end};")
        out.append(f"{skip}: bar.sync {self.id}, {self.end - self.begin}; {end}:")


class WarpBarrier:
    def __init__(self, mask=0xFFFFFFFF):
        self.mask = mask

    def run(self, k, t, b, env):
        yield "warp", self.mask

    def emit(self, k, out):
        out.append(f"bar.warp.sync {self.mask:#x};")


class ClusterBarrier:
    def run(self, k, t, b, env):
        yield ("cluster",)

    def emit(self, k, out):
        out.append("barrier.cluster.arrive; barrier.cluster.wait;")


class Copy:
    """cp.async of a word or four, and then perhaps the end of a group."""

    def __init__(self, k):
        self.size = k.rng.choice((4, 16))
        self.source, self.target = Place(k, []), Place(k, [])
        self.commits = k.rng.random() < 0.7
        k.copies += 1

    def run(self, k, t, b, env):
        unit = self.size // 4
        source = self.source.index_of(k, "global", t, b, env, unit)
        yield "copy", self, 4 * source, 4 * self.target.index(k, t, b, env, unit)

    def emit(self, k, out):
        self.source.emit(k, out, "%g", self.size // 4)
        out.append("mov.u64 %c, %a;")
        self.target.emit(k, out, "%s", self.size // 4)
        out.append(f"cp.async.{'cg' if self.size == 16 else 'ca'}.shared.global [%a], [%c], {self.size};")
        if self.commits:
            out.append("cp.async.commit_group;")


class WaitGroup:
    """Waits for all groups but the last ones; None: for all copies."""

    def __init__(self, but):
        self.but = but

    def run(self, k, t, b, env):
        yield "group", self.but

    def emit(self, k, out):
        out.append("cp.async.wait_all;" if self.but is None else f"cp.async.wait_group {self.but};")


class BulkEnd:
    """All bulk copies to global memory are over."""

    def run(self, k, t, b, env):
        yield "bulk", ""

    def emit(self, k, out):
        out.append("cp.async.bulk.wait_group 0;")


class Meeting:
    """All threads of the block arrive at an mbarrier object, and wait for the phase."""

    def __init__(self, k, between):
        self.number, self.between = len(k.counts), between
        k.counts.append(k.threads)

    def run(self, k, t, b, env):
        phase = yield "arrive", self.number
        for s in self.between:
            yield from s.run(k, t, b, env)
        yield "wait", self.number, phase, None

    def emit(self, k, out):
        again = k.label()
        out.append(f"mbarrier.arrive.shared.b64 %tok, [bars+{8 * self.number}];")
        for s in self.between:
            s.emit(k, out)
        out.append(f"{again}: mbarrier.try_wait.shared.b64 %p, [bars+{8 * self.number}], %tok; @!%p bra {again};")


class Ring:
    """The first warps produce, the others consume, with a full and an empty object for each stage."""

    def __init__(self, k):
        rng = k.rng
        self.loop, self.stages, self.rounds = k.loops, rng.choice((1, 1, 2, 3)), rng.choice((1, 2, 3, 4))
        k.loops += 1
        self.producers = WARP * rng.randrange(1, k.threads // WARP)
        self.first = len(k.counts)
        k.counts += [self.producers] * self.stages + [k.threads - self.producers] * self.stages
        self.lacks = rng.choice(("full", "empty")) if rng.random() < 0.15 else None
        k.damaged = k.damaged or self.lacks is not None
        self.sides = [[Access(k, [self.loop], "shared", rng.choice(("ld", "st"))) for _ in range(rng.randrange(1, 3))]
                      for _ in range(2)]

    def run(self, k, t, b, env):
        side = t >= self.producers
        for i in range(self.rounds):
            env[self.loop] = i
            stage, parity = i % self.stages, i // self.stages & 1
            own, other = self.first + stage + side * self.stages, self.first + stage + (not side) * self.stages
            if self.lacks != ("full" if side else "empty"):
                yield "wait", other, None, parity if side else parity ^ 1
            for s in self.sides[side]:
                yield from s.run(k, t, b, env)
            yield "arrive", own

    def emit(self, k, out):
        consume, end = k.label(), k.label()
        out.append(f"setp.ge.u32 %p, %t, {self.producers}; @%p bra {consume};")
        for side in range(2):
            again, wait = k.label(), k.label()
            out.append(f"{consume + ': ' if side else ''}mov.u32 %l{self.loop}, 0; {again}:")
            out.append(f"rem.u32 %q, %l{self.loop}, {self.stages}; mad.lo.u32 %m, %q, 8, bars;"
                       f"div.u32 %q, %l{self.loop}, {self.stages}; add.u32 %q, %q, {1 - side}; and.b32 %q, %q, 1;")
            at = [f"[%m+{8 * (self.first + n * self.stages)}]" for n in (side, 1 - side)]
            if self.lacks != ("full", "empty")[1 - side]:
                out.append(f"{wait}: mbarrier.try_wait.parity.shared.b64 %p, {at[1]}, %q; @!%p bra {wait};")
            for s in self.sides[side]:
                s.emit(k, out)
            out.append(f"mbarrier.arrive.shared.b64 _, {at[0]};")
            out.append(f"add.u32 %l{self.loop}, %l{self.loop}, 1; setp.lt.u32 %p, %l{self.loop}, {self.rounds};")
            out.append(f"@%p bra {again}; bra {end};")
        out.append(f"{end}:")


class Body:
    """Statements: some times, or in the threads with a condition."""

    def __init__(self, body, times=1, loop=None, some=None):
        self.body, self.times, self.loop, self.some = body, times, loop, some

    def run(self, k, t, b, env):
        if isinstance(self.some, Block):
            yield from self.some.waits(k)
        for i in range(self.times if not self.some or self.some.holds(t, b) else 0):
            env[self.loop] = i
            for s in self.body:
                yield from s.run(k, t, b, env)

    def emit(self, k, out):
        again, end = k.label(), k.label()
        if self.some:
            self.some.emit(out)
            out.append(f"@!%p bra {end};")
        if self.loop is not None:
            out.append(f"mov.u32 %l{self.loop}, 0; {again}:")
        for s in self.body:
            s.emit(k, out)
        if self.loop is not None:
            out.append(f"add.u32 %l{self.loop}, %l{self.loop}, 1; setp.lt.u32 %p, %l{self.loop}, {self.times};")
            out.append(f"@%p bra {again};")
        out.append(f"{end}:")


class Gather:
    """Accesses as each block makes them, by one block."""

    def __init__(self, body):
        self.body = body

    def run(self, k, t, b, env):
        for other in range(k.blocks):
            for s in self.body:
                yield from s.run(k, t, other, env)

    def emit(self, k, out):
        again = k.label()
        out.append(f"mov.u32 %b, 0; {again}:")
        for s in self.body:
            s.emit(k, out)
        out.append(f"add.u32 %b, %b, 1; setp.lt.u32 %p, %b, {k.blocks}; @%p bra {again}; mov.u32 %b, %ctaid.x;")


def meet(k, wanted=True):
    if wanted:
        yield "barrier", 0, k.threads, True


def fence(scope):
    if scope:
        yield "fence", scope


def put_fence(out, scope):
    out.append(f"fence.acq_rel.{scope};" if scope else "")


def mostly(twentieths):
    return (True,) * twentieths + (False,) * (20 - twentieths)


FENCE = ("gpu",) * 6 + ("sys", "cta", None)
SELDOM = ("gpu", "sys", "cta") + (None,) * 5


class Told:
    """Thread 0 of each block learns something from a counter, and tells its block, which then has a body to do."""

    choices = {}

    def __init__(self, k, body):
        self.body, self.word, self.at = body, f"[hidden+{4 * k.hidden}]", 4 * (2 * k.words + k.hidden)
        k.hidden += 1
        for name, values in self.choices.items():
            setattr(self, name, k.rng.choice(values))

    def run_body(self, k, t, b, env):
        for s in self.body:
            yield from s.run(k, t, b, env)

    def put_body(self, k, out):
        for s in self.body:
            s.emit(k, out)


class LastBlock(Told):
    """Each block adds to a counter; that of which all have done so does more."""

    choices = {"meets": mostly(18), "every": SELDOM, "inside": SELDOM, "before": FENCE, "after": FENCE,
               "order": ("relaxed",) * 4 + ("acquire", "release", "acq_rel", "acq_rel"),
               "scope": ("gpu",) * 8 + ("sys", "cta"), "early": mostly(2),  # early: all blocks but one are counted
               "way": ("word", "word", "or"), "reset": (None, None, "st", "atom"), "wraps": mostly(4)}

    def __init__(self, k, body):
        super().__init__(k, body)
        self.early = self.early and k.blocks < 5
        self.reset = None if self.early else self.reset
        k.last = self

    def number(self, k):
        return k.blocks - 1 - self.early

    def run(self, k, t, b, env):
        yield from fence(self.every)
        yield from meet(k, self.meets)
        if t == 0:
            yield from fence(self.before)
            yield "count", self
            yield from fence(self.after)
        yield from meet(k)
        if (yield "told", self):
            yield from fence(self.inside)
            yield from self.run_body(k, t, b, env)

    def emit(self, k, out):
        skip, end = k.label(), k.label()
        put_fence(out, self.every)
        out.append("bar.sync 0;" if self.meets else "")
        out.append(f"mov.u32 %q, 0; setp.ne.u32 %p, %t, 0; @%p bra {skip};")
        put_fence(out, self.before)
        step = f"inc.u32 %q, [%n], {k.blocks - 1};" if self.wraps else "add.u32 %q, [%n], 1;"
        out.append(f"atom.{self.order}.{self.scope}.global.{step}")
        put_fence(out, self.after)
        out.append(f"setp.eq.u32 %p, %q, {self.number(k)}; selp.u32 %q, 1, 0, %p;")
        out.append(f"st.shared.u32 {self.word}, %q;" if self.way == "word" else "")
        out.append(f"{skip}: " + (f"bar.sync 0; ld.shared.u32 %q, {self.word}; setp.ne.u32 %p, %q, 0;"
                                  if self.way == "word" else "setp.ne.u32 %p, %q, 0; bar.red.or.pred %p, 0, %p;"))
        out.append(f"@!%p bra {end};")
        put_fence(out, self.inside)
        if self.reset:
            reset = {"st": "st.global.u32 [%n], 0;", "atom": "atom.relaxed.gpu.global.exch.b32 %q, [%n], 0;"}
            out.append(f"setp.eq.u32 %p, %t, 0; @%p {reset[self.reset]}")
        self.put_body(k, out)
        out.append(f"{end}:")


class Queue(Told):
    """Each block draws the number of a tile, until there is no further one; or begins with a tile of its own."""

    choices = {"early": mostly(6), "told": mostly(19), "late": mostly(14), "scope": ("gpu", "gpu", "sys"),
               "halves": mostly(2),  # two numbers are one tile
               "begins": mostly(10), "pairs": mostly(1), "lower": mostly(2)}  # two blocks, or a number, have one tile

    def __init__(self, k, body):
        super().__init__(k, body)
        self.write, self.read = Access(k, [], "shared", "st"), Access(k, [], "shared", "ld")
        for a in (self.write, self.read):
            a.size, a.count = 4, 1
        self.least = k.blocks - self.lower if self.begins else 0
        k.tiles = k.blocks + k.rng.randrange(0, 4) if self.begins else k.rng.randrange(2, 6)
        k.queue = self

    def run(self, k, t, b, env):
        if self.begins:
            yield from self.run_body(k, t, b >> self.pairs >> self.halves, env)
        for number in k.drawn[b] + [k.tiles]:
            yield from meet(k, self.early)
            if t == 0:
                yield "access", self.write, self.at
            yield from meet(k, self.told)
            yield "access", self.read, self.at
            yield from meet(k, self.late and self.begins)
            if number < k.tiles:
                yield from self.run_body(k, t, number >> self.halves, env)
                yield from meet(k, self.late and not self.begins)

    def emit(self, k, out):
        again, skip, end = k.label(), k.label(), k.label()
        late = "bar.sync 0; " if self.late else ""
        out.append(f"shr.u32 %b, %b, {self.pairs + self.halves};" if self.begins else "")
        out.append(f"{again}: ")
        if self.begins:
            self.put_body(k, out)
        out.append(("bar.sync 0; " if self.early else "") + f"setp.ne.u32 %p, %t, 0; @%p bra {skip};")
        out.append(f"atom.relaxed.{self.scope}.global.add.u32 %q, [%n], 1; add.u32 %q, %q, {self.least};")
        out.append(f"st.shared.u32 {self.word}, %q; {skip}: " + ("bar.sync 0;" if self.told else ""))
        out.append(f"ld.shared.u32 %q, {self.word}; shr.u32 %b, %q, {int(self.halves)};" + late * self.begins)
        out.append(f"setp.ge.u32 %p, %q, {k.tiles}; @%p bra {end};")
        if not self.begins:
            self.put_body(k, out)
        out.append(late * (not self.begins) + f"bra {again}; {end}: mov.u32 %b, %ctaid.x;")


class Lock(Told):
    """Each block takes a lock; all its threads may wait for what thread 0 tells them. Some block may lack a fence."""

    choices = {"told": mostly(10), "after": FENCE, "before": FENCE, "way": ("cas", "exch", "ticket"),
               "take": ("relaxed", "relaxed", "acquire", "acquire", "acq_rel"),
               "give": ("st.release", "st.relaxed", "atom.relaxed", "atom.release", "st"),
               "scope": ("gpu",) * 10 + ("sys", "cta"), "enters": mostly(19), "leaves": mostly(19),
               "odd": (0, 1, 2, 3) + (None,) * 8, "lacks": ("after", "before")}

    def __init__(self, k, body):
        super().__init__(k, body)
        k.lock, self.next = self, 4 * k.signals  # the word of the tickets
        k.signals += 1
        self.odd = self.odd if k.blocks < 5 else None
        self.way = "cas" if self.told else self.way
        self.take = "acquire" if self.way == "ticket" and self.take == "acq_rel" else self.take

    def fence(self, name, b):
        yield from fence(None if self.lacks == name and b == self.odd else getattr(self, name))

    def run(self, k, t, b, env):
        if t == 0:
            yield "lock", self
            yield from self.fence("after", b)
        for _ in range(2 if self.told else self.enters):
            yield from meet(k)
        yield from self.run_body(k, t, b, env)
        yield from meet(k, self.leaves)
        if t == 0:
            yield from self.fence("before", b)
            yield "unlock", self

    def put_fence(self, k, out, name):
        lacks, end = self.odd is not None and self.lacks == name, k.label()
        out.append(f"setp.eq.u32 %p, %b, {self.odd}; @%p bra {end};" if lacks else "")
        put_fence(out, getattr(self, name))
        out.append(f"{end}:")

    def emit_take(self, again, out):
        start = f"atom.relaxed.{self.scope}.global.add.u32 %w, [%n+{self.next}], 1;" if self.way == "ticket" else ""
        try_it = {"cas": "cas.b32 %q, [%n], 0, 1", "exch": "exch.b32 %q, [%n], 1", "ticket": "u32 %q, [%n]"}[self.way]
        kind = "ld" if self.way == "ticket" else "atom"
        out.append(f"{start} {again}: {kind}.{self.take}.{self.scope}.global.{try_it};")

    def emit(self, k, out):
        again, skip, end = k.label(), k.label(), k.label()
        if self.told:
            out.append(f"{again}: setp.ne.u32 %p, %t, 0; @%p bra {skip};")
            self.emit_take(k.label(), out)
            self.put_fence(k, out, "after")
            out.append(f"st.shared.u32 {self.word}, %q; {skip}: bar.sync 0; ld.shared.u32 %q, {self.word}; bar.sync 0;")
            out.append(f"setp.ne.u32 %p, %q, 0; @%p bra {again};")
        else:
            out.append(f"setp.ne.u32 %p, %t, 0; @%p bra {skip};")
            self.emit_take(again, out)
            out.append(f"setp.ne.u32 %p, %q, {'%w' if self.way == 'ticket' else '0'}; @%p bra {again};")
            self.put_fence(k, out, "after")
            out.append(f"{skip}: " + ("bar.sync 0;" if self.enters else ""))
        self.put_body(k, out)
        out.append(("bar.sync 0; " if self.leaves else "") + f"setp.ne.u32 %p, %t, 0; @%p bra {end};")
        self.put_fence(k, out, "before")
        kind, _, order = self.give.partition(".")
        strong = f".{order}.{self.scope}.global" if order else ".global"
        value = "%q" if self.way == "ticket" else "0"
        out.append("add.u32 %q, %w, 1;" if self.way == "ticket" else "")
        out.append(f"st{strong}.u32 [%n], {value};" if kind == "st" else
                   f"atom{strong}.add.u32 %q, [%n], 1;" if self.way == "ticket" else
                   f"atom{strong}.exch.b32 %q, [%n], 0;")
        out.append(f"{end}:")


def alone(k):
    """Accesses and barriers of all threads."""
    body = []
    for _ in range(k.rng.randrange(1, 4)):
        body.append(Barrier(k) if body and k.rng.random() < 0.4 else Access(k, []))
    return body


def queue(k):
    return [Queue(k, alone(k))]


def lock(k):
    return [(Lock if k.blocks < 7 else Queue)(k, alone(k))]


def last_block(k):
    """What the last block does with what all wrote."""
    kinds = [k.rng.choice(("ld", "ld", "ld", "ld", "st")) for _ in range(k.rng.randrange(1, 3))]
    loads = [Access(k, [], "global", kind) for kind in kinds]
    rest = [Barrier(k)] + [Access(k, []) for _ in range(2)] if k.rng.random() < 0.4 else []
    return [LastBlock(k, [Gather(loads)] + rest)]


def lanes(k, loops):
    """Lanes of each warp, which may meet."""
    some = Some(k, lanes=True)
    body = [Access(k, loops) for _ in range(2)]
    if k.rng.random() < 0.7:
        body.insert(k.rng.randrange(0, 3), WarpBarrier(sum(1 << i for i in range(WARP) if some.holds(i, 0))))
    return Body(body, some=some)


def statements(k, loops, depth):
    rng, out = k.rng, []
    for _ in range(rng.randrange(2, 6)):
        if k.bulk and not loops and rng.random() < 0.6:
            out += [k.bulk(k)] + [Barrier(k)] * rng.randrange(0, 2)
        z = rng.random()
        several = k.threads > WARP
        if z < 0.44:
            out.append(Access(k, loops))
        elif z < 0.5:
            out.append(k.index(k, loops))
        elif z < 0.62:
            out.append(Barrier(k))
        elif z < 0.70:
            out.append(rng.choice((WarpBarrier(), ClusterBarrier() if k.cluster > 1 else WarpBarrier())))
        elif z < 0.76 and several:
            out.append(Barrier(k, **{rng.choice(("some", "split")): True}))
        elif z < 0.82 and depth < 2 and k.loops < 4:
            k.loops += 1
            loop = k.loops - 1
            out.append(Body(statements(k, loops + [loop], depth + 1), rng.choice((1, 2, 3)), loop))
        elif z < 0.87:
            apart = k.apart and rng.random() < 0.6 and depth < 2
            way = None if depth else rng.choice((None, "load", "atomic", "lanes"))
            out.append(Body(statements(k, loops, 2), some=Block(k, way)) if apart else lanes(k, loops))
        elif z < 0.91 and not loops:
            out.append(Copy(k))
        elif z < 0.94:
            out.append(WaitGroup(rng.choice((0, 0, 1))))
        elif z < 0.97 and several and not loops and k.loops < 4:
            out.append(Ring(k))
        else:
            out.append(Meeting(k, [Access(k, loops)] if rng.random() < 0.4 else []))
        if rng.random() < 0.5 and not isinstance(out[-1], Barrier):
            out.append(Barrier(k))
    return out


def kernel_of(rng, meetings, bulk, index):
    """A kernel that initialises shared memory, mostly, and waits for its copies."""
    k = Kernel(rng)
    k.loops, k.index = 1, index
    if k.blocks < 3 and k.cluster == 1 and rng.random() < 0.3:
        k.threads, k.bulk = min(k.threads, 64), bulk
    first = Access(k, [0], "shared", "st")
    first.size, first.count, first.unit, first.some, first.remote = 4, 1, 1, None, False
    place = first.place
    place.factor, place.by_block, place.by_loop, place.offset, place.change = 1, 0, k.threads, 0, None
    k.body = [Body([first], -(-k.words // k.threads), 0)] + [Barrier(k)] * (rng.random() < 0.95)
    cluster = [ClusterBarrier()] * k.remote  # shared memory lives from the first one to the last one (K9)
    k.body += cluster + statements(k, [], 0) + cluster + [WaitGroup(None)] + [BulkEnd()] * bool(k.bulk)
    if 1 < k.blocks <= 256 // k.threads and k.cluster == 1 and rng.random() < 0.4:
        k.body += rng.choice((last_block, queue, lock) + meetings)(k)
    return k
