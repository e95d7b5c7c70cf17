"""One run of the threads of a random kernel, with vector clocks."""

from statements import WARP


def latest(clocks):
    return [max(epochs) for epochs in zip(*clocks)]


class Unfit(Exception):
    """The barriers of a kernel do not fit together, so that what happens depends on the order."""


class Run:
    """One run of all threads in a random order, with a vector clock for each thread and each copy. The blocks add to
    the counter in the order `turns`."""

    def __init__(self, k, rng, turns):
        self.k, self.rng, self.turns, count = k, rng, turns, k.threads * k.blocks
        self.released, self.observed, self.message, self.counting = {}, {}, [], {}
        self.size = count * (1 + k.copies)
        self.stores = [[] for _ in range(count)]  # bulk ones: the clocks of their reads, and of their writes
        # behind the clock of a thread: by block and space, what a proxy fence of the block has after it
        self.clocks = [[0] * (self.size * (1 + 2 * k.blocks * bool(k.bulk))) for _ in range(count)]
        for i, clock in enumerate(self.clocks):
            clock[i] = 1
        self.bytes = {}  # by space, block and byte: epochs by kind of access and thread
        self.issued, self.open, self.groups = [0] * count, [[] for _ in range(count)], [[] for _ in range(count)]
        self.waiting, self.objects, self.signals, self.drawn = {}, {}, {}, {}
        self.race = self.unwritten = False
        threads = [self.step(i) for i in range(count)]
        self.ready = list(range(count))
        rng.shuffle(self.ready)
        self.ended = 0
        while self.ready:
            try:
                next(threads[self.ready.pop()])
            except StopIteration:
                self.ended += 1
        if self.ended < count:
            raise Unfit

    def step(self, i):
        """Thread i, up to its next wait."""
        k, block, env = self.k, i // self.k.threads, {}
        for s in k.body:
            statement, answer = s.run(k, i % k.threads, block, env), None
            while True:
                try:
                    action = statement.send(answer)
                except StopIteration:
                    break
                answer = None
                kind = action[0]
                if kind == "access":
                    self.access(action[1], action[2], block ^ action[1].remote, i, self.clocks[i])
                elif kind == "copy":
                    self.copy(action, block, i)
                elif kind in ("load", "store"):
                    self.bulk(action, block, i)
                elif kind == "bulk":
                    self.wait_for_stores(i, action[1])
                elif kind == "proxy":
                    self.proxy_fence(block, action[1], i)
                elif kind == "phase":
                    answer = 0
                elif kind == "fence":
                    self.fence(i, action[1])
                elif kind == "draw":
                    answer = self.drawn.setdefault((block, action[1]), 0)
                    self.drawn[block, action[1]] += 1
                elif kind == "told":
                    answer = self.turns.index(block) == action[1].number(k)
                elif kind == "set":
                    self.set(i, action[1], action[2])
                elif kind == "unlock":
                    self.unlock(i, action[1])
                elif kind == "group":
                    self.wait_for_groups(i, action[1])
                elif kind == "arrive":
                    answer = self.arrive(block, action[1], i)
                elif self.must_wait(block, action, i):
                    yield

    def tick(self, i):
        self.clocks[i][i] += 1

    def fenced(self, block, space):
        """Where the clock begins that a proxy fence of the block updates."""
        return self.size * (1 + 2 * block + (space == "global"))

    def block_of(self, who):
        count = self.k.threads * self.k.blocks
        return (who if who < count else (who - count) // self.k.copies) // self.k.threads

    def touch(self, space, block, at, size, writes, scope, who, clock, asynchronous=False):
        def is_before(thread, epoch, other_asynchronous):
            near = not asynchronous or other_asynchronous and self.block_of(thread) == block
            return epoch <= clock[thread if near else thread + self.fenced(block, space)]

        for byte in range(at, at + size):
            key = (space, block if space == "shared" else -1, byte)
            known = self.bytes.setdefault(key, {})
            for (other_writes, other_scope, other_size, other_at, other), epochs in known.items():
                if not (writes or other_writes):
                    continue
                alike = scope and other_scope and (other_size, other_at) == (size, at)
                for thread, epoch in epochs.items():
                    if is_before(thread, epoch, other):
                        continue
                    near = thread // self.k.threads == who // self.k.threads  # of strong ones: threads, not copies
                    if not (alike and (near or "cta" not in (scope, other_scope))):
                        self.race = True
            if space == "shared" and not writes:
                self.unwritten = self.unwritten or not any(
                    is_before(thread, epoch, kind[4]) for kind, epochs in known.items() if kind[0]
                    for thread, epoch in epochs.items())
            known.setdefault((writes, scope, size if scope else 0, at if scope else 0, asynchronous),
                             {})[who] = clock[who]

    def access(self, a, at, block, i, clock):
        if a.kind.startswith(("ld", "atom")):
            self.touch(a.space, block, at, a.size, False, a.scope, i, clock)
        if a.kind.startswith(("st", "atom")):
            self.touch(a.space, block, at, a.size, True, a.scope, i, clock)

    def copy(self, action, block, i):
        _, copy, source, target = action
        who = len(self.clocks) + i * self.k.copies + self.issued[i]
        self.issued[i] += 1
        clock = list(self.clocks[i])
        clock[who] = 1
        self.touch("global", block, source, copy.size, False, None, who, clock)
        self.touch("shared", block, target, copy.size, True, None, who, clock)
        self.open[i].append(clock)
        if copy.commits:
            self.groups[i].append(self.open[i])
            self.open[i] = []
        self.tick(i)

    def bulk(self, action, block, i):
        """A load makes its writes known to those who wait for the phase; a store its reads and writes to its thread."""
        kind, copy, source, target = action
        spaces, done = ("global", "shared") if kind == "load" else ("shared", "global"), []
        for space, at, writes in ((spaces[0], source, False), (spaces[1], target, True)):
            who = len(self.clocks) + i * self.k.copies + self.issued[i]
            if kind == "store" or writes:
                self.issued[i] += 1
            clock = list(self.clocks[i])
            clock[who] = 1
            self.touch(space, block, at, copy.size, writes, None, who, clock, asynchronous=True)
            done.append([int(n == who) for n in range(len(clock))])
        if kind == "load":
            self.object(block, copy.number)["now"].append(done[1])
        else:
            self.stores[i].append(done)
        self.tick(i)

    def wait_for_stores(self, i, what):
        for reads, writes in self.stores[i] if what is not None else ():
            self.clocks[i] = latest((self.clocks[i], reads, reads if what == ".read" else writes))
        self.tick(i)

    def proxy_fence(self, block, spaces, i):
        for space in spaces:
            at, clock = self.fenced(block, space), self.clocks[i]
            clock[at:at + self.size] = latest((clock[at:at + self.size], clock[:self.size]))
        self.tick(i)

    def wait_for_groups(self, i, but):
        if but is None:
            self.groups[i].append(self.open[i])
            self.open[i] = []
        while len(self.groups[i]) > (but or 0):
            for clock in self.groups[i].pop(0):
                self.clocks[i] = latest((self.clocks[i], clock))
        self.tick(i)

    def fence(self, i, scope):
        """Of blocks, a fence of their scope ends an acquire pattern and begins a release pattern (8.8)."""
        if scope != "cta":
            self.clocks[i] = latest([self.clocks[i]] + self.observed.get(i, []))
            self.released[i] = list(self.clocks[i])
        self.tick(i)

    def count(self, i, order, scope, writes=True):
        """Adds to the counter, behind those that added before; or reads it."""
        self.race = self.race or scope == "cta"
        self.observed[i] = list(self.message)
        if order in ("acquire", "acq_rel"):
            self.clocks[i] = latest([self.clocks[i]] + self.message)
        released = self.clocks[i] if order in ("release", "acq_rel") else self.released.get(i)
        if released and writes:
            self.message.append(list(released))
        self.tick(i)
        self.ready.append(i)

    def unlock(self, i, lock):
        kind, _, order = lock.give.partition(".")
        self.race = self.race or not order
        if kind == "st":
            self.message = []
        released = self.clocks[i] if order == "release" else self.released.get(i)
        if released:
            self.message.append(list(released))
        self.tick(i)
        self.turns = self.turns[1:]
        if self.turns and self.turns[0] in self.counting:
            self.count(self.counting[self.turns[0]], lock.take, lock.scope, lock.way != "ticket")

    def signal(self, word):
        return self.signals.setdefault(word, {"times": 0, "message": [], "waiting": []})

    def set(self, i, signal, word):
        """Sets a word of global memory, once, or adds to it."""
        o = self.signal(word)
        released = self.clocks[i] if signal.give == "release" else self.released.get(i)
        if released:
            o["message"].append(list(released))
        o["times"] += 1
        self.tick(i)
        waiting, o["waiting"] = o["waiting"], []
        for thread, times in waiting:
            self.poll(thread, signal, word, times)

    def poll(self, i, signal, word, times):
        """Waits for the word's last value, which all messages reach."""
        o = self.signal(word)
        self.race = self.race or signal.scope == "cta" and {signal.give, signal.take} != {"volatile"}
        if o["times"] < times:
            o["waiting"].append((i, times))
            return
        self.observed[i] = self.observed.get(i, []) + o["message"]
        if signal.take == "acquire":
            self.clocks[i] = latest([self.clocks[i]] + o["message"])
        self.tick(i)
        self.ready.append(i)

    def object(self, block, number):
        return self.objects.setdefault((block, number), {"phase": 0, "left": self.k.counts[number], "now": [],
                                                         "done": [], "waiting": []})

    def arrive(self, block, number, i):
        o = self.object(block, number)
        phase = o["phase"]
        o["now"].append(list(self.clocks[i]))
        o["left"] -= 1
        self.tick(i)
        if not o["left"]:
            o["done"].append(latest(o["now"]))
            o.update(phase=phase + 1, left=self.k.counts[number], now=[])
            waiting, o["waiting"] = o["waiting"], []
            for thread, wanted, parity in waiting:
                if not self.passes(o, thread, wanted, parity):
                    o["waiting"].append((thread, wanted, parity))
                else:
                    self.ready.append(thread)
        return phase

    def passes(self, o, i, wanted, parity):
        if o["phase"] <= wanted if parity is None else o["phase"] & 1 == parity:
            return False
        seen = wanted if parity is None else o["phase"] - 1
        if seen >= 0:
            self.clocks[i] = latest((self.clocks[i], o["done"][seen]))
        self.tick(i)
        return True

    def must_wait(self, block, action, i):
        """Comes to a barrier or waits at an object. True: the thread is ready later."""
        k, thread = self.k, i % self.k.threads
        if action[0] == "count":
            self.counting[i // k.threads] = i
            for block in self.turns if len(self.counting) == k.blocks else ():
                self.count(self.counting[block], action[1].order, action[1].scope)
            return True
        if action[0] == "lock":
            self.counting[i // k.threads] = i
            if self.turns[0] == i // k.threads:
                self.count(i, action[1].take, action[1].scope, action[1].way != "ticket")
            return True
        if action[0] == "poll":
            self.poll(i, *action[1:])
            return True
        if action[0] == "wait":
            o = self.object(block, action[1])
            if self.passes(o, i, action[2], action[3]):
                return False
            o["waiting"].append((i, action[2], action[3]))
            return True
        if action[0] == "barrier":
            key, count, waits = (block, action[1]), action[2], action[3]
        elif action[0] == "warp":
            key, count, waits = (block, "warp", thread // WARP, action[1]), bin(action[1]).count("1"), True
        else:
            key, count, waits = ("cluster", block // k.cluster), k.cluster * k.threads, True
        come = self.waiting.setdefault(key, [count, []])
        if come[0] != count or any(other == i for other, _, _ in come[1]):
            raise Unfit
        come[1].append((i, waits, list(self.clocks[i])))
        self.tick(i)
        if len(come[1]) == count:
            if not waits:
                raise Unfit  # whether others are behind it depends on the order
            past = latest(clock for _, _, clock in come[1])
            for other, other_waits, _ in come[1]:
                if other_waits:
                    self.clocks[other] = latest((self.clocks[other], past))
                    self.tick(other)
                    self.ready.append(other)
            del self.waiting[key]
            self.rng.shuffle(self.ready)
        return waits
