"""Bulk copies of random kernels, and the fences between the proxies that they need (docs/semantics.md AC4 to AC6)."""

from statements import Access, Place


class ProxyFence:
    """Of all threads, or of the one that copies."""

    def __init__(self, k):
        self.one = k.rng.random() < 0.3
        self.spaces = k.rng.choice((("shared", "global"),) * 3 + (("shared",), ("global",)))

    def run(self, k, t, b, env):
        if t == 0 or not self.one:
            yield "proxy", self.spaces

    def emit(self, k, out):
        if self.one:
            out.append("setp.eq.u32 %p, %t, 0;")
        space = {"shared": ".shared::cta", "global": ".global"}[self.spaces[0]] if len(self.spaces) == 1 else ""
        out.append(f"{'@%p ' if self.one else ''}fence.proxy.async{space};")


class Bulk:
    """What copies from global to shared memory and the other way have in common."""

    def __init__(self, k):
        self.size = 16 * k.rng.choice((1, 1, 2, 8))
        self.source, self.target = Place(k, []), Place(k, [])
        for place in (self.source, self.target):
            place.factor = 0

    def at(self, k, b):
        unit = self.size // 4
        return [4 * place.index(k, 0, b, {}, unit) for place in (self.source, self.target)]

    def emit_places(self, k, out, source, target):
        self.source.emit(k, out, source, self.size // 4)
        out.append("mov.u64 %c, %a;")
        self.target.emit(k, out, target, self.size // 4)


class BulkLoad(Bulk):
    """Thread 0 copies to shared memory; all threads arrive at an mbarrier object, or thread 0 alone, and all wait."""

    def __init__(self, k):
        super().__init__(k)
        self.all, self.number = k.rng.random() < 0.5, len(k.counts)
        self.between = [Access(k, [])] if k.rng.random() < 0.3 else []
        k.counts.append(k.threads if self.all else 1)
        k.copies += 1

    def run(self, k, t, b, env):
        if t == 0:
            yield "load", self, *self.at(k, b)
        phase = yield ("arrive", self.number) if self.all or t == 0 else ("phase",)
        for s in self.between:
            yield from s.run(k, t, b, env)
        yield "wait", self.number, phase, None

    def emit(self, k, out):
        again, skip, bar = k.label(), k.label(), f"[bars+{8 * self.number}]"
        self.emit_places(k, out, "%g", "%s")
        out.append("setp.ne.u32 %p, %t, 0;" + (f"@%p mbarrier.arrive.shared.b64 %tok, {bar};" if self.all else ""))
        out.append(f"@%p bra {skip}; mbarrier.arrive.expect_tx.shared.b64 %tok, {bar}, {self.size};")
        out.append("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                   f"[%a], [%c], {self.size}, {bar}; {skip}:")
        for s in self.between:
            s.emit(k, out)
        parity, state = ("", "%tok") if self.all else (".parity", "0")
        out.append(f"{again}: mbarrier.try_wait{parity}.shared.b64 %p, {bar}, {state}; @!%p bra {again};")


class BulkStore(Bulk):
    """Thread 0 copies to global memory, and perhaps waits."""

    def __init__(self, k):
        super().__init__(k)
        self.waits = k.rng.choice((None, ".read", "", ""))
        k.copies += 2

    def run(self, k, t, b, env):
        if t == 0:
            yield "store", self, *self.at(k, b)
            yield "bulk", self.waits

    def emit(self, k, out):
        end = k.label()
        self.emit_places(k, out, "%s", "%g")
        out.append(f"setp.ne.u32 %p, %t, 0; @%p bra {end};")
        out.append(f"cp.async.bulk.global.shared::cta.bulk_group [%a], [%c], {self.size}; cp.async.bulk.commit_group;")
        out.append("" if self.waits is None else f"cp.async.bulk.wait_group{self.waits} 0;")
        out.append(f"{end}:")


def bulk(k):
    return k.rng.choice((ProxyFence, BulkLoad, BulkStore))(k)
