class HookChain:
    def __init__(self):
        self.calls = []

    def add(self, func):
        if func not in self.calls:
            self.calls.append(func)

    def remove(self, func):
        if func in self.calls:
            self.calls.remove(func)


class runtime:  # pylint: disable=invalid-name
    launch_enter_hook = HookChain()
