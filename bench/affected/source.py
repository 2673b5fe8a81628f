"""The context of a line of Python: its statement, its function, and the names by which other
code uses it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Place:
    """The position of a line. Tests that execute `lines` reach it; `inner` are the lines that
    its condition guards.

    Tests that execute a class reach its lines, such as fields or rights.

    `names` are the names that other code uses, for a line that runs at import: the constant, the
    field, the class.
    """

    lines: set[int]
    inner: set[int] = field(default_factory=set)
    function: set[int] = field(default_factory=set)
    names: list[str] = field(default_factory=list)


def span(node: ast.stmt) -> range:
    """Return the lines of the statement with its decorators."""
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
    return range(first, (node.end_lineno or node.lineno) + 1)


def path_to(tree: ast.Module, line: int) -> list[ast.stmt]:
    """Return the statements that contain the line, outermost first."""
    rows = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and line in span(node)]
    return sorted(
        rows, key=lambda node: (len(span(node)), isinstance(node, ast.stmt)), reverse=True
    )


def names_of(node: ast.stmt) -> list[str]:
    """Return the names that the statement defines."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [
        each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
    ]


def body_lines(node: ast.stmt) -> set[int]:
    """Return the lines of the statement's body without its head."""
    body: list[ast.stmt] = getattr(node, "body", [])
    return set(range(span(body[0]).start, (body[-1].end_lineno or 0) + 1)) if body else set()


def place_of(text: str, line: int) -> Place:
    """Return the position of the line in the module `text`."""
    around = path_to(ast.parse(text), line)
    if not around:
        return Place({line})
    inmost = around[-1]
    functions = [node for node in around if isinstance(node, FUNCTIONS)]
    names = [name for node in around for name in names_of(node)]
    function = body_lines(functions[-1]) if functions else set()
    if not functions or inmost is functions[0]:
        classes = [node for node in around if isinstance(node, ast.ClassDef)]
        of_class = set(span(classes[-1])) if classes else set()
        return Place(body_lines(inmost) if functions else of_class, function=function, names=names)
    head = set(span(inmost)) - body_lines(inmost)
    if inmost is functions[-1]:
        return Place(head, function=function, names=names)
    orelse: list[ast.stmt] = getattr(inmost, "orelse", [])
    head -= {number for node in orelse for number in span(node)}
    return Place(head, inner=body_lines(inmost), function=function, names=names)
