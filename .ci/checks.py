"""Run the checks, fast ones first, with a heading and a time for each: python .ci/checks.py [PART
or NAME]….

The parts are backend, frontend and browser; without arguments all of them. Part postgres is the
back end's tests that PostgreSQL can change (tests/on_postgres.py); it takes the place of backend
where SQLite has passed. Part bench starts every benchmark once.

A check that uses one core runs beside another. The checks that use the whole machine run after
them, one after the other, and print as they go. The output of a check that runs beside another is
printed whole when it ends.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
PY = str(BIN / "python")
SCRATCH = ROOT / "var" / "checks"
ON_SQLITE = os.environ.get("DATABASE_URL", "sqlite").startswith("sqlite")
TEST_SETTINGS = {"DJANGO_SETTINGS_MODULE": "mall.settings.test"}
ENVIRONMENT = {
    **os.environ,
    "PYTHONUNBUFFERED": "1",
    **({} if sys.stdout.isatty() else {"NO_COLOR": "1"}),
}


@dataclass(frozen=True)
class Check:
    """One check: its name, its part and its commands in order.

    `is_wide`: it uses the whole machine and runs alone.
    """

    name: str
    part: str
    commands: Sequence[Sequence[str]]
    is_wide: bool = False
    environment: dict[str, str] = field(default_factory=dict)


def npm(script: str) -> list[str]:
    """Return the command that runs the front end's npm script."""
    return ["npm", "run", "--silent", "--prefix", "frontend", script]


# Those that use one core begin in this order: quick ones first, then the longest beside all others,
# and last the one with two workers, so that no core waits for the other.
CHECKS = (
    Check(
        "ruff",
        "backend",
        [[str(BIN / "ruff"), "check", "."], [str(BIN / "ruff"), "format", "--check", "."]],
    ),
    Check("import-linter", "backend", [[str(BIN / "lint-imports"), "--no-cache"]]),
    Check("front-end lint", "frontend", [npm("lint")]),
    Check("front-end types", "frontend", [npm("types")]),
    Check("demo data of the journeys", "browser", [[PY, "-m", "tests.e2e", "--prepare"]]),
    Check("mypy", "backend", [[str(BIN / "mypy"), "."]]),
    Check("front-end build and budgets", "frontend", [["make", "static"], npm("budgets")]),
    Check(
        "tests' database",
        "backend",
        [[PY, "-m", "apps.common.testing.template"]],
        environment=TEST_SETTINGS,
    ),
    Check(
        "migrations",
        "backend",
        [[PY, "manage.py", "makemigrations", "--check", "--dry-run"]],
        environment=TEST_SETTINGS,
    ),
    Check(
        "schema drift",
        "backend",
        [
            [
                PY,
                "manage.py",
                "spectacular",
                "--validate",
                "--fail-on-warn",
                "--file",
                "var/checks/openapi.yaml",
            ],
            ["diff", "-u", "docs/openapi.yaml", "var/checks/openapi.yaml"],
        ],
        environment=TEST_SETTINGS,
    ),
    Check(
        "generated types drift",
        "frontend",
        [
            [
                "bash",
                "-c",
                "npm run --silent --prefix frontend schema:print > var/checks/schema.d.ts",
            ],
            ["diff", "-u", "frontend/src/api/schema.d.ts", "var/checks/schema.d.ts"],
        ],
    ),
    Check("front-end unit tests", "frontend", [npm("test")]),
    Check(
        "pytest",
        "backend",
        [[PY, "-m", "pytest", "-n", "2", "-m", "not gauntlet"]],
        is_wide=True,
    ),
    Check("bench starts", "bench", [[PY, "-m", "bench", "--smoke"]], is_wide=True),
    Check(
        "pytest on PostgreSQL",
        "postgres",
        [[PY, "-m", "tests.on_postgres", "-n", "2"]],
        is_wide=True,
    ),
    Check("browser journeys", "browser", [[PY, "-m", "tests.e2e"]], is_wide=True),
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


def run(check: Check, *, is_live: bool = False) -> Result:
    """Run the commands of `check` until one fails, and print its section.

    `is_live`: print the output while the commands run.
    """
    began = time.monotonic()
    code, output = 0, ""
    if is_live:
        say(heading(check.name))
    for command in check.commands:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**ENVIRONMENT, **check.environment},
            stdin=subprocess.DEVNULL,
            stdout=None if is_live else subprocess.PIPE,
            stderr=None if is_live else subprocess.STDOUT,
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
    say(end if is_live else heading(check.name) + output + end)
    return Result(check, code, seconds)


def run_narrow(checks: Sequence[Check]) -> list[Result]:
    """Run, two at a time, checks that use one core each."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        return [done.result() for done in as_completed([pool.submit(run, each) for each in checks])]


def run_all(checks: Sequence[Check]) -> list[Result]:
    """Run the checks that use one core, then those that use the whole machine."""
    narrow = run_narrow([check for check in checks if not check.is_wide])
    return narrow + [run(check, is_live=True) for check in checks if check.is_wide]


def main() -> int:
    """Run the parts and checks named on the command line; return 1 when any check failed."""
    wanted = sys.argv[1:] or ["backend", "frontend", "browser"]
    SCRATCH.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    results = run_all([check for check in CHECKS if check.part in wanted or check.name in wanted])
    say(
        heading(
            f"{', '.join(wanted)} on {'SQLite' if ON_SQLITE else 'PostgreSQL'}: "
            f"{time.monotonic() - began:.0f} s"
        )
    )
    for result in results:
        say(
            f"{'ok    ' if result.code == 0 else 'FAILED'}  {result.seconds:6.1f} s  "
            f"{result.check.name}\n"
        )
    return int(any(result.code for result in results))


if __name__ == "__main__":
    sys.exit(main())
