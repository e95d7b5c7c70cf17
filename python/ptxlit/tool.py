"""The command `ptxlit` of a wheel, which has the tool inside."""

import os
import sys

from .library import HERE, model_directory


def main() -> None:
    tool, models = os.path.join(HERE, "bin", "ptxlit"), model_directory()
    if models:
        os.environ["PTXLIT_MODELS"] = models
    os.execv(tool, [sys.argv[0], *sys.argv[1:]])
