"""The example environment files name exactly the variables that the code reads."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = (ROOT / ".env.example", ROOT / "deploy" / "env.example")
READ_BY_LIBRARIES = {"DJANGO_SETTINGS_MODULE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
READ_BY_COMPOSE = {"POSTGRES_PASSWORD", "HTTP_PORT", "WEB_WORKERS"}


def names_read(source: str) -> set[str]:
    """Return the names read by `env("X")`, `env.bool("X")` and similar calls in `source`."""
    calls = [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and node.args
    ]
    called = [
        (node.func.value if isinstance(node.func, ast.Attribute) else node.func, node.args[0])
        for node in calls
    ]
    return {
        argument.value
        for name, argument in called
        if isinstance(name, ast.Name)
        and name.id == "env"
        and isinstance(argument, ast.Constant)
        and isinstance(argument.value, str)
    }


def list_offered_names(example: Path) -> set[str]:
    """Return the names that an example assigns, commented out or not."""
    return set(
        re.findall(r"^#?([A-Z][A-Z0-9_]*)=", example.read_text(encoding="utf-8"), re.MULTILINE)
    )


@cache
def all_read() -> frozenset[str]:
    """Return every name that the mall's own code reads."""
    sources = (
        path.read_text(encoding="utf-8")
        for path in (*ROOT.glob("mall/**/*.py"), *ROOT.glob("apps/**/*.py"))
    )
    return frozenset().union(
        *(names_read(source) for source in sources if re.search(r"\benv\b", source))
    )


def test_every_name_the_settings_read_is_in_the_example() -> None:
    assert all_read() - list_offered_names(EXAMPLES[0]) == set()


def test_environment_example_contains_only_variables_that_are_read() -> None:
    assert list_offered_names(EXAMPLES[0]) - all_read() - READ_BY_LIBRARIES == set()


def test_deployment_sets_only_variables_that_are_read() -> None:
    assert (
        list_offered_names(EXAMPLES[1]) - all_read() - READ_BY_LIBRARIES - READ_BY_COMPOSE == set()
    )
