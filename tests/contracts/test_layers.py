"""Import rules that import-linter cannot express: parts of an external package."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INNER_ROOMS = ("services", "selectors", "models")
# A room is a package or one module.
SOURCES = sorted(
    path
    for room in INNER_ROOMS
    for pattern in (f"apps/*/{room}.py", f"apps/*/{room}/**/*.py")
    for path in ROOT.glob(pattern)
)


def imports(source: str) -> set[str]:
    """Return the modules that `source` imports."""
    nodes = list(ast.walk(ast.parse(source)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    members = {
        f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return plain | named | members


def test_services_selectors_and_models_do_not_know_http() -> None:
    offenders = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if any(
            name == "django.http" or name.startswith("django.http.")
            for name in imports(path.read_text(encoding="utf-8"))
        )
    ]

    assert offenders == []
