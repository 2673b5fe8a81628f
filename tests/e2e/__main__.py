"""Run the browser journeys: python -m tests.e2e [FILE…], or one command against a server:
python -m tests.e2e -- COMMAND….

The journeys run in lanes, several files in parallel. A lane has its own copy of the demo data, its
own server, browser and letters, so that files in different lanes share no rows. The command finds
the server's address in MALL_URL and the browser in CHROMIUM. --prepare only loads the demo data.
With BROWSER=required a missing browser is an error.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.e2e.database import demo_database, get_day, is_sqlite, prepare
from tests.e2e.server import server

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCRATCH = ROOT / "var" / "e2e"
FAILED = SCRATCH / "failed"
# A file in it says that a lane has begun the journey of this name.
CLAIMS = SCRATCH / "claims"
PICTURES = SCRATCH / "failures"
# A walk waits for half of its time: for timers of the page, for jobs, for the server. Three lanes
# keep two cores busy.
LANES = 3
# The longest files start first, so that no lane works alone at the end.
LONGEST = ("delegation", "trail", "newCompany", "staffDay", "addresses", "reports", "gathering")
# All journeys run on SQLite. On PostgreSQL, where the back end's tests and the gauntlet run whole,
# those run that show the whole mall on it: docs/decisions.md.
ON_POSTGRES = {
    "rows that many hands hold at once, from the cart to the refund and the statement": (
        "journey",
        "trail",
    ),
    "sheets and batches that jobs work through, and the letters they send": (
        "newCompany",
        "staffDay",
    ),
}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def get_browser() -> str | None:
    """Return the path of Chromium: CHROMIUM, or the installed one."""
    return os.environ.get("CHROMIUM") or next(
        (path for name in BROWSERS if (path := shutil.which(name))), None
    )


def list_files(arguments: list[str]) -> list[Path]:
    """Return the files to run, longest first: the named ones, or all; on PostgreSQL those of
    ON_POSTGRES.
    """
    names = (
        ["*"]
        if is_sqlite(dict(os.environ))
        else [name for group in ON_POSTGRES.values() for name in group]
    )
    files = [Path(path) for path in arguments] or [
        path for name in names for path in HERE.glob(f"{name}.test.mjs")
    ]
    order = {name: at for at, name in enumerate(LONGEST)}
    return sorted(
        files, key=lambda path: (order.get(get_name(path), len(order)), -path.stat().st_size)
    )


def get_name(path: Path) -> str:
    """Return the file's name without its extension."""
    return path.name.removesuffix(".test.mjs")


def hold_the_day() -> None:
    """Fix the demo data's day for the whole run, so that a mall started after midnight has the
    same data.
    """
    os.environ.setdefault("DEMO_DAY", get_day())


def get_environment(lane: str, chromium: str) -> dict[str, str]:
    """Return the environment of a lane, without its database."""
    # All journeys come from one address, except the one that exceeds the limit of searches.
    limits = {
        "API_RATE_PER_MINUTE": "6000",
        "RATE_LIMITS": (
            "sign-in=6000/m,codes=6000/m,code-tries=6000/m,"
            "captcha=6000/m,search=300/m,writes=6000/m"
        ),
        "TRUSTED_PROXIES": "1",
    }
    letters = SCRATCH / f"mail-{lane}"
    shutil.rmtree(letters, ignore_errors=True)
    letters.mkdir(parents=True)
    mail = {"EMAIL_URL": f"filemail:///{letters}", "MALL_MAIL": str(letters)}
    own = {"MALL_LANE": lane, "CACHE_PREFIX": f"{os.environ.get('CACHE_PREFIX', 'mall')}-{lane}"}
    programs = {"CHROMIUM": chromium, "PYTHON": sys.executable}
    return {
        **os.environ,
        **limits,
        **mail,
        **own,
        **programs,
        "DJANGO_SETTINGS_MODULE": "tests.e2e.settings",
    }


def run_command(command: list[str], chromium: str) -> int:
    """Run a command against its own server. Return its exit code."""
    with demo_database(get_environment("0", chromium)) as prepared, server(prepared) as address:
        return subprocess.run(
            command, cwd=ROOT, env={**prepared, "MALL_URL": address}, check=False
        ).returncode


def run_lane(lane: str, files: list[Path], chromium: str) -> bool:
    """Run the files that no other lane has begun. Return whether all passed."""
    # The limit of one test is in people.mjs; one given here would hold for a whole lane.
    reporters = {"spec": "stdout", str(HERE / "failed.mjs"): str(FAILED / lane)}
    options = [
        each
        for name, to in reporters.items()
        for each in (f"--test-reporter={name}", f"--test-reporter-destination={to}")
    ]
    command = ["node", *options, str(HERE / "lane.mjs"), *map(str, files)]
    with demo_database(get_environment(lane, chromium)) as prepared, server(prepared) as address:
        environment = {**prepared, "MALL_URL": address, "E2E_CLAIMS": str(CLAIMS)}
        return (
            subprocess.run(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False
            ).returncode
            == 0
        )


def run_files(files: list[Path], chromium: str) -> int:
    """Run the files in lanes. Return 1 if a test failed."""
    prepare(get_environment("0", chromium))
    lanes = [str(lane) for lane in range(min(LANES, len(files)))]
    with ThreadPoolExecutor(max_workers=len(lanes)) as pool:
        ended = [pool.submit(run_lane, lane, files, chromium) for lane in lanes]
    passed = [lane.result() for lane in ended]
    if all(passed):
        return 0
    print_failures()
    return 1


def print_failures() -> None:
    """Print where to look, and finally the failed tests."""
    sys.stdout.write(f"the servers' logs: {SCRATCH.relative_to(ROOT)}/server-*.log\n")
    if PICTURES.exists():
        sys.stdout.write(f"the pages when they failed: {PICTURES.relative_to(ROOT)}/\n")
    names = "".join(path.read_text(encoding="utf-8") for path in sorted(FAILED.iterdir()))
    if names:
        sys.stdout.write(f"failed:\n{names}")


def main() -> int:
    """Prepare database and server, run the command, and return its exit code."""
    chromium = get_browser()
    if chromium is None:
        required = os.environ.get("BROWSER") == "required"
        sys.stdout.write(
            "no Chromium on this machine: "
            + ("an error, since BROWSER=required\n" if required else "journeys left out\n")
        )
        return int(required)
    hold_the_day()
    for folder in (FAILED, CLAIMS, PICTURES):
        shutil.rmtree(folder, ignore_errors=True)
    FAILED.mkdir(parents=True)
    CLAIMS.mkdir()
    arguments = sys.argv[1:]
    if arguments == ["--prepare"]:
        prepare(get_environment("0", chromium))
        return 0
    if arguments[:1] == ["--"]:
        return run_command(arguments[1:], chromium)
    return run_files(list_files(arguments), chromium)


if __name__ == "__main__":
    sys.exit(main())
