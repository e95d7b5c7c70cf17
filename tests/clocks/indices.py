"""Accesses whose index comes through memory, from another lane or from a counter."""

from statements import Access, Some


class Indirect(Access):
    """An access whose index is that of another thread, or of the same one, and comes through memory or its warp."""

    def __init__(self, k, loops):
        super().__init__(k, loops)
        self.way = k.rng.choice(("shared", "shared", "global", "lanes", "local"))
        self.mask = k.rng.choice((0, 1, 3, 16))
        if self.way in ("shared", "global") and k.rng.random() < 0.5:
            self.mask = k.threads - 1 if k.threads & (k.threads - 1) == 0 else 0
        if self.way == "local":
            self.mask = 0
        self.some, self.remote, self.at = None, False, k.passed
        k.passed += k.threads

    def run(self, k, t, b, env):
        if self.way in ("shared", "global"):
            yield "barrier", 0, k.threads, True
            yield "barrier", 0, k.threads, True
        yield from super().run(k, t ^ self.mask, b, env)

    def emit(self, k, out):
        base = "%s" if self.space == "shared" else "%g"
        self.place.emit(k, out, base, self.unit)
        if self.way == "lanes":
            out.append(f"shfl.sync.bfly.b32 %i, %i, {self.mask}, 31, -1;")
        elif self.way == "local":
            out.append("st.local.u32 [own+4], %i; ld.local.u32 %i, [own+4];")
        else:
            out.append(f"bar.sync 0; xor.b32 %q, %t, {self.mask};")
            for index, access in (("%t", "st.{}.u32 [%a], %i; bar.sync 0;"), ("%q", "ld.{}.u32 %i, [%a];")):
                if self.way == "global":
                    out.append(f"mad.lo.u32 %m, %b, {k.threads}, {index}; add.u32 %m, %m, {self.at * k.blocks};")
                else:
                    out.append(f"add.u32 %m, {index}, {self.at};")
                out.append("mul.wide.u32 %a, %m, 4; add.u64 %a, %a, %{};".format("o" if self.way == "global" else "h"))
                out.append(access.format(self.way))
        out.append(f"mul.wide.u32 %a, %i, 4; add.u64 %a, %a, {base};")
        self.put(k, out, "")


class Slot(Access):
    """Some threads draw numbers from a counter in shared memory and access the words of these numbers."""

    def __init__(self, k):
        super().__init__(k, [], kind=k.rng.choice(("st", "st", "ld")))
        self.some, self.remote, self.size, self.count, self.unit = Some(k), False, 4, 1, 1
        self.factor, self.offset = k.rng.choice((1, 1, 1, 2, 0)), k.rng.choice((0, 0, 1, 7))
        self.at = k.slots
        k.slots += 1

    def run(self, k, t, b, env):
        if self.some.holds(t, b):
            slot = yield "draw", self.at
            at = 4 * ((self.factor * slot + self.offset) & (k.words - 1))
            yield "access", self, at + (4 * k.words * b if k.apart and self.space == "global" else 0)

    def emit(self, k, out):
        end = k.label()
        self.some.emit(out)
        out.append(f"@!%p bra {end}; atom.shared.add.u32 %i, [slots+{4 * self.at}], 1;")
        out.append(f"mad.lo.u32 %i, %i, {self.factor}, {self.offset}; and.b32 %i, %i, {k.words - 1};")
        if k.apart and self.space == "global":
            out.append(f"mad.lo.u32 %i, %b, {k.words}, %i;")
        out.append(f"mul.wide.u32 %a, %i, 4; add.u64 %a, %a, {'%s' if self.space == 'shared' else '%g'};")
        self.put(k, out, "")
        out.append(f"{end}:")


def index(k, loops):
    return Slot(k) if not loops and k.rng.random() < 0.3 else Indirect(k, loops)
