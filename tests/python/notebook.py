"""The cells of the notebook, run as a notebook runs them. `PYTHONPATH=python python3 tests/python/notebook.py` writes
their outputs into it, with the environment that tests/python/run sets."""
import ast
import contextlib
import io
import json

NOTEBOOK = "docs/examples/ptxlit.ipynb"


def shown(value):
    """What a notebook shows of the value of a cell."""
    data = {"text/plain": repr(value)}
    if hasattr(value, "_repr_svg_"):
        picture = value._repr_svg_()  # pylint: disable=protected-access
        data = {"image/svg+xml": picture, "text/plain": type(value).__name__}
    return {key: text.splitlines(keepends=True) for key, text in data.items()}


def run(source, space):
    """The outputs of a cell."""
    tree, printed, outputs = ast.parse(source), io.StringIO(), []
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, NOTEBOOK, "exec"), space)  # pylint: disable=exec-used
        value = None
        if last:
            value = eval(compile(ast.Expression(last.value), NOTEBOOK, "eval"), space)  # pylint: disable=eval-used
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        outputs.append({"data": shown(value), "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def with_outputs():
    """The notebook with the outputs that its cells have now, and the names that they define."""
    space = {}
    with open(NOTEBOOK, encoding="utf-8") as file:
        notebook = json.load(file)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = run("".join(cell["source"]), space)
    return notebook, space


if __name__ == "__main__":
    made = json.dumps(with_outputs()[0], indent=1, ensure_ascii=False)
    with open(NOTEBOOK, "w", encoding="utf-8") as to:
        to.write(made + "\n")
