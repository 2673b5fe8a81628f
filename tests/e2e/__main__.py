"""Run the browser journeys: python -m tests.e2e [FILE…], or any command against the same server: python -m tests.e2e -- COMMAND….

The command finds the server's address in MALL_URL and the browser in CHROMIUM. With BROWSER=required a missing browser is an error.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.e2e.database import day, demo_database
from tests.e2e.server import LOG, server

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MAIL = ROOT / "var" / "e2e" / "mail"
FAILED = ROOT / "var" / "e2e" / "failed.txt"
AGAIN = ROOT / "var" / "e2e" / "again.txt"
PICTURES = ROOT / "var" / "e2e" / "failures"
# All journeys are walked on SQLite, on PostgreSQL those that the database can change: docs/decisions.md.
ON_POSTGRES = {
    "its full text, facets and pictures are searched by other SQL": (
        "assistant",
        "choosing",
        "imageSearch",
        "quickOrder",
        "search",
        "select",
    ),
    "its sums, dates and ranks come from SQL over many rows": ("budgets", "invoices", "reports", "workbench"),
    "rows that many hands hold at once, from the cart to the refund": (
        *("amending", "approvalRules", "cancel", "gathering", "inquiry", "journey", "returns", "trail"),
    ),
    "sheets and batches that jobs work through, and the letters they send": ("catalogueDesk", "newCompany", "notices", "staffDay"),
}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def browser() -> str | None:
    """Return the path of Chromium: CHROMIUM, else what is installed."""
    return os.environ.get("CHROMIUM") or next((path for name in BROWSERS if (path := shutil.which(name))), None)


def command_of(arguments: list[str]) -> list[str]:
    """Return what the command line asks for; all journeys when it asks for nothing, on PostgreSQL those of ON_POSTGRES."""
    if arguments[:1] == ["--"]:
        return arguments[1:]
    on_sqlite = os.environ.get("DATABASE_URL", "sqlite").startswith("sqlite")
    names = ["*"] if on_sqlite else [name for group in ON_POSTGRES.values() for name in group]
    files = arguments or sorted(str(path) for name in names for path in HERE.glob(f"{name}.test.mjs"))
    # The limit of one test is in people.mjs; one given here would hold for a whole file.
    reporters = {"spec": "stdout", str(HERE / "failed.mjs"): str(FAILED)}
    reporting = [each for name, to in reporters.items() for each in (f"--test-reporter={name}", f"--test-reporter-destination={to}")]
    return ["node", "--test", "--test-concurrency=1", *reporting, *files]


def hold_the_day() -> None:
    """Keep the demo data's day for the whole run: a mall that a walk starts after midnight is a copy of the same data."""
    os.environ.setdefault("DEMO_DAY", day())


def tell_failures() -> None:
    """Say where to look, which walks needed a second try, and last of all which tests have failed."""
    sys.stdout.write(f"the server's log: {LOG.relative_to(ROOT)}\n")
    if PICTURES.exists():
        sys.stdout.write(f"the pages when they failed: {PICTURES.relative_to(ROOT)}/\n")
    if AGAIN.exists():
        sys.stdout.write(f"failed once, tried again (E2E_TRIES):\n{AGAIN.read_text(encoding='utf-8')}")
    if FAILED.exists() and FAILED.stat().st_size:
        sys.stdout.write(f"failed:\n{FAILED.read_text(encoding='utf-8')}")


def main() -> int:
    """Prepare database and server, run the command, return its exit code."""
    chromium = browser()
    if chromium is None:
        required = os.environ.get("BROWSER") == "required"
        sys.stdout.write("no Chromium on this machine: " + ("an error, since BROWSER=required\n" if required else "journeys left out\n"))
        return int(required)
    hold_the_day()
    # All journeys come from one address.
    limits = {
        "API_RATE_PER_MINUTE": "6000",
        "RATE_LIMITS": "sign-in=6000/m,codes=6000/m,code-tries=6000/m,captcha=6000/m,search=6000/m,writes=6000/m",
    }
    mail = {"EMAIL_URL": f"filemail:///{MAIL}", "MALL_MAIL": str(MAIL)}
    programs = {"CHROMIUM": chromium, "PYTHON": sys.executable}
    environment = {**os.environ, **limits, **mail, **programs, "DJANGO_SETTINGS_MODULE": "mall.settings.dev"}
    shutil.rmtree(MAIL, ignore_errors=True)
    MAIL.mkdir(parents=True)
    FAILED.unlink(missing_ok=True)
    AGAIN.unlink(missing_ok=True)
    shutil.rmtree(PICTURES, ignore_errors=True)
    with demo_database(environment) as prepared, server(prepared) as address:
        code = subprocess.run(command_of(sys.argv[1:]), cwd=ROOT, env={**prepared, "MALL_URL": address}, check=False).returncode
    if code or AGAIN.exists():
        tell_failures()
    return code


if __name__ == "__main__":
    sys.exit(main())
