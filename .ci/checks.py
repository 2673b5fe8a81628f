"""Run the checks, fast ones first, with a heading and a time for each: python .ci/checks.py [PART or NAME]….

The parts are backend, frontend and browser; without arguments all of them. A check that uses one core runs beside another; its output
is printed whole when it ends. A check that uses the whole machine runs alone and prints as it goes.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
PY = str(BIN / "python")
SCRATCH = ROOT / "var" / "checks"
ON_SQLITE = os.environ.get("DATABASE_URL", "sqlite").startswith("sqlite")
TEST_SETTINGS = {"DJANGO_SETTINGS_MODULE": "mall.settings.test"}
ENVIRONMENT = {**os.environ, "PYTHONUNBUFFERED": "1", **({} if sys.stdout.isatty() else {"NO_COLOR": "1"})}


@dataclass(frozen=True)
class Check:
    """One check: its name, its part, its commands in order, and whether it uses the whole machine."""

    name: str
    part: str
    commands: Sequence[Sequence[str]]
    alone: bool = False
    environment: dict[str, str] = field(default_factory=dict)


def npm(script: str) -> list[str]:
    """Return the command that runs the front end's npm script."""
    return ["npm", "run", "--silent", "--prefix", "frontend", script]


CHECKS = (
    Check("ruff", "backend", [[str(BIN / "ruff"), "check", "."], [str(BIN / "ruff"), "format", "--check", "."]]),
    Check("import-linter", "backend", [[str(BIN / "lint-imports"), "--no-cache"]]),
    Check("front-end lint", "frontend", [npm("lint")]),
    Check("front-end types", "frontend", [npm("types")]),
    Check("mypy", "backend", [[str(BIN / "mypy"), "."]]),
    Check("migrations", "backend", [[PY, "manage.py", "makemigrations", "--check", "--dry-run"]], environment=TEST_SETTINGS),
    Check(
        "schema drift",
        "backend",
        [
            [PY, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", "var/checks/openapi.yaml"],
            ["diff", "-u", "docs/openapi.yaml", "var/checks/openapi.yaml"],
        ],
        environment=TEST_SETTINGS,
    ),
    Check(
        "generated types drift",
        "frontend",
        [
            ["bash", "-c", "npm run --silent --prefix frontend schema:print > var/checks/schema.d.ts"],
            ["diff", "-u", "frontend/src/api/schema.d.ts", "var/checks/schema.d.ts"],
        ],
    ),
    Check("front-end unit tests", "frontend", [npm("test")]),
    Check("front-end build and budgets", "frontend", [["make", "static"], npm("budgets")]),
    Check("pytest", "backend", [[PY, "-m", "pytest", "-n", "2", "-m", "not gauntlet"]], alone=True),
    Check("browser journeys", "browser", [[PY, "-m", "tests.e2e"]], alone=True),
)


@dataclass(frozen=True)
class Result:
    """How a check ended."""

    check: Check
    code: int
    seconds: float


def heading(text: str) -> str:
    """Return the line that opens a section."""
    return f"\n━━ {text} {'━' * max(4, 96 - len(text))}\n"


def say(text: str) -> None:
    """Print `text` at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def run(check: Check) -> Result:
    """Run the commands of `check` until one fails; print its section."""
    began = time.monotonic()
    code, output = 0, ""
    if check.alone:
        say(heading(check.name))
    for command in check.commands:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**ENVIRONMENT, **check.environment},
            stdin=subprocess.DEVNULL,
            stdout=None if check.alone else subprocess.PIPE,
            stderr=None if check.alone else subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        output += done.stdout or ""
        code = done.returncode
        if code:
            break
    seconds = time.monotonic() - began
    end = f"{'ok' if code == 0 else f'FAILED ({code})'} · {check.name} · {seconds:.1f} s\n"
    say(end if check.alone else heading(check.name) + output + end)
    return Result(check, code, seconds)


def run_all(checks: Sequence[Check]) -> list[Result]:
    """Run two at a time those that use one core, then, one by one, those that use the whole machine."""
    results: list[Result] = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        pending: set[Future[Result]] = {pool.submit(run, check) for check in checks if not check.alone}
        while pending:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            results += [future.result() for future in finished]
    return results + [run(check) for check in checks if check.alone]


def main() -> int:
    """Run the parts and checks named on the command line; return 1 when any check failed."""
    wanted = sys.argv[1:] or ["backend", "frontend", "browser"]
    SCRATCH.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    results = run_all([check for check in CHECKS if check.part in wanted or check.name in wanted])
    say(heading(f"{', '.join(wanted)} on {'SQLite' if ON_SQLITE else 'PostgreSQL'}: {time.monotonic() - began:.0f} s"))
    for result in results:
        say(f"{'ok    ' if result.code == 0 else 'FAILED'}  {result.seconds:6.1f} s  {result.check.name}\n")
    return int(any(result.code for result in results))


if __name__ == "__main__":
    sys.exit(main())
