"""Import rules that import-linter cannot express: parts of an external package, and the layer of
every module of an app.
"""

import ast
import re
from configparser import ConfigParser
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

# Modules outside the layers: they run in tests or while the database changes.
OUTSIDE_THE_LAYERS = {"migrations", "testing", "tests"}
# Imports from a lower layer to a higher one, with the reason why they stay.
UPWARD_IMPORTS = {
    ("apps.common.api.browsable", "apps.common.middleware.response_headers"): (
        "the page of /api/docs sets the security policy that the middleware sends"
    ),
    ("apps.common.models.outbox", "apps.common.background.queues"): (
        "the column `queue` offers the queues of the workers as its choices"
    ),
    ("apps.invoices.locks", "apps.invoices.services.quantities"): (
        "an invoice is locked together with the orders whose quantities it counts"
    ),
    ("apps.pricing.sql.products", "apps.pricing.selectors.context"): (
        "the SQL of prices takes the context of a customer that a selector has read"
    ),
}


def list_imports(source: str) -> set[str]:
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
            for name in list_imports(path.read_text(encoding="utf-8"))
        )
    ]

    assert offenders == []


def get_contract(name: str) -> dict[str, list[str]]:
    """Return the lines of each option of a contract in .importlinter."""
    config = ConfigParser()
    config.read(ROOT / ".importlinter", encoding="utf-8")
    options = config[f"importlinter:contract:{name}"]
    return {option: value.split("\n") for option, value in options.items()}


def get_rooms_contract() -> dict[str, list[str]]:
    """Return the lines of each option of the contract of the packages inside an app."""
    return get_contract("rooms")


def list_modules(app: Path) -> set[str]:
    """Return the modules and packages directly in an app, without `__init__`."""
    files = {path.stem for path in app.glob("*.py") if path.stem != "__init__"}
    packages = {path.name for path in app.iterdir() if any(path.glob("**/*.py"))}
    return files | packages


def test_every_module_of_an_app_is_in_a_layer() -> None:
    layered = set(re.findall(r"\((\w+)\)", "\n".join(get_rooms_contract()["layers"])))
    apps = [path.parent for path in ROOT.glob("apps/*/__init__.py")]

    outside = [
        f"{app.name}.{module}"
        for app in sorted(apps)
        for module in sorted(list_modules(app) - layered - OUTSIDE_THE_LAYERS)
    ]

    assert outside == []


def test_the_layers_hold_for_every_app() -> None:
    apps = {f"apps.{path.parent.name}" for path in ROOT.glob("apps/*/__init__.py")}

    assert set(filter(None, get_rooms_contract()["containers"])) == apps
    assert get_rooms_contract()["exhaustive"] == ["true"]
    assert set(filter(None, get_rooms_contract()["exhaustive_ignores"])) == OUTSIDE_THE_LAYERS


def test_every_upward_import_has_a_reason_and_still_exists() -> None:
    ignored = {
        tuple(line.split(" -> "))
        for line in get_rooms_contract()["ignore_imports"]
        if " -> " in line
    }
    tests = ("apps.**.tests.**", "apps.**")

    assert ignored - {tests} == set(UPWARD_IMPORTS)
    for importer, imported in UPWARD_IMPORTS:
        path = ROOT / f"{importer.replace('.', '/')}.py"
        assert imported in list_imports(path.read_text(encoding="utf-8"))


def test_the_drawing_of_the_house_has_the_layers_of_the_linter() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    drawing = page.split("## The house")[1].split("## ")[0]
    rows = re.findall(r"^│ (\w+(?: · \w+)*)(?: {2,}.*)?│$", drawing, re.MULTILINE)
    layers = [
        layer.strip().replace("apps.", "").split(" | ")
        for layer in get_contract("apps")["layers"]
        if layer.strip() not in ("", "demo")
    ]

    assert [row.split(" · ") for row in rows] == layers
